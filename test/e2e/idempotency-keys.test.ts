import { startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a')]));
  await service.register(document('other', [mock('a')]));
});
afterAll(() => service.close());

const start = (key: string, body: unknown = { sync: true }, id = 'plain') =>
  service.post(`/workflows/${id}/runs`, body, { 'Idempotency-Key': key });

describe('an Idempotency-Key on a start', () => {
  it('makes one run, however often the request arrives', async () => {
    const first = await start('one');
    const again = await Promise.all([start('one'), start('one')]);
    expect(again.map(({ status, body }) => [status, body])).toEqual([
      [202, first.body],
      [202, first.body],
    ]);
  });

  it('returns running to every asynchronous request', async () => {
    const answers = [await start('async', {}), await start('async', {})];
    expect(answers.map(({ body }) => body.status)).toEqual(['running', 'running']);
    expect(answers[0]!.body.runId).toBe(answers[1]!.body.runId);
  });

  it('is the workflow’s own', async () => {
    const [one, other] = [await start('shared'), await start('shared', { sync: true }, 'other')];
    expect(one.body.runId).not.toBe(other.body.runId);
  });

  it.each([
    ['empty', ''],
    ['not ASCII', 'cl\u00e9'],
  ])('that is %s: 400', async (_name, key) => {
    const { status, body } = await start(key);
    expect([status, body.error]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
  });
});
