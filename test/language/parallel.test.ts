import { InMemoryRunStore, type UnitHandler } from '../../src/engine/index.js';
import { openEngine, workflowYaml } from '../support/engine.js';
import { echoes, refusal, run, Waiting } from './support/runs.js';

const seen: UnitHandler = ({ state }) => Object.keys(state);
const fails: UnitHandler = ({ context }) => {
  throw refusal(`${context.unitId} is broken`);
};

describe('a parallel', () => {
  it('runs all branches at once, and the reducer once all of them have ended', async () => {
    const work = new Waiting();
    const { engine } = await openEngine({ work: work.handler(), seen });
    const units = [...['a', 'b', 'c'].map((id) => ({ id, uses: 'work' })), { id: 'sum', uses: 'seen' }];
    const flow = { type: 'parallel', units: ['a', 'b', 'c'], reducer: 'sum' };
    await engine.workflows.register({ yaml: workflowYaml('p', { units, flow }) });
    const ending = engine.runs.start({ workflowId: 'p', sync: true });
    await work.until('a', 'b', 'c');
    work.finish('c');
    work.finish('a');
    await work.until('b');
    work.finish('b');
    const record = await ending;
    expect(record.result?.completedUnits.at(-1)).toBe('sum');
    expect((record.result!.state['output.sum'] as string[]).toSorted()).toEqual([
      'output.a',
      'output.b',
      'output.c',
    ]);
  });

  it('shows each branch the state at its opening and its own writes, never its siblings’', async () => {
    const { state } = await run(
      {
        units: ['a1', 'a2', 'b1', 'b2'].map((id) => ({ id, uses: 'seen' })),
        flow: {
          type: 'parallel',
          units: [
            { type: 'sequential', order: ['a1', 'a2'] },
            { type: 'sequential', order: ['b1', 'b2'] },
          ],
          maxConcurrency: 1,
        },
      },
      { seen },
      { given: 1 },
    );
    expect(state).toEqual({
      given: 1,
      'output.a1': ['given'],
      'output.a2': ['given', 'output.a1'],
      'output.b1': ['given'],
      'output.b2': ['given', 'output.b1'],
    });
  });

  it('merges what branches wrote in the order of their declaration, whichever ended first', async () => {
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const work = new Waiting();
      const { engine } = await openEngine({ work: work.handler() });
      const units = ['a', 'b'].map((id) => ({ id, uses: 'work' }));
      await engine.workflows.register({
        yaml: workflowYaml('p', { units, flow: { type: 'parallel', units: ['a', 'b'] } }),
      });
      const ending = engine.runs.start({ workflowId: 'p', sync: true });
      await work.until('a', 'b');
      for (const id of order) work.finish(id, { content: id, state: { winner: id } });
      expect((await ending).result?.state['winner']).toBe('b');
    }
  });

  it('never has more branches open than maxConcurrency', async () => {
    let open = 0;
    let most = 0;
    const work: UnitHandler = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
    };
    const ids = Array.from({ length: 30 }, (_, index) => `u${index}`);
    const { record } = await run(
      {
        units: ids.map((id) => ({ id, uses: 'work' })),
        flow: { type: 'parallel', units: ids, maxConcurrency: 3 },
      },
      { work },
    );
    expect(record.result?.completedUnits).toHaveLength(30);
    expect(most).toBe(3);
  });
});

describe('a branch that ends while the end of another one is being stored', () => {
  it('is not called again', async () => {
    const store = new InMemoryRunStore();
    const append = store.append.bind(store);
    let letThrough: () => void = () => undefined;
    let isSlow = false;
    store.append = async (request) => {
      if (isSlow) await new Promise<void>((resolve) => (letThrough = resolve));
      return append(request);
    };
    const work = new Waiting();
    const called: string[] = [];
    const handler = work.handler();
    const { engine } = await openEngine(
      {
        work: (request, options) => {
          called.push(request.context.unitId);
          return handler(request, options);
        },
      },
      { store },
    );
    const units = ['a', 'b', 'c'].map((id) => ({ id, uses: 'work' }));
    const flow = { type: 'parallel', units: ['a', 'b', 'c'] };
    await engine.workflows.register({ yaml: workflowYaml('p', { units, flow }) });
    const ending = engine.runs.start({ workflowId: 'p', sync: true });
    await work.until('a', 'b', 'c');
    isSlow = true;
    for (const id of ['a', 'b']) {
      work.finish(id);
      await new Promise((resolve) => setImmediate(resolve));
    }
    isSlow = false;
    letThrough();
    await new Promise((resolve) => setImmediate(resolve));
    expect(called).toEqual(['a', 'b', 'c']);
    work.finish('c');
    expect((await ending).status).toBe('completed');
  });
});

