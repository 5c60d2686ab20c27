// Steps that take a while. Each call says by a header which replica makes it, and by its Idempotency-Key which step it is.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const STEP_MS = 300;

export async function startUnits() {
  /** The replica that called each step last, as long as it waits for it. */
  const inFlight = new Map();
  const keys = new Set();
  const server = createServer(async (request, response) => {
    await request.toArray();
    const key = request.headers['idempotency-key'];
    keys.add(key);
    inFlight.set(key, request.headers['x-replica']);
    await delay(STEP_MS);
    inFlight.delete(key);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ content: 'done', tokenUsage: { totalTokens: 1 } }));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const endpoint = `http://127.0.0.1:${server.address().port}/`;
  // A secret, of which each replica has another value: here its name.
  const binding = { type: 'http', endpoint, headers: { 'x-replica': '${secret:REPLICA}' } };
  return {
    bindings: { 'demo.pack': binding, 'demo.ship': binding },
    keys,
    calledBy: (replica) => [...inFlight.values()].filter((name) => name === replica).length,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
