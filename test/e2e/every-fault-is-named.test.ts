import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

const FIELDS = Array.from({ length: 25 }, (_, i) => `f${String(i).padStart(2, '0')}`);

let service: Service;
beforeAll(async () => {
  service = await startService();
  const ofNumbers = (fields: readonly string[]) => ({
    input: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field, { type: 'number' }])),
    },
  });
  await service.register(document('three', [mock('a')], ofNumbers(FIELDS.slice(0, 3))));
  await service.register(document('many', [mock('a')], ofNumbers(FIELDS)));
  await service.register(document('gated', [gate('agree')]));
});
afterAll(() => service.close());

const start = (id: string, fields: readonly string[]) =>
  service.post(`/workflows/${id}/runs`, { input: Object.fromEntries(fields.map((field) => [field, 'x'])) });

describe('an input with several faults', () => {
  it('names each of them on a line of error', async () => {
    const { status, body } = await start('three', FIELDS.slice(0, 3));
    expect(status).toBe(400);
    expect(body.error.split('\n')).toEqual([
      'The input does not fit the workflow:',
      expect.stringContaining('f00'),
      expect.stringContaining('f01'),
      expect.stringContaining('f02'),
    ]);
    expect(body.details).toHaveLength(3);
  });

  it('with one fault says it in one line', async () => {
    const { body } = await start('three', FIELDS.slice(0, 1));
    expect(body.error).toBe(`The input does not fit the workflow: ${body.details[0].message}`);
  });

  it('names 20 of more than 20, and where the others are', async () => {
    const { body } = await start('many', FIELDS);
    const lines = body.error.split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([1 + 20 + 1, 'and 5 more in details']);
    expect(body.details).toHaveLength(25);
  });
});

describe('a body with several faults', () => {
  it('names each of them on a line of error', async () => {
    const { body } = await service.post('/workflows/three/runs', { input: 1, sync: 1, Sync: true });
    expect(body.error.split('\n')).toEqual([
      'input must be an object',
      'sync must be true or false',
      'Sync is no field of this body: did you mean sync?',
    ]);
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['input', 'sync', 'Sync']);
  });

  it('at a gate too', async () => {
    const { runId } = await service.start('gated');
    const { body } = await service.post(`/workflows/gated/runs/${runId}/hitl`, {
      approved: 'x',
      gateId: 'y',
    });
    expect(body.error.split('\n')).toEqual([
      'approved (boolean) is required: send true or false',
      expect.stringMatching(/^gateId must be/),
    ]);
  });
});

describe('a document with several faults', () => {
  it('names each of them on a line of error', async () => {
    const { status, body } = await service.post('/workflows/from-yaml', { yaml: 'apiVersion: flowgate/v1' });
    expect([status, body.type]).toEqual([400, 'YamlValidationError']);
    expect(body.details.length).toBeGreaterThan(1);
    const [, ...lines] = body.error.split('\n');
    expect(lines).toEqual(
      body.details.map(({ message }: { message: string }) => expect.stringContaining(message)),
    );
  });
});
