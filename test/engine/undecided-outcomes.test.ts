/**
 * It replaces modules.
 * @jest-environment node
 */
import { jest } from '@jest/globals';
import { InProcessRunWatch } from '../../src/engine/drivers/local/in-process-run-watch.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { SharedOwnership } from '../../src/engine/testing/ownership/shared-ownership.js';
import { sharedRunStore } from '../../src/engine/testing/shared-run-store.js';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import type { Signal } from '../../src/engine/core/signal.js';
import { eventually, until } from '../support/eventually.js';

const real = await import('../../src/engine/core/decide.js');
let isFaulty: (signal: Signal) => boolean = () => false;
jest.unstable_mockModule('../../src/engine/core/decide.js', () => ({
  ...real,
  decide: (...given: Parameters<typeof real.decide>) => {
    if (isFaulty(given[2])) throw new Error('the plan does not fit the log');
    return real.decide(...given);
  },
}));
const { InMemoryMemoryIndex } = await import('../../src/engine/index.js');
const { openEngine, inSequence, workflowYaml } = await import('../support/engine.js');

afterEach(() => {
  isFaulty = () => false;
});

describe('outcomes that could not be decided upon', () => {
  it('are dropped when the run goes back to before them and ends another way', async () => {
    const { engine, clock } = await openEngine({ work: () => 1, other: () => 2 });
    await engine.workflows.register({
      yaml: inSequence('w', [
        { id: 'a', uses: 'other' },
        { id: 'b', uses: 'work' },
      ]),
    });
    let faults = 0;
    isFaulty = (signal) => signal.type === 'unit-finished' && signal.executionId > 3 && ++faults > 0;
    const { runId } = await engine.runs.start({ workflowId: 'w', sync: true });
    const address = { workflowId: 'w', runId };
    expect((await engine.runs.get(address)).status).toBe('paused');
    // All automatic retries are over by then.
    await clock.advance(3_600_000);
    expect((await engine.health()).undecidedRuns).toBe(1);
    isFaulty = () => false;
    const [first] = await engine.runs.snapshots(address);
    const record = await engine.runs.resume({ ...address, snapshotId: first!.snapshotId });
    expect(record.status).toBe('completed');
    expect((await engine.health()).undecidedRuns).toBe(0);
    await engine.close();
  });

  it('may be those to a call that the budget refuses: it is blocked, and next again when it is resumed', async () => {
    const called: string[] = [];
    let land: (answer: unknown) => void = () => undefined;
    const { engine } = await openEngine({
      work: ({ context: { unitId } }) => {
        called.push(unitId);
        if (unitId === 'slow') return new Promise((resolve) => (land = resolve));
        return { content: 1, tokenUsage: { totalTokens: 10 } };
      },
    });
    const units = [
      { id: 'a', uses: 'work' },
      { id: 'slow', uses: 'work', policyOverrides: { budget: { maxTokens: 99 } } },
      { id: 'b', uses: 'work' },
    ];
    const flow = { type: 'sequential', order: ['a', { type: 'parallel', units: ['slow', 'b'] }] };
    const policy = { budget: { maxTokens: 10, onExceed: 'pause' } };
    await engine.workflows.register({ yaml: workflowYaml('w', { units, flow, policy }) });
    isFaulty = ({ type }) => type === 'budget-exceeded';
    const { runId } = await engine.runs.start({ workflowId: 'w' });
    const address = { workflowId: 'w', runId };
    const paused = (reason: string) =>
      eventually(
        async () => {
          const { messages } = await engine.runs.messages(address);
          return messages.findLast((message) => message.type === 'run-paused');
        },
        (pause) => pause?.reason === reason,
      );
    expect(await paused('undecided')).toMatchObject({ unitId: 'b' });
    isFaulty = () => false;
    void engine.runs.resume(address);
    expect(await paused('budget')).toMatchObject({ unitId: 'b' });
    expect(called).toEqual(['a', 'slow']);
    land(1);
    await until(async () => (await engine.runs.get(address)).status === 'paused', 'nothing is under way');
    expect((await engine.runs.resume({ ...address, budget: { maxTokens: 99 } })).status).toBe('completed');
    expect(called).toEqual(['a', 'slow', 'b']);
    await engine.close();
  });

  it('do not keep a resume from lifting the other pauses of the run', async () => {
    const called: string[] = [];
    const unit =
      (name: string, answer: unknown = name) =>
      () => {
        called.push(name);
        return answer;
      };
    const { engine } = await openEngine({ bad: unit('bad', 'bad answer'), good: unit('good') });
    await engine.workflows.register({
      yaml: workflowYaml('w', {
        units: [
          { id: 'a', uses: 'bad' },
          { id: 'b', uses: 'good', pause: 'before' },
        ],
        flow: { type: 'parallel', units: ['a', 'b'] },
      }),
    });
    isFaulty = (signal) => signal.type === 'unit-finished' && signal.output === 'bad answer';
    const { runId, status } = await engine.runs.start({ workflowId: 'w', sync: true });
    expect(status).toBe('paused');
    expect(called).toEqual(['bad']);
    await engine.runs.resume({ workflowId: 'w', runId });
    expect(called).toEqual(['bad', 'good']);
    await engine.close();
  });

  it('are decided upon where they are kept, when another process lifts the pause', async () => {
    const clock = new ManualClock();
    const views = sharedRunStore(new InMemoryRunStore(), 2);
    const ownership = new SharedOwnership({ shardCount: 2, clock });
    const watch = new InProcessRunWatch();
    let calls = 0;
    const open = async (name: string, store: RunStore) => {
      const driver = ownership.driver(name);
      const { engine } = await openEngine(
        { work: () => ++calls },
        { clock, store, watch, driver, memory: new InMemoryMemoryIndex() },
      );
      return engine;
    };
    const [left, right] = [await open('left', views[0]!), await open('right', views[1]!)];
    await left.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    isFaulty = ({ type }) => type === 'unit-finished';
    const { runId } = await left.runs.start({ workflowId: 'w', sync: true });
    isFaulty = () => false;
    const resumed = right.runs.resume({ workflowId: 'w', runId });
    await clock.advance(100);
    await clock.advance(31_000);
    expect((await resumed).status).toBe('completed');
    expect(calls).toBe(1);
    await Promise.all([left.close(), right.close()]);
  });
});
