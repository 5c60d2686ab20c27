// A balancer as there is one in front of replicas: each request goes to the next of them, and to another one if that is gone.
import { createServer } from 'node:http';

/** `replicas`: their addresses, which change meanwhile. Resolves with its own, and how to stop it. */
export async function startBalancer(replicas) {
  let turn = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { host: _ours, connection: _hop, 'content-length': _length, ...headers } = request.headers;
    for (let left = replicas.size; left > 0; left -= 1) {
      const [url] = [...replicas].slice((turn += 1) % replicas.size);
      try {
        const { method } = request;
        const answer = await fetch(url + request.url, { method, headers, ...(body.length > 0 && { body }) });
        const text = await answer.text();
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        response.end(text);
        return;
      } catch {
        // Gone, perhaps with this request: under the same Idempotency-Key it may be sent again.
        replicas.delete(url);
      }
    }
    response.writeHead(503).end();
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}
