import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a')]));
  await service.register(document('other', [mock('a')]));
  await service.register(document('two-gates', [gate('first'), gate('second')]));
  await service.register(
    document('two-pauses', [mock('a', 1, { pause: 'after' }), mock('b', 1, { pause: 'after' }), mock('c')]),
  );
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

  it('makes one run of requests at the same instant', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => start('same instant')));
    expect(new Set(answers.map(({ body }) => body.runId)).size).toBe(1);
    expect(answers.every(({ status, body }) => status === 202 && body.status === 'completed')).toBe(true);
  });

  it('returns running to every asynchronous request', async () => {
    const answers = [await start('async', {}), await start('async', {})];
    expect(answers.map(({ body }) => body.status)).toEqual(['running', 'running']);
    expect(answers[0]!.body.runId).toBe(answers[1]!.body.runId);
  });

  it('with another request is 409', async () => {
    await start('reused', { input: { a: 1 }, sync: true });
    const { status, body } = await start('reused', { input: { a: 2 }, sync: true });
    expect([status, body]).toEqual([
      409,
      {
        error: expect.stringContaining('reused'),
        code: 'idempotency-conflict',
        type: 'IdempotencyConflictError',
      },
    ]);
  });

  it('is the workflow’s own', async () => {
    const [one, other] = [await start('shared'), await start('shared', { sync: true }, 'other')];
    expect(one.body.runId).not.toBe(other.body.runId);
  });

  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(257)],
    ['not ASCII', 'cl\u00e9'],
  ])('that is %s: 400', async (_name, key) => {
    const { status, body } = await start(key);
    expect([status, body.error]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
  });

  it('of 256 characters is fine', async () => {
    expect((await start('k'.repeat(256))).status).toBe(202);
  });
});

describe('an Idempotency-Key on an approval', () => {
  it('decides at one gate, and never at the next', async () => {
    const { runId } = await service.start('two-gates');
    const respond = (key: string, approved = true) =>
      service.post(`/workflows/two-gates/runs/${runId}/hitl`, { approved }, { 'Idempotency-Key': key });
    const first = await respond('a');
    expect(first.body.result.completedUnits).toEqual(['first']);
    expect((await respond('a')).body.result.completedUnits).toEqual(['first']);
    expect((await respond('a', false)).status).toBe(409);
    expect((await respond('b')).body.status).toBe('completed');
  });
});

describe('an Idempotency-Key on a resume', () => {
  it('lifts one pause, and never the next', async () => {
    const { runId } = await service.start('two-pauses');
    const resume = (key: string) =>
      service.post(`/workflows/two-pauses/runs/${runId}/resume`, {}, { 'Idempotency-Key': key });
    expect((await resume('a')).body.result.completedUnits).toEqual(['a', 'b']);
    expect((await resume('a')).body.result.completedUnits).toEqual(['a', 'b']);
    expect((await resume('b')).body.status).toBe('completed');
  });
});
