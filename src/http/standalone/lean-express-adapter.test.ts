import type { AddressInfo } from 'node:net';
import type { Server, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { LeanExpressAdapter } from './lean-express-adapter.js';
import { JsonBytes } from '../long-responses/json-bytes.js';

let adapter: LeanExpressAdapter;
let url: string;

beforeAll(async () => {
  Logger.overrideLogger(false);
  adapter = new LeanExpressAdapter({ checks: () => [], maxConnections: 10 });
  adapter.initHttpServer();
  adapter.get('/value/:id', (request: { params: object }, response: ServerResponse) =>
    adapter.reply(response, { ...request.params }, 201),
  );
  adapter.get('/bytes', (_request: unknown, response: ServerResponse) =>
    adapter.reply(response, new JsonBytes(Buffer.from('{"a":"é"}'))),
  );
  adapter.get('/nothing', (_request: unknown, response: ServerResponse) =>
    adapter.reply(response, undefined),
  );
  adapter.get('/broken', async () => Promise.reject(new Error('the filter failed')));
  adapter.get('/broken/midway', async (_request: unknown, response: ServerResponse) => {
    response.write('{');
    throw new Error('the filter failed');
  });
  const server = adapter.getHttpServer() as Server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await adapter.close();
  Logger.overrideLogger(['error']);
});

const answer = async (path: string): Promise<readonly unknown[]> => {
  const response = await fetch(`${url}${path}`);
  return [response.status, response.headers.get('content-type'), await response.text()];
};
const JSON_TYPE = 'application/json; charset=utf-8';

describe('the adapter of the standalone service', () => {
  it('answers the same by its own table and through Express', async () => {
    for (const path of ['/value/7', '/Value/7/', '/value/7?x=%zz']) {
      expect(await answer(path)).toEqual([201, JSON_TYPE, '{"id":"7"}']);
    }
  });

  it('sends bytes that are JSON already as they are, with their length', async () => {
    const response = await fetch(`${url}/bytes`);
    expect([response.headers.get('content-type'), response.headers.get('content-length')]).toEqual([
      JSON_TYPE,
      '10',
    ]);
    expect(await response.json()).toEqual({ a: 'é' });
    expect(await answer('/nothing')).toEqual([200, null, '']);
  });

  it('responds in our form to what even the response to an error throws, and continues', async () => {
    expect(await answer('/broken')).toEqual([500, JSON_TYPE, expect.stringContaining('The service failed')]);
    await expect(answer('/broken/midway')).rejects.toThrow(/terminated|fetch failed/);
    expect(await answer('/value/8')).toEqual([201, JSON_TYPE, '{"id":"8"}']);
  });
});
