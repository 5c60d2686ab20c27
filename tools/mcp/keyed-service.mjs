// A service that asks who is asking, for clients that are not told to say so: what comes by its gateway has a key.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { withService } from './service.mjs';

/** As `withService`; `use` is given the address of the gateway. */
export async function withKeyedService(script, data, use) {
  const bootstrap = randomBytes(32).toString('base64url');
  const gateway = await startGateway();
  const env = {
    FLOWGATE_AUTH: 'keys',
    FLOWGATE_BOOTSTRAP_KEY_SHA256: createHash('sha256').update(bootstrap).digest('hex'),
    // What the fixtures do themselves goes by it as well.
    FLOWGATE_FIXTURES_AT: gateway.address,
  };
  try {
    return await withService(
      script,
      data,
      async (address) => {
        gateway.lead(address, await adminKey(address, bootstrap));
        return use(gateway.address);
      },
      env,
    );
  } finally {
    gateway.close();
  }
}

async function adminKey(address, bootstrap) {
  const refused = await fetch(`${address}/mcp`, { method: 'POST', body: '{}' });
  if (refused.status !== 401)
    throw new Error(`/mcp answers ${refused.status}, not 401, to whoever has no key.`);
  const response = await fetch(`${address}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bootstrap}`, 'content-type': 'application/json' },
    body: JSON.stringify({ owner: 'agent@example.com', grants: [{ namespace: '*', roles: ['admin'] }] }),
  });
  if (!response.ok) throw new Error(`No key was made: ${await response.text()}`);
  return (await response.json()).secret;
}

async function startGateway() {
  let [target, key] = ['', ''];
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const asked = request(`${target}${url}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${key}` },
    });
    asked.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    lead(address, secret) {
      [target, key] = [address, secret];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
