import { Logger } from '@nestjs/common';
import { AuthUnavailableError } from '../../../src/errors/access-errors.js';
import { BusyError } from '../../../src/errors/service-errors.js';
import { routesOf } from '../../docs/support/routes.js';
import type { AccessInMemory } from '../../support/access.js';
import { sendRaw } from '../../support/raw-request.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import type { Service } from '../../support/service.js';
import { document, mock } from '../../support/workflow-documents.js';
import { OPEN_ROUTES } from './support/routes-of-access.js';

let service: Service;
let access: AccessInMemory;
let admin: Record<string, string>;

beforeAll(async () => {
  ({ service, access } = await startServiceWithAccess());
  admin = access.headersFor('*', 'admin');
});
afterAll(() => service.close());
afterEach(() => {
  access.trouble = null;
  access.isSlow = false;
});

/** What stands for the last part of a path that has one; others have none. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'GET /docs/:file': '/docs/start.js',
  'GET /docs/guide/:name': '/docs/guide/access.html',
  'GET /console/:name': '/console/runs',
};
const REFUSED = {
  error: 'This needs a valid key or token: send Authorization: Bearer <key or token>',
  code: 'unauthorized',
};

const ask = (route: string, headers: Record<string, string> = {}, body?: unknown) => {
  const [method = '', path = ''] = route.split(' ');
  return service.call(method, EXAMPLES[route] ?? path.replaceAll(/:\w+/g, 'x'), {
    headers,
    ...(body === undefined ? {} : { body }),
  });
};

describe('whom nobody knows', () => {
  it('gets 401 from every route but those that are open, with one body and the challenge', async () => {
    const routes = routesOf(service).filter((route) => !OPEN_ROUTES.includes(route));
    expect(routes.length).toBeGreaterThan(35);
    for (const route of routes) {
      for (const headers of [{}, { authorization: 'Bearer nonsense' }]) {
        const answer = await ask(route, headers);
        expect([route, answer.status, answer.body]).toEqual([route, 401, REFUSED]);
        expect([route, answer.headers['www-authenticate']]).toEqual([route, 'Bearer']);
      }
    }
  });

  it.each(OPEN_ROUTES)('is served by %s, which is open', async (route) => {
    const before = access.asked;
    const served = ['GET /console', 'GET /docs/guide'].includes(route) ? 308 : 200;
    expect((await ask(route)).status).toBe(served);
    expect((await ask(route, { authorization: 'Bearer nonsense' })).status).toBe(served);
    expect(access.asked).toBe(before);
  });

  it.each([
    'GET /nowhere',
    'POST /nowhere',
    'OPTIONS /workflows',
    'PUT /workflows',
    'HEAD /workflows',
    'HEAD /nowhere',
    'DELETE /health',
    'OPTIONS /health',
    'GET /workflows/%zz',
  ])('does not learn what is at %s', async (route) => {
    const answer = await ask(route);
    expect([answer.status, answer.headers['www-authenticate'], answer.headers.allow]).toEqual([
      401,
      'Bearer',
      undefined,
    ]);
    if (!route.startsWith('HEAD')) expect(answer.body).toEqual(REFUSED);
  });

  it('is refused whatever else is wrong with the request', async () => {
    const wrong = { 'flowgate-namespace': 'NO SUCH', 'x-flowgate-run-id': '7' };
    for (const body of ['{', undefined]) {
      const answer = await ask('POST /workflows/nowhere/runs', wrong, body);
      expect([answer.status, answer.body]).toEqual([401, REFUSED]);
    }
  });

  it('is refused before the body is sent, and is not told to send it', async () => {
    const head = (path: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n`;
    const paths = ['/workflows/from-yaml', '/mcp', '/runs/import', '/keys', '/nowhere'];
    const answers = await Promise.all(paths.map((path) => sendRaw(service.url, head(path))));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(paths.map(() => [401, REFUSED]));
  });
});

describe('who is known', () => {
  it('is told what is not there', async () => {
    expect((await ask('GET /nowhere', admin)).body).toMatchObject({ code: 'not-found' });
    const { status, headers } = await ask('PUT /workflows', admin);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('is served, whether it is known at once or looked up', async () => {
    for (const isSlow of [false, true]) {
      access.isSlow = isSlow;
      expect((await ask('GET /workflows', admin)).status).toBe(200);
      expect((await ask('HEAD /workflows', admin)).status).toBe(200);
    }
  });

  it('sends a body that it was told to send', async () => {
    const yaml = document('expected', [mock('a')]);
    const body = JSON.stringify({ yaml });
    const head = [
      'POST /workflows/from-yaml HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `Authorization: ${admin['authorization']}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Expect: 100-continue',
    ];
    const { status } = await sendRaw(service.url, `${head.join('\r\n')}\r\n\r\n${body}`);
    expect([100, 201]).toContain(status);
    expect((await ask('GET /workflows/expected', admin)).status).toBe(200);
  });
});

describe('when it cannot be found out who is asking', () => {
  it.each([
    ['auth-unavailable', new AuthUnavailableError('The store of keys')],
    ['busy', new BusyError('Signatures are checked: try again')],
  ])(
    'the answer is 503 %s, also of unknown routes and of the gateway, and open routes are served',
    async (code, trouble) => {
      access.trouble = trouble;
      for (const route of ['GET /workflows', 'POST /mcp', 'GET /nowhere', 'POST /workflows/x/runs']) {
        const { status, body } = await ask(route, admin);
        expect([route, status, body.code]).toEqual([route, 503, code]);
      }
      expect((await ask('GET /health/live')).status).toBe(200);
    },
  );
});

describe('the log', () => {
  afterEach(() => Logger.overrideLogger(false));

  it('has why somebody was refused, once a minute, and never what they sent', async () => {
    const { service: own } = await startServiceWithAccess();
    const lines: string[] = [];
    const note = (line: unknown) => void lines.push(String(line));
    Logger.overrideLogger({ log: note, warn: note, error: note });
    for (let i = 0; i < 5; i += 1) {
      await own.call('GET', '/workflows', { headers: { authorization: `Bearer hidden-${i}` } });
    }
    await own.get('/workflows');
    await own.close();
    const refusals = lines.filter((line) => line.includes('401'));
    expect(refusals).toEqual(['Refused with 401: no such key', 'Refused with 401: no credentials']);
    expect(lines.join('\n')).not.toContain('hidden');
  });
});

it('what authenticates is opened with the service, and closed with it', async () => {
  const { service: own, access: its } = await startServiceWithAccess();
  expect(its.isOpen).toBe(true);
  await own.close();
  expect(its.isOpen).toBe(false);
});
