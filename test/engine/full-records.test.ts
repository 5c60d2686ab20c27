import { NonRetryableError, type Engine, type FullRunRecord } from '../../src/engine/index.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

const declines = (): never => {
  throw new NonRetryableError('card declined');
};

let engine: Engine;

beforeAll(async () => {
  ({ engine } = await openEngine({ work: () => ({ ok: true }), declines }));
});
afterAll(() => engine.close());

async function fullOf(yaml: string, input = {}): Promise<FullRunRecord> {
  const { workflowId } = await engine.workflows.register({ yaml });
  const { runId } = await engine.runs.start({ workflowId, input, sync: true });
  return engine.runs.full({ workflowId, runId });
}

const HEAD = 'apiVersion: flowgate/v1\nkind: Workflow\nmetadata: { id: w }\nspec:\n';
const UNITS = `${HEAD}  units:
    - { id: a, uses: work }
    - { id: b, uses: declines }
    - { id: c, uses: builtin.fail, config: { message: no luck } }
`;

/** By what it is, the lines after the units, and where it fails (the first of these lines is the ninth). */
const FAILURES: readonly (readonly [string, string, object])[] = [
  [
    'a unit',
    '  flow:\n    type: sequential\n    order: [a, b]\n',
    { unitId: 'b', path: '/spec/flow/order/1', line: 11, column: 16, attempts: 1, code: 'unit' },
  ],
  [
    'a unit in a workflow that catches others',
    '  flow:\n    type: sequential\n    order:\n      - { type: try, do: a, finally: a }\n      - b\n',
    { unitId: 'b', path: '/spec/flow/order/1', line: 13, column: 9, attempts: 1, code: 'unit' },
  ],
  [
    'a unit that is written in no order',
    '  flow: { type: sequential }\n',
    { unitId: 'b', path: '/spec/flow/order/1', line: 7, column: 7, attempts: 1, code: 'unit' },
  ],
  [
    'builtin.fail',
    '  flow:\n    type: sequential\n    order: [a, c]\n',
    { unitId: 'c', path: '/spec/flow/order/1', line: 11, column: 16, attempts: 0, code: 'fail' },
  ],
  [
    'an expression',
    '  flow:\n    type: switch\n    cases:\n      - { if: input.no > 1, do: a }\n',
    { unitId: null, path: '/spec/flow', line: 10, column: 5, attempts: 0, code: 'expression' },
  ],
  [
    'a branch',
    '  flow:\n    type: parallel\n    units:\n      - a\n      - { type: sequential, order: [a, b] }\n',
    { unitId: 'b', path: '/spec/flow/units/1/order/1', line: 13, column: 40, attempts: 1, code: 'unit' },
  ],
  [
    'what a catch rethrows, after a finally',
    '  flow:\n    type: try\n    do: b\n    catch: a\n    rethrow: true\n    finally: a\n',
    { unitId: 'b', path: '/spec/flow/do', line: 11, column: 9, attempts: 1, code: 'unit' },
  ],
  [
    'the output',
    "  output: '${{ outputs.zz }}'\n  flow: a\n".replace('outputs.zz', 'input.zz'),
    { unitId: null, path: '/spec/flow', line: 10, column: 9, attempts: 0, code: 'expression' },
  ],
];

