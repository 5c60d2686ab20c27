import { childRunId } from '../../src/engine/core/ids/child-run-id.js';
import { InMemoryRunStore, replayRun, type Engine, type RunRecord } from '../../src/engine/index.js';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { until } from '../support/eventually.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';
import { exportOf } from '../support/exports.js';

const child = (id: string, workflowId: string, more: object = {}) => ({
  id,
  uses: 'builtin.workflow',
  config: { workflowId },
  ...more,
});
const gate = { id: 'gate', uses: 'builtin.approval' };

async function engineWith(
  workflows: Readonly<Record<string, string>>,
  units: Parameters<typeof openEngine>[0] = {},
): Promise<Engine> {
  const { engine } = await openEngine(units);
  for (const yaml of Object.values(workflows)) await engine.workflows.register({ yaml });
  return engine;
}

/** The ids of the children that the messages of a run name. */
function childrenOf({ result }: RunRecord): readonly string[] {
  return (result?.messages ?? []).flatMap((message) =>
    message.type === 'child-started' ? [message.childRunId] : [],
  );
}

describe('a run that starts a run of another workflow', () => {
  let engine: Engine;

  afterEach(() => engine.close());

  it('waits for it, also where it was started synchronously, and reads its final state', async () => {
    engine = await engineWith(
      {
        inner: inSequence('inner', [{ id: 'double', uses: 'double', with: { n: '${{ input.n }}' } }]),
        outer: inSequence('outer', [
          child('sub', 'inner', { with: { n: 21 } }),
          {
            id: 'read',
            uses: 'builtin.set',
            with: { values: { answer: "${{ state['output.sub']['output.double'] }}" } },
          },
        ]),
      },
      { double: ({ input }: { input: { n: number } }) => input.n * 2 } as never,
    );
    const record = await engine.runs.start({ workflowId: 'outer', sync: true });
    expect(record).toMatchObject({ status: 'completed', result: { state: { answer: 42 } } });
    const [runId] = childrenOf(record);
    const inner = await engine.runs.get({ workflowId: 'inner', runId: runId! });
    expect(inner).toMatchObject({ status: 'completed', result: { state: { n: 21, 'output.double': 42 } } });
  });

  it('fails with it, and continues it when it is resumed', async () => {
    let isMended = false;
    const work = () => {
      if (!isMended) throw Object.assign(new Error('broken'), { retryable: false });
      return { content: 'done', tokenUsage: { totalTokens: 3 } };
    };
    engine = await engineWith(
      {
        inner: inSequence('inner', [
          { id: 'first', uses: 'first' },
          { id: 'work', uses: 'work' },
        ]),
        outer: inSequence('outer', [child('sub', 'inner')]),
      },
      { work, first: () => ({ content: 'first', tokenUsage: { totalTokens: 5 } }) },
    );
    const failed = await engine.runs.start({ workflowId: 'outer', sync: true });
    expect(failed.error).toMatch(
      /^Unit sub failed: the run [0-9a-f-]{36} of inner failed: Unit work failed after/,
    );
    isMended = true;
    const record = await engine.runs.resume({ workflowId: 'outer', runId: failed.runId });
    expect(record).toMatchObject({ status: 'completed', result: { tokenUsage: 8 } });
    expect(new Set(childrenOf(record)).size).toBe(1);
  });

  it('fails with a sentence where the workflow is not registered, or refuses the input', async () => {
    const strict = { input: { type: 'object', required: ['n'] } };
    engine = await engineWith({
      strict: inSequence('strict', [gate], strict),
      outer: inSequence('outer', [child('sub', 'nobody')]),
      refused: inSequence('refused', [child('sub', 'strict', { with: { m: 1 } })]),
    });
    const unknown = await engine.runs.start({ workflowId: 'outer', sync: true });
    expect(unknown.error).toBe(
      'Unit sub failed: there is no workflow nobody: register it, then resume the run',
    );
    const refused = await engine.runs.start({ workflowId: 'refused', sync: true });
    expect(refused.error).toContain('Unit sub failed: ');
    expect(refused.error).toContain('n');
    await engine.workflows.register({ yaml: inSequence('nobody', [{ id: 'a', uses: 'builtin.mock' }]) });
    const resumed = await engine.runs.resume({ workflowId: 'outer', runId: unknown.runId });
    expect(resumed.status).toBe('completed');
  });

  it('is paused while a child waits for a person, and continues with it', async () => {
    engine = await engineWith({
      inner: inSequence('inner', [gate]),
      outer: inSequence('outer', [child('sub', 'inner')]),
    });
    const paused = await engine.runs.start({ workflowId: 'outer', sync: true });
    expect(paused.status).toBe('paused');
    const [runId] = childrenOf(paused);
    await engine.gates.respond({ workflowId: 'inner', runId: runId!, approved: true, responder: 'ann' });
    const done = await engine.runs.get({ workflowId: 'outer', runId: paused.runId });
    expect(done).toMatchObject({
      status: 'completed',
      result: { state: { 'output.sub': { 'hitl.approved': true } } },
    });
  });

  it('needs no log of a child whose pause it knows when another one is cancelled', async () => {
    const broken = Promise.withResolvers<never>();
    const store = new InMemoryRunStore();
    const logger = new RecordingLogger();
    const opened = await openEngine(
      { breaks: () => broken.promise, works: () => new Promise(() => undefined) },
      { store, logger },
    );
    ({ engine } = opened);
    await engine.workflows.register({ yaml: inSequence('asks', [gate]) });
    await engine.workflows.register({ yaml: inSequence('works', [{ id: 'works', uses: 'works' }]) });
    const units = [child('asking', 'asks'), child('working', 'works'), { id: 'breaks', uses: 'breaks' }];
    const branch = { type: 'parallel', units: ['working', 'breaks'] };
    const flow = { type: 'parallel', failureStrategy: 'collect-errors', units: ['asking', branch] };
    await engine.workflows.register({ yaml: workflowYaml('outer', { units, flow }) });
    await engine.runs.start({ workflowId: 'outer' });
    await opened.clock.advance(10_000);
    const only = async (workflowId: string) => (await engine.runs.list({ workflowId })).items[0]!;
    const { runId: asking } = await only('asks');
    const { load } = store;
    store.load = (request) =>
      request.runId === asking ? Promise.reject(new Error('ill')) : load.call(store, request);
    broken.reject(Object.assign(new Error('no'), { retryable: false }));
    await opened.clock.advance(10_000);
    expect((await only('works')).status).toBe('failed');
    expect(logger.at('error')).toEqual([]);
  });

  it('is followed step by step as its units begin, wait and end', async () => {
    engine = await engineWith({
      inner: inSequence('inner', [gate]),
      outer: inSequence('outer', [child('sub', 'inner')]),
    });
    const { runId } = await engine.runs.start({ workflowId: 'outer', sync: true });
    const outer = { workflowId: 'outer', runId };
    await engine.gates.respond({ ...outer, approved: false, responder: 'ann' });
    const steps: object[] = [];
    for await (const step of engine.runs.follow({ ...outer, afterSeq: 0 })) steps.push(step);
    expect(steps).toMatchObject([
      { type: 'unit-started', unitId: 'sub', executionId: 2 },
      { type: 'paused', unitId: 'sub', reason: 'child' },
      {
        type: 'unit-failed',
        unitId: 'sub',
        executionId: 2,
        error: expect.stringContaining('Rejected by ann'),
      },
    ]);
  });

  it('adopts no foreign run as its child, and begins another one under the next free id', async () => {
    const parentId = '019a3f5e-1c2d-7abc-8def-0123456789fe';
    const taken = [2, 4, 6].map((seq) => childRunId(parentId, seq));
    const ids = [...taken, parentId];
    const opened = await openEngine({}, { ids: { runId: () => ids.shift()! } });
    engine = opened.engine;
    await engine.workflows.register({ yaml: inSequence('inner', [{ id: 'a', uses: 'builtin.mock' }]) });
    await engine.workflows.register({ yaml: inSequence('outer', [child('sub', 'inner')]) });
    for (const runId of taken) {
      expect(await engine.runs.start({ workflowId: 'inner', sync: true })).toMatchObject({ runId });
    }
    const { runId, status } = await engine.runs.start({ workflowId: 'outer', sync: true });
    expect(status).toBe('completed');
    const record = await engine.runs.get({ workflowId: 'inner', runId: childRunId(runId, 8) });
    expect(record.status).toBe('completed');
    for (const other of taken) {
      await expect(engine.runs.get({ workflowId: 'inner', runId: other })).resolves.toMatchObject({
        status: 'completed',
      });
    }
    const ndjson = Buffer.from(await exportOf(engine, { workflowId: 'outer', runId }));
    await expect(replayRun({ ndjson })).resolves.toMatchObject({ different: 0 });
  });

  it('may start runs of its own workflow, as deep as sixteen', async () => {
    const again = child('again', 'deep', { if: 'input.left > 0', with: { left: '${{ input.left - 1 }}' } });
    engine = await engineWith({ deep: inSequence('deep', [again]) });
    const sixteen = await engine.runs.start({ workflowId: 'deep', input: { left: 16 }, sync: true });
    expect(sixteen.status).toBe('completed');
    const more = await engine.runs.start({ workflowId: 'deep', input: { left: 17 }, sync: true });
    expect(more.error).toContain('16 runs deep');
  });

  it('cancels its other children when one of them fails it, and begins others when it is resumed', async () => {
    const flow = { type: 'parallel', units: ['slow', 'bad'] };
    engine = await engineWith({
      waits: inSequence('waits', [{ id: 'wait', uses: 'builtin.wait', config: { duration: 'P1D' } }]),
      breaks: inSequence('breaks', [gate, { id: 'no', uses: 'builtin.fail', config: { message: 'no' } }]),
      outer: workflowYaml('outer', { units: [child('slow', 'waits'), child('bad', 'breaks')], flow }),
    });
    const { runId } = await engine.runs.start({ workflowId: 'outer' });
    const open = () => engine.gates.open({ workflowId: 'outer', runId });
    await until(async () => (await open()).length === 1, 'the gate of the child is open');
    const [asked] = await open();
    expect(asked).toMatchObject({ unitId: 'gate', workflowId: 'breaks' });
    await engine.gates.respond({ workflowId: 'outer', runId, approved: true, responder: 'ann' });
    const { messages } = await engine.runs.messages({ workflowId: 'outer', runId });
    const slow = messages.find((message) => message.type === 'child-started' && message.unitId === 'slow');
    const address = { workflowId: 'waits', runId: (slow as { childRunId: string }).childRunId };
    await until(
      async () => (await engine.runs.get(address)).status === 'failed',
      'the other child is cancelled',
    );
    expect(await engine.runs.get(address)).toMatchObject({ error: 'Cancelled by engine' });
    await engine.runs.resume({ workflowId: 'outer', runId });
    const page = await engine.runs.messages({ workflowId: 'outer', runId });
    const begun = page.messages.flatMap((message) => (message.type === 'child-started' ? [message] : []));
    const idsOf = (unitId: string) =>
      new Set(begun.filter((one) => one.unitId === unitId).map((one) => one.childRunId));
    expect([idsOf('slow').size, idsOf('bad').size]).toEqual([2, 1]);
  });
});
