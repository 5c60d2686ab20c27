import { startService, type Service } from '../support/service.js';
import { document, mock, remote } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const register = (body: unknown) => service.post('/workflows/from-yaml', body);

describe('body.yaml', () => {
  it.each([
    ['in an array', [{ yaml: 'x' }]],
    ['looked for in null', 'null'],
  ])('%s: 400 and a message that it is required', async (_name, body) => {
    const { status, body: answer } = await register(body);
    expect(status).toBe(400);
    expect(answer.error).toBe('body.yaml (string) is required');
    expect(answer).not.toHaveProperty('type');
  });
});

describe('a workflow that cannot be loaded', () => {
  it.each([
    ['breaks the schema', 'apiVersion: flowgate/v1', 'yaml-validation', 'YamlValidationError'],
    ['uses what nothing resolves', document('unbound', [remote('extract')]), 'yaml-load', 'YamlLoadError'],
  ])('%s: 400 with its type and every fault', async (_name, yaml, code, type) => {
    const { status, body } = await register({ yaml });
    expect(status).toBe(400);
    expect(body).toEqual({
      error: expect.stringMatching(/./),
      code,
      type,
      details: expect.any(Array),
    });
    expect(Object.keys(body.details[0])).toEqual(['path', 'line', 'column', 'message']);
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
