import { readConfig } from '../../../src/config/service/read-config.js';
import { watch } from '../../support/event-stream.js';
import type { AccessInMemory } from '../../support/access.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import type { Answer, Service } from '../../support/service.js';
import { document, mock } from '../../support/workflow-documents.js';

const PAGE = 'https://flow.example.com';
const BEHIND_PROXY = 'https://console.example.com';
const EVIL = 'https://evil.example';

let service: Service;
let access: AccessInMemory;
let admin: Record<string, string>;
beforeAll(async () => {
  ({ service, access } = await startServiceWithAccess({
    FLOWGATE_CORS_ORIGINS: `${PAGE}, https://other.example.com`,
    FLOWGATE_ALLOWED_ORIGINS: BEHIND_PROXY,
  }));
  admin = access.headersFor('*', 'admin');
});
afterAll(() => service.close());

const preflight = (path: string, origin: string, asked = 'authorization'): Promise<Answer> =>
  service.call('OPTIONS', path, {
    headers: {
      origin,
      'sec-fetch-site': 'cross-site',
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    },
  });
const corsOf = ({ headers }: Answer) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('a page of an origin that may', () => {
  it('is told before it asks, without a key, what it may send: our headers, and nothing by cookies', async () => {
    for (const path of ['/runs', '/mcp', '/nowhere']) {
      const { status, headers, text } = await preflight(path, PAGE);
      expect([path, status, text]).toEqual([path, 204, '']);
      expect(headers).toMatchObject({
        'access-control-allow-origin': PAGE,
        'access-control-allow-methods': 'GET,HEAD,POST,DELETE',
        'access-control-allow-headers': 'authorization',
        'access-control-max-age': '600',
        vary: expect.stringContaining('Origin'),
      });
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
    const ours =
      'authorization,content-type,flowgate-namespace,idempotency-key,if-none-match,last-event-id,mcp-method,mcp-session-id,mcp-param-id';
    const { headers } = await preflight(
      '/mcp',
      PAGE,
      `X-Other, ${ours.toUpperCase().replaceAll(',', ', ')}, cookie`,
    );
    expect(headers['access-control-allow-headers']).toBe(ours);
  });

  it('works with a key, and reads what we say in headers', async () => {
    const mine = { ...admin, origin: PAGE, 'sec-fetch-site': 'cross-site' };
    const yaml = document('paged', [mock('a')]);
    const registered = await service.post('/workflows/from-yaml', { yaml }, mine);
    const started = await service.post('/workflows/paged/runs', { sync: true }, mine);
    const called = await service.post('/mcp', { id: 1, method: 'tools/list' }, mine);
    for (const answer of [registered, started, called]) {
      expect([200, 201, 202]).toContain(answer.status);
      expect(answer.headers['access-control-allow-origin']).toBe(PAGE);
      expect(answer.headers['access-control-expose-headers']).toContain('WWW-Authenticate');
      expect(answer.headers.vary).toBe('Origin');
    }
    const stream = await watch(`${service.url}/events`, { headers: mine });
    expect([stream.status, stream.headers['access-control-allow-origin']]).toEqual([200, PAGE]);
    stream.leave();
  });

  it('reads why it was refused, too', async () => {
    for (const [path, status] of [
      ['/runs', 401],
      ['/nowhere', 401],
    ] as const) {
      const answer = await service.call('GET', path, { headers: { origin: PAGE } });
      expect([path, answer.status, answer.headers['access-control-allow-origin']]).toEqual([
        path,
        status,
        PAGE,
      ]);
    }
    const wrongMethod = await service.call('PUT', '/workflows', { headers: { ...admin, origin: PAGE } });
    expect([wrongMethod.status, wrongMethod.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('calls the service by its own names alone', async () => {
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const answer = await service.call(method, '/mcp', {
        headers: { ...admin, origin: PAGE, host: 'rebound.example', 'access-control-request-method': 'POST' },
      });
      expect([method, answer.status, answer.body.code]).toEqual([method, 403, 'foreign-host']);
    }
  });
});

describe.each([
  ['of any other origin', EVIL],
  ['of an origin that is treated as ours', BEHIND_PROXY],
  ['of an origin that only resembles one', `${PAGE}.evil.example`],
  ['of no origin', 'null'],
])('a page %s', (_which, origin) => {
  it('is told nothing, and its preflight is a request like any other', async () => {
    const asked = await preflight('/runs', origin);
    expect([asked.status, corsOf(asked)]).toEqual([401, []]);
    const read = await service.call('GET', '/runs', { headers: { ...admin, origin } });
    expect([read.status, corsOf(read)]).toEqual([200, []]);
  });
});

it('a key does not lift the check of the origin', async () => {
  const headers = { ...admin, origin: EVIL };
  for (const [method, path] of [
    ['POST', '/workflows/paged/runs'],
    ['OPTIONS', '/mcp'],
  ] as const) {
    const { status, body } = await service.call(method, path, { headers });
    expect([path, status, body.code]).toEqual([path, 403, 'foreign-page']);
  }
});

it.each([
  [{}, 'FLOWGATE_CORS_ORIGINS is set, and FLOWGATE_AUTH is none'],
  [{ FLOWGATE_AUTH: 'keys', FLOWGATE_CORS_ORIGINS: '*' }, 'FLOWGATE_CORS_ORIGINS is "*": it must be origins'],
  [{ FLOWGATE_AUTH: 'keys', FLOWGATE_CORS_ORIGINS: `${PAGE}/app` }, 'it must be origins'],
])('%j ends the start', (settings, said) => {
  expect(() => readConfig({ FLOWGATE_CORS_ORIGINS: PAGE, ...settings })).toThrow(said);
});
