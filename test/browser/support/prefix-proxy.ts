import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forward } from '../../support/forward.js';
import type { Service } from '../../support/service.js';

/** A proxy in front of a service, at an origin of its own. */
export interface PrefixProxy {
  /** The address of the service behind it, with the prefix. */
  readonly url: string;
  close(): void;
}

/** Takes the prefix away from each request; whatever is not below it is 404. */
export async function startPrefixProxy(service: Service, prefix: string): Promise<PrefixProxy> {
  const port = Number(new URL(service.url).port);
  const proxy = createServer((request, response) => {
    const { url = '' } = request;
    if (url.startsWith(`${prefix}/`)) forward(request, response, { port, path: url.slice(prefix.length) });
    else response.writeHead(404).end();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`,
    close: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
