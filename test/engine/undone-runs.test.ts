import type { UnitHandler } from '../../src/engine/index.js';
import { openEngine, workflowYaml, type TestEngine } from '../support/engine.js';

const once = { retry: { maxAttempts: 1 } };

/** What was called, in order; `undo` with the key of what it undoes. */
let calls: string[];
let isBroken: boolean;
let there: TestEngine;

const UNITS: Readonly<Record<string, UnitHandler>> = {
  book: ({ input }) => {
    const { name } = input as { readonly name: string };
    calls.push(name);
    return { name };
  },
  undo: ({ input }) => {
    const { output } = input as { readonly output: { readonly name: string } };
    calls.push(`undo ${output.name}`);
    return 'undone';
  },
  pay: () => {
    calls.push('pay');
    if (isBroken) throw new Error('no money');
    return 'paid';
  },
};

const book = (id: string) => ({ id, uses: 'book', with: { name: id }, compensate: 'undo' });
const units = [
  { id: 'plan', uses: 'builtin.mock' },
  book('car'),
  book('hotel'),
  { id: 'pay', uses: 'pay', policyOverrides: once },
  { id: 'undo', uses: 'undo' },
];
const flow = { type: 'sequential', order: ['plan', 'car', 'hotel', 'pay'] };

beforeEach(async () => {
  calls = [];
  isBroken = true;
  there = await openEngine(UNITS);
});
afterEach(() => there.engine.close());

async function started(spec: object, workflowId = 'trip') {
  await there.engine.workflows.register({ yaml: workflowYaml(workflowId, spec) });
  return there.engine.runs.start({ workflowId, sync: true });
}

const address = (runId: string, workflowId = 'trip') => ({ workflowId, runId, sync: true as const });

async function snapshotAfter(runId: string, unitId: string): Promise<string> {
  const all = await there.engine.runs.snapshots(address(runId));
  return all.find((one) => one.unitId === unitId)!.snapshotId;
}

describe('a run that failed and undid what it had done', () => {
  const saga = { units, flow };

  it('is not resumed where it failed: the error names the last checkpoint that is before it', async () => {
    const { runId, status } = await started(saga);
    expect([status, calls]).toEqual(['failed', ['car', 'hotel', 'pay', 'undo hotel', 'undo car']]);
    const before = await snapshotAfter(runId, 'plan');
    await expect(there.engine.runs.resume(address(runId))).rejects.toMatchObject({
      code: 'unwound',
      message: expect.stringContaining(before),
      details: [{ snapshotId: before }],
    });
  });

  it('does not go back to after what was undone, and goes back to before it', async () => {
    const { runId } = await started(saga);
    const before = await snapshotAfter(runId, 'plan');
    for (const unitId of ['car', 'hotel', 'undo']) {
      const snapshotId = await snapshotAfter(runId, unitId);
      await expect(there.engine.runs.resume({ ...address(runId), snapshotId })).rejects.toMatchObject({
        code: 'unwound',
        details: [{ snapshotId: before }],
      });
    }
    isBroken = false;
    calls = [];
    const again = await there.engine.runs.resume({ ...address(runId), snapshotId: before });
    expect([again.status, calls]).toEqual(['completed', ['car', 'hotel', 'pay']]);
    const after = await there.engine.runs.snapshots(address(runId));
    const newest = after.findLast((one) => one.unitId === 'hotel')!;
    isBroken = true;
    calls = [];
    const failed = await there.engine.runs.resume({ ...address(runId), snapshotId: newest.snapshotId });
    expect([failed.status, calls]).toEqual(['failed', ['pay', 'undo hotel', 'undo car']]);
  });

  it('goes back to its latest checkpoint where the error names that one', async () => {
    const tried = {
      units: [
        units[0],
        { id: 'pay', uses: 'pay', policyOverrides: once },
        { id: 'close', uses: 'builtin.mock', if: 'false' },
      ],
      flow: { type: 'try', do: { type: 'sequential', order: ['plan', 'pay'] }, finally: 'close' },
    };
    const { runId, status } = await started(tried);
    const snapshotId = await snapshotAfter(runId, 'plan');
    await expect(there.engine.runs.resume(address(runId))).rejects.toMatchObject({
      code: 'unwound',
      details: [{ snapshotId }],
    });
    isBroken = false;
    const again = await there.engine.runs.resume({ ...address(runId), snapshotId });
    expect([status, again.status, calls]).toEqual(['failed', 'completed', ['pay', 'pay']]);
  });

  it('is not forked to after it, and the fork from before owes nothing of it', async () => {
    const { runId } = await started(saga);
    const from = { snapshotId: await snapshotAfter(runId, 'car') };
    const before = await snapshotAfter(runId, 'plan');
    await expect(there.engine.runs.fork({ ...address(runId), from })).rejects.toMatchObject({
      code: 'unwound',
      details: [{ snapshotId: before }],
    });
    await expect(
      there.engine.runs.fork({ ...address(runId), from: { unitId: 'pay' } }),
    ).rejects.toMatchObject({ code: 'unwound' });
    calls = [];
    const fork = await there.engine.runs.fork({ ...address(runId), from: { snapshotId: before } });
    expect([fork.status, calls]).toEqual(['failed', ['car', 'hotel', 'pay', 'undo hotel', 'undo car']]);
  });

  it('is resumed where it only undoes at a cancel, which then undoes what the run left behind as well', async () => {
    const { runId } = await started({ ...saga, compensateOn: ['cancel'] });
    expect(calls).toEqual(['car', 'hotel', 'pay']);
    await there.engine.runs.resume({ ...address(runId), snapshotId: await snapshotAfter(runId, 'car') });
    await there.engine.runs.resume(address(runId));
    expect(calls).toEqual(['car', 'hotel', 'pay', 'hotel', 'pay', 'pay']);
    calls = [];
    const cancelled = await there.engine.runs.cancel(address(runId));
    expect([cancelled.status, calls]).toEqual(['failed', ['undo hotel', 'undo hotel', 'undo car']]);
    await there.engine.runs.cancel(address(runId));
    expect(calls).toHaveLength(3);
  });

  it('owes nothing to its source as a fork: what the fork did not do stays done', async () => {
    isBroken = false;
    const { runId } = await started(saga);
    isBroken = true;
    calls = [];
    const fork = await there.engine.runs.fork({
      ...address(runId),
      from: { snapshotId: await snapshotAfter(runId, 'car') },
    });
    expect([fork.status, calls]).toEqual(['failed', ['hotel', 'pay', 'undo hotel']]);
  });
});

