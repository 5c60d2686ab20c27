import type { ExpressAdapter } from '@nestjs/platform-express';
import { createService } from '../../src/app.module.js';
import { readConfig } from '../../src/config/service/read-config.js';
import { serviceOf, startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a')]));
});
afterAll(() => service.close());

describe('an unknown path', () => {
  it.each([
    ['POST', '/workflows/plain/versions/x/y'],
    ['GET', '/workflows/plain/runs/x/y'],
    ['POST', '/workflows//runs'],
    ['DELETE', '/memory'],
    ['GET', '/favicon.ico'],
  ])('%s %s: 404 in our form', async (method, path) => {
    const { status, body, headers } = await service.call(method, path);
    expect([status, body]).toEqual([404, { error: expect.stringContaining(path), code: 'not-found' }]);
    expect(headers['content-type']).toMatch(/^application\/json/);
  });
});

describe('a wrong method', () => {
  it.each([
    ['POST', '/workflows/plain', 'GET, HEAD, DELETE'],
    ['POST', '/runs', 'GET, HEAD'],
    ['DELETE', '/gates', 'GET, HEAD'],
    ['DELETE', '/workflows/plain/runs/x', 'GET, HEAD'],
    ['GET', '/workflows/plain/runs/x/resume', 'POST'],
    ['POST', '/workflows/plain/runs/x/messages', 'GET, HEAD'],
    ['GET', '/mcp', 'POST'],
    ['DELETE', '/mcp', 'POST'],
    ['OPTIONS', '/mcp', 'POST, GET, HEAD, DELETE'],
    ['QUERY', '/mcp', 'POST, GET, HEAD, DELETE'],
  ])('%s %s: 405 in our form, with Allow', async (method, path, allow) => {
    const { status, body, headers } = await service.call(method, path);
    expect([status, body, headers['allow']]).toEqual([
      405,
      expect.objectContaining({ error: expect.stringContaining(method), code: 'method-not-allowed' }),
      allow,
    ]);
  });

  it('HEAD answers as GET does, without a body', async () => {
    const { status, text, headers } = await service.call('HEAD', '/health');
    expect([status, text]).toEqual([200, '']);
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });
});

describe('a malformed percent escape', () => {
  it.each([
    ['POST', '/workflows/%/runs'],
    ['GET', '/workflows/plain/runs/%ff'],
    ['POST', '/workflows/plain/runs/%c3/hitl'],
  ])('%s %s: 400 in our form', async (method, path) => {
    const { status, body } = await service.call(method, path, { body: {} });
    expect([status, body]).toEqual([400, { error: expect.any(String), code: 'invalid-request' }]);
  });
});

describe('a path in another spelling', () => {
  it.each(['/Health', '/health/', '/HEALTH?x=1', '/health#x'])('%s is the same resource', async (path) => {
    const { status, body } = await service.get(path);
    expect([status, body.ok]).toEqual([200, true]);
  });

  it('starts runs as the usual one does', async () => {
    for (const path of ['/Workflows/plain/RUNS', '/workflows/plain/runs/', '/workflows/%70lain/runs?x=1']) {
      const { status, body } = await service.post(path, { sync: true });
      expect([path, status, body.workflowId, body.status]).toEqual([path, 202, 'plain', 'completed']);
    }
  });
});

describe('what runs before the routes', () => {
  it('sees every request: a middleware, and the hooks of the adapter', async () => {
    const seen: string[] = [];
    const { config } = readConfig({ FLOWGATE_STORE: 'memory', LOG_LEVEL: 'silent', PORT: '0' });
    const app = await createService(config);
    app.use((request: { url: string }, _response: unknown, next: () => void) => {
      seen.push(`middleware ${request.url}`);
      next();
    });
    await app.listen(0, '127.0.0.1');
    const own = serviceOf(app);
    try {
      expect((await own.get('/health')).status).toBe(200);
      (app.getHttpAdapter() as ExpressAdapter).setOnRequestHook((request, _response, done) => {
        seen.push(`hook ${request.url}`);
        done();
      });
      expect((await own.get('/workflows')).status).toBe(200);
    } finally {
      await own.close();
    }
    expect(seen).toEqual(['middleware /health', 'hook /workflows', 'middleware /workflows']);
  });
});

describe('a workflow id', () => {
  it.each([
    ['with a space', 'my workflow'],
    ['with a slash', 'team/finance/pay'],
    ['of dots', '..'],
    ['of one dot', '.'],
    ['with a percent sign', '100%25 sure %'],
    ['with a question mark and a hash', 'a?b#c&d=e'],
    ['of another script', '請求書-承認'],
    ['with an emoji', '🔑'],
    ['with a plus', 'a+b'],
    ['that is a member of every object', '__proto__'],
    ['that is another one', 'constructor'],
    ['named like a route', 'from-yaml'],
    ['with a backslash and quotes', '\\"\''],
    ['of 256 characters', 'x'.repeat(256)],
  ])('%s works in every path', async (_name, id) => {
    expect(
      await service.register(
        document(id, [mock('a'), gate('g'), mock('b', 1, { pause: 'after' }), mock('c')]),
      ),
    ).toBe(id);
    const runs = `/workflows/${encodeURIComponent(id).replaceAll('.', '%2E')}/runs`;
    const started = await service.post(runs, { sync: true });
    expect(started.body).toMatchObject({ workflowId: id, status: 'paused' });
    const { runId } = started.body;
    expect((await service.get(`${runs}/${runId}`)).body).toEqual(started.body);
    const approved = await service.post(`${runs}/${runId}/hitl`, { approved: true });
    expect(approved.body.result.completedUnits).toEqual(['a', 'g', 'b']);
    const resumed = await service.post(`${runs}/${runId}/resume`);
    expect(resumed.body).toMatchObject({ workflowId: id, status: 'completed' });
    expect((await service.get('/workflows')).body.workflows).toContain(id);
  });

  it('that is unknown is shown decoded', async () => {
    const { body } = await service.post('/workflows/a%2Fb%20c/runs');
    expect(body.error).toBe('Unknown workflow: a/b c');
  });
});
