import { startService, type Service } from '../support/service.js';
import { bound, document, mock, remote } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const send = (body: unknown, type = 'application/yaml', more: Record<string, string> = {}) =>
  service.post('/workflows/from-yaml', body, { 'content-type': type, ...more });
const yamlOf = (id: string) => document(id, [mock('a', 'Grüße 😀')]);

describe('a document as the body of POST /workflows/from-yaml', () => {
  it.each(['application/yaml', 'application/yaml; charset=utf-8', 'Application/YAML ;charset="UTF-8"'])(
    'is accepted as %s, and answered as one in JSON is',
    async (type) => {
      const { status, body } = await send(yamlOf('direct'), type);
      const inJson = await service.post('/workflows/from-yaml', { yaml: yamlOf('direct') });
      expect([status, body]).toEqual([inJson.status, inJson.body]);
      expect((await service.start('direct')).result?.state['output.a']).toBe('Grüße 😀');
    },
  );

  it('may begin with a byte-order mark, and be JSON itself', async () => {
    expect((await send(`\uFEFF${yamlOf('marked')}`)).body.workflowId).toBe('marked');
    const json = { apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id: 'json' } };
    const spec = { units: [{ id: 'a', uses: 'builtin.mock' }], flow: 'a' };
    expect((await send({ ...json, spec })).body.workflowId).toBe('json');
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t'],
    ['a byte-order mark', '\uFEFF'],
  ])('that is %s: 400 and the message that it is required', async (_name, body) => {
    const answer = await send(body);
    expect([answer.status, answer.body.error]).toEqual([400, 'body.yaml (string) is required']);
  });

  it('that is a request in JSON is no workflow, which is said', async () => {
    const { status, body } = await send({ yaml: yamlOf('wrapped') });
    expect([status, body.type]).toEqual([400, 'YamlValidationError']);
    expect(body.error).toContain('unknown field `yaml`');
  });

  it('has the faults that it has in JSON', async () => {
    const yaml = document('bad', [remote('extract'), mock('b', 1, { if: 'input.x = 1' })]);
    const [direct, inJson] = [await send(yaml), await service.post('/workflows/from-yaml', { yaml })];
    expect([direct.status, direct.body]).toEqual([400, inJson.body]);
    expect(direct.body.type).toBe('YamlLoadError');
  });

  it.each([
    ['bytes that are no UTF-8', Buffer.from([0x61, 0x3a, 0x20, 0xff])],
    ['UTF-16', Buffer.from('\uFEFFa: ü', 'utf16le')],
    ['compressed bytes', Buffer.from('1f8b0800000000000003', 'hex')],
  ])('that is %s: 400 in our form', async (_name, bytes) => {
    const { status, body } = await send(bytes, 'application/yaml', { 'content-encoding': 'gzip' });
    expect([status, body]).toEqual([
      400,
      { error: expect.stringContaining('UTF-8'), code: 'invalid-request' },
    ]);
  });

  it('has the bounds of every body, and of every document', async () => {
    const long = await send(`${yamlOf('long')}# ${'x'.repeat(2 * 1024 * 1024)}\n`);
    expect([long.status, long.body.error]).toEqual([
      400,
      expect.stringContaining('a workflow may have 2097152'),
    ]);
    const small = await startService({ FLOWGATE_MAX_BODY_BYTES: '2000' });
    try {
      const body = `${yamlOf('small')}# ${'x'.repeat(2_000)}`;
      const answer = await small.post('/workflows/from-yaml', body, { 'content-type': 'application/yaml' });
      expect([answer.status, answer.body]).toEqual([
        413,
        { error: expect.stringContaining('2000'), code: 'body-too-large' },
      ]);
    } finally {
      await small.close();
    }
  });
});

describe('a request in JSON', () => {
  it.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/vnd.x+yaml'])(
    'stays one, with its bindings, as %s',
    async (type) => {
      const body = {
        yaml: document('bound', [remote('extract')]),
        bindings: bound('extract', 'http://127.0.0.1:1/'),
      };
      expect((await send(body, type)).body.workflowId).toBe('bound');
    },
  );
});