describe('a cancel while something is being undone', () => {
  it('lets the call come to its end, undoes what is left, and nothing twice', async () => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const keys: string[] = [];
    let isAborted = false;
    await there.engine.close();
    there = await openEngine({
      ...UNITS,
      undo: async (_request, { idempotencyKey, signal }) => {
        keys.push(idempotencyKey);
        begun.resolve();
        await end.promise;
        isAborted ||= signal.aborted;
        return 'undone';
      },
    });
    await there.engine.workflows.register({ yaml: workflowYaml('trip', { units, flow }) });
    const { runId } = await there.engine.runs.start({ workflowId: 'trip' });
    await begun.promise;
    const cancelled = there.engine.runs.cancel({ workflowId: 'trip', runId });
    await new Promise((resolve) => setImmediate(resolve));
    end.resolve();
    expect((await cancelled).error).toContain('Cancelled by');
    expect([isAborted, keys.length, new Set(keys).size]).toEqual([false, 2, 2]);
  });
});

describe('a child run that failed and undid what it had done', () => {
  it('does so before its parent hears, and a resume of the parent begins another one', async () => {
    await there.engine.workflows.register({ yaml: workflowYaml('child', { units, flow }) });
    const parent = await started({
      units: [
        { id: 'trip', uses: 'builtin.workflow', config: { workflowId: 'child' } },
        { id: 'tell', uses: 'book', with: { name: 'tell' } },
      ],
      flow: { type: 'sequential', order: [{ type: 'try', do: 'trip', catch: 'tell', rethrow: false }] },
    });
    expect([parent.status, calls]).toEqual([
      'completed',
      ['car', 'hotel', 'pay', 'undo hotel', 'undo car', 'tell'],
    ]);
    calls = [];
    const failing = await started(
      { units: [{ id: 'trip', uses: 'builtin.workflow', config: { workflowId: 'child' } }], flow: 'trip' },
      'parent',
    );
    expect(failing.status).toBe('failed');
    isBroken = false;
    calls = [];
    const resumed = await there.engine.runs.resume(address(failing.runId, 'parent'));
    expect([resumed.status, calls]).toEqual(['completed', ['car', 'hotel', 'pay']]);
    const children = await there.engine.runs.list({ workflowId: 'child' });
    expect(children.items.filter(({ status }) => status === 'completed')).toHaveLength(1);
    expect(children.items).toHaveLength(3);
  });
});
