import { jest } from '@jest/globals';
import type { RunRecord } from '../../src/engine/index.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

// Where the machine stands still between two of them, they are of two instants.
jest.retryTimes(3);

let service: Service;

beforeAll(async () => {
  service = await startService();
  await service.register(
    document('two-gates', [gate('first'), mock('between'), gate('second'), mock('last')]),
  );
  const pausing = (id: string) => mock(id, 1, { pause: 'after' });
  await service.register(document('two-pauses', [pausing('first'), pausing('second'), mock('last')]));
  await service.register(document('plain', [mock('a')]));
});
afterAll(() => service.close());

const four = <T>(send: (index: number) => Promise<T>): Promise<T[]> => Promise.all([0, 1, 2, 3].map(send));

const steps = ({ result }: RunRecord): string[] =>
  (result?.messages ?? []).flatMap((message) =>
    message.type === 'unit-output' ? [message.sourceUnitId] : [],
  );

describe('four approvals at the same instant', () => {
  it('pass the first gate once and leave the second one open', async () => {
    const { runId, workflowId } = await service.start('two-gates');
    const path = `/workflows/${workflowId}/runs/${runId}/hitl`;
    const answers = await four((i) => service.post(path, { approved: true, responder: `person ${i}` }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const run = await service.run({ workflowId, runId });
    expect(run).toMatchObject({ status: 'paused', result: { completedUnits: ['first', 'between'] } });
    const decisions = run.result!.messages.filter(({ type }) => type === 'hitl-response');
    expect(decisions).toHaveLength(1);
    expect(steps(run).filter((unit) => unit === 'between')).toHaveLength(1);
  });

  it('of both kinds: the first decides', async () => {
    const { runId, workflowId } = await service.start('two-gates');
    const path = `/workflows/${workflowId}/runs/${runId}/hitl`;
    const answers = await four((i) => service.post(path, { approved: i % 2 === 0 }));
    const run = await service.run({ workflowId, runId });
    expect(['paused', 'failed']).toContain(run.status);
    for (const { status } of answers) expect([200, 500]).toContain(status);
    expect(run.result?.completedUnits ?? []).not.toContain('second');
  });
});

describe('four resumes at the same instant', () => {
  it('lift the first pause once and leave the second one', async () => {
    const { runId, workflowId } = await service.start('two-pauses');
    const path = `/workflows/${workflowId}/runs/${runId}/resume`;
    const answers = await four(() => service.post(path, {}));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const run = await service.run({ workflowId, runId });
    expect(run).toMatchObject({ status: 'paused', result: { completedUnits: ['first', 'second'] } });
    expect(steps(run)).toEqual(['first', 'second']);
  });
});

it('a hundred starts at the same instant make a hundred runs', async () => {
  const runs = await Promise.all(
    Array.from({ length: 100 }, (_, i) => service.start('plain', { input: { i }, sync: true })),
  );
  expect(new Set(runs.map(({ runId }) => runId)).size).toBe(100);
  expect(runs.every(({ result }, i) => result?.state['i'] === i)).toBe(true);
});