describe('a parallel whose branch fails', () => {
  const units = [...echoes('ok', 'after'), { id: 'bad', uses: 'fails' }, { id: 'worse', uses: 'fails' }];
  const flowWith = (
    failureStrategy: string | undefined,
    branches: readonly unknown[],
    more: object = {},
  ) => ({
    units: [...units, { id: 'sum', uses: 'seen' }],
    flow: {
      type: 'parallel',
      units: branches,
      ...(failureStrategy === undefined ? {} : { failureStrategy }),
      ...more,
    },
  });

  it('fails at once by default, and aborts the other branches', async () => {
    const signals: AbortSignal[] = [];
    const work = new Waiting();
    const waits = work.handler();
    const { engine } = await openEngine({
      waits: (request, options) => {
        signals.push(options.signal);
        return waits(request, options);
      },
    });
    const branches = ['slow', 'bad'].map((id) => ({ id, uses: 'waits' }));
    await engine.workflows.register({
      yaml: workflowYaml('p', { units: branches, flow: { type: 'parallel', units: ['slow', 'bad'] } }),
    });
    const ending = engine.runs.start({ workflowId: 'p', sync: true });
    await work.until('slow', 'bad');
    work.fail('bad');
    const record = await ending;
    expect(record).toMatchObject({
      status: 'failed',
      error: 'Unit bad failed after 1 attempt(s): bad refused',
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    work.finish('slow');
    expect(await engine.runs.get({ workflowId: 'p', runId: record.runId })).toEqual(record);
  });

  it('with collect-errors lets all finish, then fails with every error', async () => {
    const { record, called } = await run(flowWith('collect-errors', ['bad', 'ok', 'worse']), { fails, seen });
    expect(called.toSorted()).toEqual(['bad', 'ok', 'worse']);
    expect(record.status).toBe('failed');
    expect(record.error).toBe(
      '2 of 3 branches failed: Unit bad failed after 1 attempt(s): bad is broken; Unit worse failed after 1 attempt(s): worse is broken',
    );
  });

  it('with best-effort continues with what succeeded, and names each error after its unit', async () => {
    const { record, state } = await run(
      flowWith('best-effort', ['bad', 'ok', { type: 'sequential', order: ['after', 'worse'] }], {
        reducer: 'sum',
      }),
      { fails, seen },
    );
    expect(record.status).toBe('completed');
    expect(state).toEqual({
      'output.ok': { from: 'ok' },
      'errors.bad': 'Unit bad failed after 1 attempt(s): bad is broken',
      'errors.worse': 'Unit worse failed after 1 attempt(s): worse is broken',
      'output.sum': expect.arrayContaining(['output.ok', 'errors.bad', 'errors.worse']) as unknown,
    });
  });

  it('with best-effort continues even when no branch succeeded', async () => {
    const { record, state } = await run(flowWith('best-effort', ['bad', 'worse']), { fails, seen });
    expect(record.status).toBe('completed');
    expect(Object.keys(state)).toEqual(['errors.bad', 'errors.worse']);
  });

  it('with collect-errors tries only what failed again when the run is resumed', async () => {
    let isBroken = true;
    const test = await run(
      {
        units: [...echoes('ok'), { id: 'bad', uses: 'mends' }],
        flow: { type: 'parallel', units: ['ok', 'bad'], failureStrategy: 'collect-errors' },
      },
      {
        mends: () => {
          if (isBroken) throw refusal('broken');
          return 'mended';
        },
      },
    );
    expect(test.record.status).toBe('failed');
    isBroken = false;
    expect((await test.resume()).result?.state).toEqual({
      'output.ok': { from: 'ok' },
      'output.bad': 'mended',
    });
    expect(test.called).toEqual(['ok', 'bad', 'bad']);
  });

  it('with fail-fast continues where it was when the run is resumed', async () => {
    let isBroken = true;
    const test = await run(
      {
        units: [...echoes('ok', 'later'), { id: 'bad', uses: 'mends' }],
        flow: { type: 'parallel', units: ['ok', { type: 'sequential', order: ['bad', 'later'] }] },
      },
      {
        mends: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          if (isBroken) throw refusal('broken');
          return 'mended';
        },
      },
    );
    expect(test.record.status).toBe('failed');
    isBroken = false;
    const record = await test.resume();
    expect(record.result?.completedUnits.toSorted()).toEqual(['bad', 'later', 'ok']);
    expect(test.called).toEqual(['ok', 'bad', 'bad', 'later']);
  });
});
