import { FlowgateApiError, FlowgateClient, type FlowgateClientOptions } from 'flowgate-client';
import { startUnitServer, type Reply, type UnitServer } from '../../../../test/support/unit-server.js';

let server: UnitServer;
beforeEach(async () => {
  server = await startUnitServer();
});
afterEach(() => server.close());

const clientOf = (options: FlowgateClientOptions = {}) =>
  new FlowgateClient({ baseUrl: server.url, retries: 0, ...options });

async function refused(reply: Reply, options?: FlowgateClientOptions): Promise<FlowgateApiError> {
  server.answer(reply);
  const error = await clientOf(options)
    .getRun('w', 'r')
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FlowgateApiError);
  return error as FlowgateApiError;
}

const html = { 'content-type': 'text/html' };

describe('an answer that is not the service’s', () => {
  it.each<[string, Reply, readonly string[]]>([
    [
      'the error page of a proxy',
      {
        status: 502,
        headers: html,
        body: '<html><style>b{}</style><title>502 Bad\n Gateway</title><hr>nginx</html>',
      },
      ['answered 502', 'text/html', 'It says: 502 Bad Gateway nginx', 'check baseUrl'],
    ],
    [
      'a page of something else',
      { headers: html, body: '<h1>It works!</h1>' },
      ['answered 200', 'It works!'],
    ],
    ['JSON of something else', { body: { hello: 'world' } }, ['answered 200', 'application/json']],
    ['a list', { body: [] }, ['answered 200']],
    ['an empty answer', {}, ['answered 200', 'no content type']],
    ['JSON that is cut', { body: '{"runId":"r","sta' }, ['answered 200']],
    [
      'another service’s error',
      { status: 404, body: { detail: 'Not Found' } },
      ['answered 404', 'Not Found'],
    ],
    ['one whose error is no text', { status: 400, body: { error: { a: 1 } } }, ['answered 400']],
  ])('is said to be that: %s', async (_name, reply, sentences) => {
    const error = await refused(reply);
    expect(error.status).toBe(reply.status ?? 200);
    for (const sentence of [server.url, ...sentences]) expect(error.message).toContain(sentence);
  });

  it('quotes no more than a little of a large page', async () => {
    const error = await refused({ status: 500, headers: html, body: 'x'.repeat(1_000_000) });
    expect(error.message.length).toBeLessThan(600);
  });

  it.each([301, 302, 303, 307, 308])('is not followed where it leads elsewhere: %i', async (status) => {
    const elsewhere = await startUnitServer();
    const headers = { location: `${elsewhere.url}/workflows/w/runs/r` };
    const error = await refused({ status, headers }, { headers: { 'x-key': 'hush' } });
    expect(error).toMatchObject({ status });
    expect(error.message).toContain(elsewhere.url);
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it.each([
    ['with its length', {}],
    ['in pieces', { 'transfer-encoding': 'chunked' }],
  ])('is not read to its end when it is too long, sent %s', async (_name, headers) => {
    const body = JSON.stringify({ runId: 'r', status: 'completed', result: 'x'.repeat(100_000) });
    const error = await refused({ headers, body }, { maxResponseBytes: 10_000 });
    expect(error.message).toContain('more than 10000 bytes: raise maxResponseBytes');
  });
});

describe('an error of the service', () => {
  it('keeps its status, error, type, details, detail and code', async () => {
    const details = [{ path: 'a', message: 'a is odd' }];
    const body = { error: 'It is odd', type: 'OddError', details, detail: 'Even would do.', code: 'odd' };
    const error = await refused({ status: 400, body });
    expect(error).toMatchObject({ status: 400, ...body, message: 'It is odd\nEven would do.' });
    expect(error.name).toBe('FlowgateApiError');
  });

  it('names every fault, also those beyond the twenty of the sentence', async () => {
    const details = Array.from({ length: 25 }, (_, i) => ({
      path: `/${i}`,
      line: i + 1,
      column: 3,
      message: `fault ${i}`,
    }));
    const lines = details.slice(0, 20).map(({ line, message }) => `at ${line}:3: ${message}`);
    const error = `The workflow cannot be loaded:\n${lines.join('\n')}\nand 5 more in details`;
    const refusal = await refused({ status: 400, body: { error, type: 'YamlLoadError', details } });
    expect(refusal.error).toBe(error);
    for (const { line, message } of details) expect(refusal.message).toContain(`at ${line}:3: ${message}`);
    expect(refusal.message).not.toContain('in details');
  });

  it('may be hostile and stays small', async () => {
    const details = Array.from({ length: 10_000 }, () => ({ message: 1 }));
    const body = { error: 'x'.repeat(1_000_000), details, type: 7, code: null, detail: [] };
    const error = await refused({ status: 400, body });
    expect(error.message.length).toBeLessThan(100_000);
    expect(error).toMatchObject({ type: undefined, code: undefined, detail: undefined });
  });
});

it('a service that cannot serve tells its health by 503', async () => {
  const health = { ok: false, workflows: [], version: '0.1.0', error: 'The service is shutting down' };
  server.answer({ status: 503, body: health });
  expect(await clientOf({ retries: 3 }).health()).toEqual(health);
  expect(server.requests).toHaveLength(1);
});

describe('a request', () => {
  it('carries the caller’s headers, and ours where both name one', async () => {
    server.answer({ body: { runId: 'r', status: 'running' } });
    const headers = {
      Authorization: 'Bearer abc',
      'Content-Type': 'text/plain',
      'idempotency-key': 'theirs',
    };
    await clientOf({ headers }).startWorkflow('w', {}, { idempotencyKey: 'ours' });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'content-type': 'application/json',
      'idempotency-key': 'ours',
      accept: 'application/json',
    });
  });

  it('carries headers that come as the web has them', async () => {
    server.answer({ body: { results: [] } });
    await clientOf({ headers: new Headers({ 'x-tenant': 'acme' }) }).searchMemory('x');
    expect(server.requests[0]?.headers).toMatchObject({ 'x-tenant': 'acme' });
  });

  it('goes through the caller’s fetch', async () => {
    const seen: string[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      seen.push(`${init?.method} ${String(input)}`);
      return Response.json({ results: [] });
    };
    const client = new FlowgateClient({ baseUrl: 'https://flow.example.com/a b/', fetch });
    await client.searchMemory('ü & é', 7);
    expect(seen).toEqual(['GET https://flow.example.com/a%20b/memory/search?q=%C3%BC%20%26%20%C3%A9&topK=7']);
  });
});

