import type { UnitHandler } from '../../src/engine/index.js';
import { openEngine, workflowYaml } from '../support/engine.js';
import { gateUnit, refusal, run, Waiting } from './support/runs.js';

const seen: UnitHandler = ({ state }) => Object.keys(state).toSorted();
const seers = (...ids: readonly string[]) => ids.map((id) => ({ id, uses: 'seen' }));

//   a   b
//   |\ /
//   | c   e
//   |/
//   d
const diamond = {
  type: 'dag',
  executors: ['d', 'c', 'b', 'a', 'e'],
  dependencies: { d: ['a', 'c'], c: ['a', 'b'] },
};

describe('a dag', () => {
  it('starts an executor as soon as what it depends on is complete, and never before', async () => {
    const work = new Waiting();
    const { engine } = await openEngine({ work: work.handler() });
    const units = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, uses: 'work' }));
    await engine.workflows.register({ yaml: workflowYaml('d', { units, flow: diamond }) });
    const ending = engine.runs.start({ workflowId: 'd', sync: true });
    await work.until('a', 'b', 'e');
    work.finish('a');
    work.finish('e');
    await work.until('b');
    work.finish('b');
    await work.until('c');
    work.finish('c');
    await work.until('d');
    work.finish('d');
    expect((await ending).status).toBe('completed');
  });

  it('shows an executor what its ancestors wrote, and not what others did', async () => {
    const { state } = await run(
      { units: seers('a', 'b', 'c', 'd', 'e'), flow: { ...diamond, maxConcurrency: 1 } },
      { seen },
      { given: 1 },
    );
    expect(state).toEqual({
      given: 1,
      'output.a': ['given'],
      'output.b': ['given'],
      'output.c': ['given', 'output.a', 'output.b'],
      'output.d': ['given', 'output.a', 'output.b', 'output.c'],
      'output.e': ['given'],
    });
  });

  it('runs the planner before all executors and the aggregator after them', async () => {
    const { called, state } = await run(
      {
        units: seers('plan', 'a', 'b', 'sum'),
        flow: {
          type: 'dag',
          planner: 'plan',
          executors: ['a', 'b'],
          dependencies: { a: ['b'] },
          aggregator: 'sum',
        },
      },
      { seen },
    );
    expect(called).toEqual(['plan', 'b', 'a', 'sum']);
    expect(state['output.b']).toEqual(['output.plan']);
    expect(state['output.a']).toEqual(['output.b', 'output.plan']);
    expect(state['output.sum']).toEqual(['output.a', 'output.b', 'output.plan']);
  });

  it('never has more executors open than maxConcurrency', async () => {
    let open = 0;
    let most = 0;
    const work: UnitHandler = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
    };
    const ids = Array.from({ length: 20 }, (_, index) => `u${index}`);
    const dependencies = Object.fromEntries(ids.slice(10).map((id, index) => [id, [`u${index}`]]));
    const { record } = await run(
      {
        units: ids.map((id) => ({ id, uses: 'work' })),
        flow: { type: 'dag', executors: ids, dependencies, maxConcurrency: 3 },
      },
      { work },
    );
    expect(record.result?.completedUnits).toHaveLength(20);
    expect(most).toBe(3);
  });

  it('merges in the order of declaration, whichever ended first', async () => {
    for (const first of ['a', 'b']) {
      const work = new Waiting();
      const { engine } = await openEngine({ work: work.handler() });
      const units = ['a', 'b'].map((id) => ({ id, uses: 'work' }));
      await engine.workflows.register({
        yaml: workflowYaml('d', { units, flow: { type: 'dag', executors: ['a', 'b'] } }),
      });
      const ending = engine.runs.start({ workflowId: 'd', sync: true });
      await work.until('a', 'b');
      for (const id of [first, first === 'a' ? 'b' : 'a'])
        work.finish(id, { content: id, state: { winner: id } });
      expect((await ending).result?.state['winner']).toBe('b');
    }
  });

  it('counts a skipped executor as complete', async () => {
    const { called } = await run({
      units: [
        { id: 'a', uses: 'echo', if: 'false' },
        { id: 'b', uses: 'echo' },
      ],
      flow: { type: 'dag', executors: ['a', 'b'], dependencies: { b: ['a'] } },
    });
    expect(called).toEqual(['b']);
  });

  it('runs a flow among its executors, which depends on nothing', async () => {
    const { called } = await run({
      units: ['a', 'x', 'y'].map((id) => ({ id, uses: 'echo' })),
      flow: { type: 'dag', executors: ['a', { type: 'sequential', order: ['x', 'y'] }] },
    });
    expect(called.toSorted()).toEqual(['a', 'x', 'y']);
  });

  it('fails when an executor fails, and continues from there when the run is resumed', async () => {
    let isBroken = true;
    const test = await run(
      {
        units: ['a', 'b', 'c'].map((id) => ({ id, uses: 'mends' })),
        flow: { type: 'dag', executors: ['a', 'b', 'c'], dependencies: { b: ['a'], c: ['b'] } },
      },
      {
        mends: ({ context }) => {
          if (context.unitId === 'b' && isBroken) throw refusal('broken');
          return context.unitId;
        },
      },
    );
    expect(test.record).toMatchObject({
      status: 'failed',
      error: 'Unit b failed after 1 attempt(s): broken',
    });
    isBroken = false;
    expect((await test.resume()).result?.completedUnits).toEqual(['a', 'b', 'c']);
    expect(test.called).toEqual(['a', 'b', 'b', 'c']);
  });
});

describe('a gate inside a dag', () => {
  const spec = {
    units: [gateUnit('ask'), ...['free', 'held', 'last'].map((id) => ({ id, uses: 'echo' }))],
    flow: {
      type: 'dag',
      executors: ['ask', 'free', 'held', 'last'],
      dependencies: { held: ['ask'], last: ['held', 'free'] },
    },
  };

  it('delays what depends on it and nothing else', async () => {
    const test = await run(spec);
    expect(test.record.status).toBe('paused');
    expect(test.called).toEqual(['free']);
    const record = await test.approve('ask');
    expect(record.status).toBe('completed');
    expect(test.called).toEqual(['free', 'held', 'last']);
  });

  it('opens again after a rewind to before it was decided', async () => {
    const test = await run(spec);
    await test.approve('ask');
    const opened = (await test.engine.runs.snapshots(test.address)).find(
      ({ after }) => after === 'gate-opened',
    );
    const rewound = await test.resume(opened!.snapshotId);
    expect(rewound.status).toBe('paused');
    expect(rewound.result?.completedUnits).not.toContain('held');
    expect((await test.approve('ask')).status).toBe('completed');
  });
});
