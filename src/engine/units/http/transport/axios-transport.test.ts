import { create, type AxiosInstance } from 'axios';
import type { TransportResponse, UnitTransport } from '../../../ports/unit-transport.js';
import { startUnitServer, type UnitServer } from '../../../../../test/support/unit-server.js';
import { createAxiosTransport } from './axios-transport.js';

let server: UnitServer;
let transport: UnitTransport | null = null;

beforeEach(async () => {
  server = await startUnitServer();
});

afterEach(async () => {
  await transport?.close();
  await server.close();
});

function postThrough(instance: AxiosInstance): Promise<TransportResponse> {
  transport = createAxiosTransport(instance);
  return transport.post({
    url: `${server.url}/unit`,
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
    maxResponseBytes: 1000,
    signal: new AbortController().signal,
  });
}

describe("a call through a host's axios", () => {
  test('goes through its interceptors, and not by its defaults other than headers', async () => {
    const instance = create({
      baseURL: 'http://127.0.0.1:1/',
      params: { extra: '1' },
      auth: { username: 'host', password: 'app' },
      maxRedirects: 5,
      proxy: { host: '127.0.0.1', port: 1 },
      timeout: 1,
      headers: { 'X-Default': 'yes' },
    });
    instance.interceptors.request.use((config) => {
      config.headers.set('X-Seen', 'yes');
      return config;
    });
    server.answer(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { body: 'done' };
    });
    expect(await postThrough(instance)).toMatchObject({ kind: 'response', body: 'done' });
    expect(server.requests[0]).toMatchObject({
      url: '/unit',
      headers: { 'x-seen': 'yes', 'x-default': 'yes' },
    });
    expect(server.requests[0]!.headers.authorization).toBeUndefined();
  });

  test('goes where an interceptor sends it, and nowhere when that is no address', async () => {
    const instance = create();
    const ways = [`${server.url}/elsewhere`, 'ftp://127.0.0.1/', 'nowhere'];
    instance.interceptors.request.use((config) => ({ ...config, url: ways.shift()! }));
    expect(await postThrough(instance)).toMatchObject({ kind: 'response' });
    expect(server.requests[0]!.url).toBe('/elsewhere');
    const failed = { kind: 'network-error', reason: 'request failed' };
    expect([await postThrough(instance), await postThrough(instance)]).toEqual([failed, failed]);
  });

  test('is a network error when an interceptor throws', async () => {
    const instance = create();
    instance.interceptors.request.use(() => {
      throw new Error('password');
    });
    expect(await postThrough(instance)).toEqual({ kind: 'network-error', reason: 'request failed' });
  });
});
