import { startHost } from '../support/host.js';
import { serviceOf, startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService({ FLOWGATE_MAX_BODY_BYTES: '2000000' });
});
afterAll(() => service.close());

const validate = (body: unknown, headers?: Readonly<Record<string, string>>) =>
  service.post('/workflows/validate', body, headers);

describe('POST /workflows/validate', () => {
  it('says that a workflow would be registered, and registers nothing', async () => {
    const { status, body } = await validate({ yaml: document('w', [mock('a')]) });
    expect([status, body]).toEqual([
      200,
      { ok: true, workflowId: 'w', details: [], warnings: [], warningDetails: [] },
    ]);
    expect((await service.get('/workflows')).body.workflows).toEqual([]);
    expect((await service.get('/workflows/w')).status).toBe(404);
  });

  it('accepts the document as the body itself', async () => {
    const { body } = await validate(document('w', [mock('a')]), { 'content-type': 'application/yaml' });
    expect(body).toMatchObject({ ok: true, workflowId: 'w' });
  });

  it.each([
    ['no YAML', 'a: ['],
    ['what breaks the schema', '{ kind: Workflow }'],
    ['a name that nothing resolves', document('w', [{ id: 'a', uses: 'nobody.knows' }])],
  ])('names every fault of %s as a registration does', async (_what, yaml) => {
    const { status, body } = await validate({ yaml });
    const refused = await service.post('/workflows/from-yaml', { yaml });
    expect([status, refused.status]).toEqual([200, 400]);
    expect(body).toEqual({ ok: false, details: refused.body.details, warnings: [], warningDetails: [] });
    expect(body.details[0]).toEqual({
      path: expect.any(String),
      line: expect.any(Number),
      column: expect.any(Number),
      message: expect.any(String),
    });
  });

  it('checks the bindings too, and repeats none of their values', async () => {
    const yaml = document('w', [{ id: 'a', uses: 'acme.x' }]);
    const endpoint = 'ftp://ann:hunter2@units.test/';
    const { status, body } = await validate({ yaml, bindings: { 'acme.x': { type: 'http', endpoint } } });
    expect([status, body.ok, body.details]).toMatchObject([
      200,
      false,
      [{ path: 'bindings["acme.x"].endpoint', line: null, column: null }],
    ]);
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });

  it('says what is odd about a workflow that would be registered', async () => {
    const yaml = document('w', [mock('a')]);
    const bindings = { 'not.used': { type: 'http', endpoint: 'https://units.test/' } };
    const { body } = await validate({ yaml, bindings });
    const registered = await service.post('/workflows/from-yaml', { yaml, bindings });
    const { warnings = [], warningDetails = [] } = registered.body;
    expect(body).toMatchObject({ ok: true, warnings, warningDetails });
  });

  it.each([
    [{}, 'body.yaml (string) is required'],
    [{ yaml: ' ' }, 'body.yaml (string) is required'],
    [{ yaml: 3 }, 'body.yaml (string) is required'],
    [[], 'body.yaml (string) is required'],
  ])('a body of the wrong shape, %j, is 400 as there', async (body, error) => {
    const { status, body: answer } = await validate(body);
    expect([status, answer.error]).toEqual([400, error]);
  });

  it('has the same bound on its body', async () => {
    expect((await validate({ yaml: 'x'.repeat(2_000_001) })).status).toBe(413);
  });

  it('may be requested by a unit: nothing changes', async () => {
    const answer = await validate({ yaml: document('w', [mock('a')]) }, { 'x-flowgate-run-id': 'r' });
    expect(answer.status).toBe(200);
  });

  it('exists where a host lets workflows be registered, and nowhere else', async () => {
    const app = await startHost({ adapter: 'express', flowgate: { http: { registration: false } } });
    const answer = await serviceOf(app, '/flowgate').post('/workflows/validate', { yaml: 'x' });
    await app.close();
    expect(answer.status).toBe(404);
  });
});
