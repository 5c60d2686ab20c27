import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FlowgateClient, type FlowgateClientOptions, type UnitHandler } from 'flowgate-client';
import { Engine } from '../../../../src/index.js';
import { forward } from '../../../../test/support/forward.js';
import { startService, type Service } from '../../../../test/support/service.js';

/** A client, and whatever it asks. */
export interface Mode {
  readonly client: FlowgateClient;
  registerUnit(uses: string, handler: UnitHandler): void;
  close(): Promise<void>;
}

type Options = Omit<FlowgateClientOptions, 'baseUrl' | 'engine' | 'engineOptions'>;

type NamedMode = readonly [name: string, start: (options?: Options) => Promise<Mode>];

/** The same client over a socket, and without one. */
export const BOTH_MODES: readonly NamedMode[] = [
  ['a service', async (options) => overHttp(await startService(), options)],
  ['an engine in process', inProcess],
];

/** Those, and behind a proxy that gives the service a path. */
export const ALL_MODES: readonly NamedMode[] = [...BOTH_MODES, ['a service under a path', underAPath]];

function overHttp(service: Service, options: Options = {}, baseUrl = service.url): Mode {
  const client = new FlowgateClient({ ...options, baseUrl });
  const engine = service.app.get(Engine);
  return {
    client,
    registerUnit: (uses, handler) => engine.registerUnit(uses, handler),
    async close() {
      await client.close();
      await service.close();
    },
  };
}

export async function inProcess(options: Options = {}): Promise<Mode> {
  const client = new FlowgateClient(options);
  return {
    client,
    registerUnit: (uses, handler) => client.registerUnit(uses, handler),
    close: () => client.close(),
  };
}

async function underAPath(options: Options = {}): Promise<Mode> {
  const service = await startService();
  const prefix = '/api/flowgate';
  const proxy = createServer((request, response) => {
    const { url = '' } = request;
    if (!url.startsWith(`${prefix}/`)) {
      response.writeHead(404).end('<h1>Not here</h1>');
      return;
    }
    const { port } = new URL(service.url);
    forward(request, response, { port: Number(port), path: url.slice(prefix.length) });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const mode = overHttp(service, options, `http://127.0.0.1:${port}${prefix}/`);
  return {
    ...mode,
    async close() {
      proxy.close();
      proxy.closeAllConnections();
      await mode.close();
    },
  };
}
