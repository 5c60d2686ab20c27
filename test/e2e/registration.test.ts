import { startService, type Service } from '../support/service.js';
import { document, mock, remote, bound } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const register = (body: unknown) => service.post('/workflows/from-yaml', body);

describe('a workflow that can be loaded', () => {
  it('is 201 with its id and a note that the registry is in memory', async () => {
    const { status, body } = await register({ yaml: document('plain', [mock('a')]) });
    expect(status).toBe(201);
    expect(body).toEqual({ workflowId: 'plain', note: expect.any(String) });
    expect(body.note).toMatch(/memory.*register.*again after the service restarts/i);
  });

  it('comes with warnings about what is odd in it', async () => {
    const yaml = document('odd', [mock('a'), mock('spare')], { flow: { type: 'sequential', order: ['a'] } });
    const { status, body } = await register({ yaml });
    expect(status).toBe(201);
    expect(body.warnings).toEqual([expect.stringContaining('spare')]);
  });

  it('is accepted again, and listed once', async () => {
    const yaml = document('twice', [mock('a')]);
    const first = await register({ yaml });
    const second = await register({ yaml });
    expect([first.status, second.status]).toEqual([201, 201]);
    const { body } = await service.get('/workflows');
    expect(body.workflows.filter((id: string) => id === 'twice')).toHaveLength(1);
  });

  it('replaces the one of the same id for later runs', async () => {
    await register({ yaml: document('changed', [mock('a', 'old')]) });
    await register({ yaml: document('changed', [mock('a', 'new')]) });
    const { result } = await service.start('changed');
    expect(result?.state['output.a']).toBe('new');
  });

  it.each([
    ['null bindings', null],
    ['no bindings', undefined],
    ['empty bindings', {}],
  ])('may have %s', async (_name, bindings) => {
    expect((await register({ yaml: document('bare', [mock('a')]), bindings, extra: 1 })).status).toBe(201);
  });

  it('may be written as YAML with CRLF and comments', async () => {
    const yaml = [
      '# greeting',
      'apiVersion: flowgate/v1',
      'kind: Workflow',
      'metadata: { id: crlf }',
      'spec:',
      '  units:',
      '    - { id: a, uses: builtin.mock }',
      '  flow: { type: sequential, order: [a] }',
    ].join('\r\n');
    expect((await register({ yaml })).body.workflowId).toBe('crlf');
  });

  it('needs an address for what only a binding can resolve', async () => {
    const yaml = document('bound', [remote('extract')]);
    expect((await register({ yaml, bindings: bound('extract', 'http://127.0.0.1:1/') })).status).toBe(201);
  });
});

describe('body.yaml', () => {
  it.each([
    ['missing', {}],
    ['null', { yaml: null }],
    ['empty', { yaml: '' }],
    ['blank', { yaml: ' \n\t' }],
    ['a number', { yaml: 7 }],
    ['an object', { yaml: {} }],
    ['in an array', [{ yaml: 'x' }]],
    ['in no body at all', undefined],
    ['looked for in null', 'null'],
  ])('%s: 400 and a message that it is required', async (_name, body) => {
    const { status, body: answer } = await register(body);
    expect(status).toBe(400);
    expect(answer.error).toBe('body.yaml (string) is required');
    expect(answer).not.toHaveProperty('type');
  });
});

const CODES: Readonly<Record<string, string>> = {
  YamlValidationError: 'yaml-validation',
  YamlLoadError: 'yaml-load',
};

describe('a workflow that cannot be loaded', () => {
  it.each([
    ['is not YAML', 'a: [', 'YamlValidationError'],
    ['breaks the schema', 'apiVersion: flowgate/v1', 'YamlValidationError'],
    [
      'is of another version',
      document('v9', [mock('a')]).replace('flowgate/v1', 'other/v9'),
      'YamlValidationError',
    ],
    ['uses what nothing resolves', document('unbound', [remote('extract')]), 'YamlLoadError'],
    [
      'names a unit that is not there',
      document('x', [mock('a')], { flow: { type: 'sequential', order: ['b'] } }),
      'YamlLoadError',
    ],
    [
      'has an expression that does not compile',
      document('x', [mock('a', 1, { if: '1 +' })]),
      'YamlLoadError',
    ],
  ])('%s: 400 with its type and every fault', async (_name, yaml, type) => {
    const { status, body } = await register({ yaml });
    expect(status).toBe(400);
    expect(body).toEqual({
      error: expect.stringMatching(/./),
      code: CODES[type],
      type,
      details: expect.any(Array),
    });
    expect(Object.keys(body.details[0])).toEqual(['path', 'line', 'column', 'message']);
  });

  it.each([
    ['no object', 'x'],
    ['of another type', { 'acme.extract': { type: 'grpc', endpoint: 'http://127.0.0.1/' } }],
    ['without an endpoint', { 'acme.extract': { type: 'http' } }],
    ['with an address that is none', { 'acme.extract': { type: 'http', endpoint: 'nowhere' } }],
    [
      'with headers that are no strings',
      { 'acme.extract': { type: 'http', endpoint: 'http://127.0.0.1/', headers: { a: 1 } } },
    ],
    [
      'with a field that does not exist',
      { 'acme.extract': { type: 'http', endpoint: 'http://127.0.0.1/', colour: 'red' } },
    ],
  ])('bindings %s: a YamlLoadError', async (_name, bindings) => {
    const { status, body } = await register({ yaml: document('bad', [remote('extract')]), bindings });
    expect([status, body.type]).toEqual([400, 'YamlLoadError']);
  });

  it('leaves the one that is registered under its id as it is', async () => {
    await register({ yaml: document('kept', [mock('a', 'good')]) });
    await register({ yaml: document('kept', [remote('a')]) });
    expect((await service.start('kept')).result?.state['output.a']).toBe('good');
  });
});

describe('FLOWGATE_API_GROUP=UniFlow', () => {
  it.each(['uniflow/v1', 'UniFlow/v1', 'UNIFLOW/v1'])('takes a document of %s', async (version) => {
    const grouped = await startService({ FLOWGATE_API_GROUP: 'UniFlow' });
    try {
      const yaml = document('grouped', [mock('a')]).replace('flowgate/v1', version);
      expect(await grouped.register(yaml)).toBe('grouped');
      expect((await grouped.start('grouped')).status).toBe('completed');
    } finally {
      await grouped.close();
    }
  });

  it('is what a refusal of another group says to set', async () => {
    const yaml = document('grouped', [mock('a')]).replace('flowgate/v1', 'uniflow/v1');
    const { status, body } = await register({ yaml });
    expect([status, body.error]).toEqual([400, expect.stringContaining('FLOWGATE_API_GROUP')]);
  });
});