describe('options that cannot be meant', () => {
  it.each<[string, FlowgateClientOptions]>([
    ['baseUrl is no address', { baseUrl: '' }],
    ['with its scheme', { baseUrl: 'localhost:8787' }],
    ['with its scheme', { baseUrl: '//flow' }],
    ['headers.authorization', { baseUrl: 'http://ann:hush@flow' }],
    ['leave out what begins with ?', { baseUrl: 'http://flow/?a=1' }],
    ['"x-key" cannot be sent', { baseUrl: 'http://flow', headers: { 'x-key': 'hush\nhush' } }],
    ['"x key" cannot be sent', { baseUrl: 'http://flow', headers: { 'x key': 'hush' } }],
    ['retries.count must be a whole number', { baseUrl: 'http://flow', retries: 1.5 }],
    ['retries must be', { baseUrl: 'http://flow', retries: '3' as never }],
    ['the value of x-key', { baseUrl: 'http://flow', headers: { 'x-key': undefined as never } }],
    ['retries.baseMs must be a number', { baseUrl: 'http://flow', retries: { baseMs: -1 } }],
    ['timeoutMs must be', { timeoutMs: 0 }],
    ['timeoutMs must be', { timeoutMs: 2 ** 31 }],
    ['maxResponseBytes must be', { baseUrl: 'http://flow', maxResponseBytes: 0 }],
    ['apiGroups must be', { apiGroups: [] }],
    ['not both', { baseUrl: 'http://flow', engineOptions: {} }],
    ['leave one out', { engine: {} as never, engineOptions: {} }],
  ])('are refused with a sentence: %s', (sentence, options) => {
    const make = () => new FlowgateClient(options);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(sentence);
    expect(make).not.toThrow('hush');
  });

  it('are a unit for a service, which runs none of ours', () => {
    expect(() => clientOf().registerUnit('a.b', () => 1)).toThrow('bind it to an endpoint');
  });
});