describe('the failure in a full record', () => {
  it.each(FAILURES)('of %s says where it is written, and what it was', async (_what, flow, where) => {
    const { status, error, failure } = await fullOf(UNITS + flow);
    expect(status).toBe('failed');
    expect(failure).toEqual({ ...where, message: error });
  });

  it('of a rejected gate is that of its unit', async () => {
    const { workflowId } = await engine.workflows.register({
      yaml: inSequence('rejected', [{ id: 'ask', uses: 'builtin.approval' }]),
    });
    const { runId } = await engine.runs.start({ workflowId, input: {}, sync: true });
    await engine.gates.respond({ workflowId, runId, approved: false, responder: 'ann' });
    expect((await engine.runs.full({ workflowId, runId })).failure).toMatchObject({
      unitId: 'ask',
      code: 'rejected',
      attempts: 0,
      message: 'Rejected by ann at gate ask',
    });
  });

  it('of a child run is that of the unit that began it', async () => {
    await engine.workflows.register({ yaml: inSequence('below', [{ id: 'b', uses: 'declines' }]) });
    const { failure } = await fullOf(
      inSequence('above', [{ id: 'begin', uses: 'builtin.workflow', config: { workflowId: 'below' } }]),
    );
    expect(failure).toMatchObject({ unitId: 'begin', code: 'child' });
  });

  it('of a route that there is not is that of the router', async () => {
    const { failure } = await fullOf(
      workflowYaml('routed', {
        units: [
          { id: 'a', uses: 'builtin.mock', config: { route: 'nowhere' } },
          { id: 'b', uses: 'builtin.mock' },
        ],
        flow: { type: 'router', routerUnit: 'a', routes: { here: 'b' } },
      }),
    );
    expect(failure).toMatchObject({ code: 'route' });
  });

  it('of a budget that is used up counts no call', async () => {
    const { failure } = await fullOf(
      workflowYaml('poor', {
        policy: { budget: { maxTokens: 0, onExceed: 'fail' } },
        units: [{ id: 'a', uses: 'work' }],
        flow: 'a',
      }),
    );
    expect(failure).toMatchObject({ unitId: 'a', code: 'budget', attempts: 0 });
  });

  it('of a run that overran its time is a time-out', async () => {
    const late = await openEngine();
    try {
      const { runs, workflows } = late.engine;
      const yaml = workflowYaml('late', {
        policy: { timeout: { workflowMs: 1_000 } },
        units: [{ id: 'wait', uses: 'builtin.wait', config: { duration: 'P1D' } }],
        flow: 'wait',
      });
      await workflows.register({ yaml });
      const { runId } = await runs.start({ workflowId: 'late', input: {} });
      await late.clock.advance(2_000);
      const full = await runs.full({ workflowId: 'late', runId });
      expect(full.failure).toMatchObject({ unitId: null, code: 'timeout', attempts: 0, message: full.error });
    } finally {
      await late.engine.close();
    }
  });

  it('is of the run as it was tried last, and gone once it went well', async () => {
    let isBroken = true;
    const flaky = await openEngine({
      flaky: () => {
        if (isBroken) throw new NonRetryableError('not yet');
        return 1;
      },
    });
    try {
      const { runs, workflows } = flaky.engine;
      await workflows.register({
        yaml: inSequence('w', [
          { id: 'first', uses: 'builtin.mock' },
          { id: 'a', uses: 'flaky' },
        ]),
      });
      const { runId } = await runs.start({ workflowId: 'w', input: {}, sync: true });
      const address = { workflowId: 'w', runId };
      const first = await runs.full(address);
      expect(await runs.full(address)).toEqual(first);
      expect(first.failure).toMatchObject({ unitId: 'a', code: 'unit', attempts: 1 });
      await runs.resume(address);
      expect((await runs.full(address)).failure).toMatchObject({ unitId: 'a' });
      isBroken = false;
      await runs.resume(address);
      expect(await runs.full(address)).toMatchObject({ status: 'completed', failure: null });
    } finally {
      await flaky.engine.close();
    }
  });

  it('is none of a run that somebody cancelled', async () => {
    const { workflowId } = await engine.workflows.register({
      yaml: inSequence('asks', [{ id: 'g', uses: 'builtin.approval' }]),
    });
    const { runId } = await engine.runs.start({ workflowId, input: {}, sync: true });
    await engine.runs.cancel({ workflowId, runId });
    expect(await engine.runs.full({ workflowId, runId })).toMatchObject({
      status: 'failed',
      cancelled: true,
      failure: null,
    });
  });
});

describe('a full record', () => {
  it('of a failed run has what the run had come to', async () => {
    const { result } = await fullOf(`${UNITS}  flow:\n    type: sequential\n    order: [a, b]\n`, { n: 1 });
    expect(result).toMatchObject({ completedUnits: ['a'], state: { n: 1, 'output.a': { ok: true } } });
    expect(result.messages.at(-1)).toMatchObject({ type: 'run-failed' });
  });

  it('is the plain one where that has a result, and names its family', async () => {
    const child = inSequence('child', [{ id: 'a', uses: 'work' }]);
    await engine.workflows.register({ yaml: child });
    const parent = workflowYaml('parent', {
      units: [{ id: 'begin', uses: 'builtin.workflow', config: { workflowId: 'child' } }],
      flow: 'begin',
    });
    const full = await fullOf(parent);
    const { runId } = full;
    const plain = await engine.runs.get({ workflowId: 'parent', runId });
    expect(full).toEqual({
      ...plain,
      failure: null,
      waits: [],
      compensation: null,
      parentRunId: null,
      rootRunId: runId,
    });
    const [item] = (await engine.runs.list({ parent: runId })).items;
    expect(item).toMatchObject({ parentRunId: runId, workflowId: 'child' });
    const ofChild = await engine.runs.full({ workflowId: 'child', runId: item!.runId });
    expect(ofChild).toMatchObject({ status: 'completed', parentRunId: runId, rootRunId: runId });
  });

  it('says what the run waits for, and what became of what it did', async () => {
    const { workflowId } = await engine.workflows.register({
      yaml: workflowYaml('saga', {
        units: [
          { id: 'reserve', uses: 'work', compensate: 'release' },
          { id: 'ask', uses: 'builtin.approval', config: { timeout: 'PT1H' } },
          { id: 'release', uses: 'work' },
        ],
        flow: { type: 'sequential', order: ['reserve', 'ask'] },
      }),
    });
    const { runId } = await engine.runs.start({ workflowId, input: {}, sync: true });
    const waiting = await engine.runs.full({ workflowId, runId });
    expect(waiting.waits).toEqual([
      { for: 'gate', id: 4, unitId: 'ask', path: '/spec/flow/order/1', dueAt: expect.any(Number) as number },
    ]);
    expect(waiting.compensation).toEqual({ status: 'owed', done: 0, failed: 0, unknown: 0 });
    await engine.runs.cancel({ workflowId, runId });
    const { waits, compensation } = await engine.runs.full({ workflowId, runId });
    expect([waits, compensation]).toEqual([[], { status: 'done', done: 1, failed: 0, unknown: 0 }]);
  });

  it('of a run that the workflow does not have is refused', async () => {
    await expect(engine.runs.full({ workflowId: 'child', runId: 'x' })).rejects.toThrow('Unknown run: x');
  });
});
