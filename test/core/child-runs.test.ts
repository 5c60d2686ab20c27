import { childRunId } from '../../src/engine/core/ids/child-run-id.js';
import { foldLog } from '../../src/engine/core/fold-log.js';
import { shardByteOf } from '../../src/engine/core/ids/shard.js';
import { isCheckpoint } from '../../src/engine/core/log/checkpoint.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { messagesOf } from '../../src/engine/core/log/messages.js';
import { pending, pendingAfter } from '../../src/engine/core/pending.js';
import type { Signal } from '../../src/engine/core/signal.js';
import { MAX_CHILD_DEPTH } from '../../src/engine/core/family/child-depth.js';
import { decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { openExecutionsOf, statusOf } from '../../src/engine/core/state/status.js';
import type { Child } from '../../src/engine/core/waits/child.js';
import { decide } from '../../src/engine/core/decide.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const child = (id: string, more: object = {}) => ({
  id,
  uses: 'builtin.workflow',
  config: { workflowId: 'inner' },
  ...more,
});
const work = (id: string) => ({ id, uses: 'work' });
const withUnits = (units: readonly object[], more: object = {}): SimulatedRun =>
  new SimulatedRun(compileText(document('w', units, more)));

const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);

function childrenOf(run: SimulatedRun): readonly Child[] {
  return pending(run.state).flatMap((command) => (command.type === 'see-to-child' ? [command.child] : []));
}

function onlyChild(run: SimulatedRun): Child {
  const [one, ...others] = childrenOf(run);
  expect(others).toEqual([]);
  return one!;
}

type Ended = Extract<Signal, { readonly type: 'child-ended' }>;

function ended({ childRunId: runId, key }: Child, how: Partial<Ended> = {}): Signal {
  const usage = { tokens: 0, cost: 0 };
  const completed = { status: 'completed', output: { done: true }, error: null, usage, seq: 9 } as const;
  return { type: 'child-ended', at: 2_000, childRunId: runId, key, ...completed, ...how };
}

const failed = (one: Child, tokens = 0): Signal =>
  ended(one, { status: 'failed', output: null, error: 'it broke', usage: { tokens, cost: tokens / 4 } });
/** `seq`: that of the child's last event. */
const stands = ({ childRunId: runId, key }: Child, isPaused: boolean, seq = 5): Signal => ({
  type: 'child-stands',
  at: 2_000,
  childRunId: runId,
  key,
  isPaused,
  seq,
  stoppedSeq: isPaused ? seq : 0,
  followedSeq: 0,
  isFollowing: false,
  isApart: false,
});
const resume = (run: SimulatedRun): readonly RunEvent[] =>
  run.send({ type: 'resume', at: 3_000, pauseId: null, by: ANN });

describe('a unit that runs another workflow', () => {
  it('begins the run, waits for it, and has its final state as its output', () => {
    const run = withUnits([child('sub', { with: { a: '${{ input.n + 1 }}' } }), work('b')]);
    const one = onlyChild(run);
    expect(one).toMatchObject({ unitId: 'sub', workflowId: 'inner', input: { a: 2 }, key: one.id });
    expect(one.childRunId).toBe(childRunId('run', one.key));
    expect([statusOf(run.state), openExecutionsOf(run.state)]).toEqual(['running', 1]);
    expect(typesOf(run.send(ended(one)))).toEqual(['child-ended', 'unit-scheduled']);
    expect(recordedState(run.state)).toMatchObject({ 'output.sub': { done: true } });
    expect(run.send(ended(one))).toEqual([]);
    run.answer(pending(run.state)[0]!);
    expect(statusOf(run.state)).toBe('completed');
  });

  it('gives the input of its own run where it has no with, without a copy of it in the log', () => {
    const run = withUnits([child('sub')]);
    expect(onlyChild(run).input).toBeUndefined();
    expect(run.log.at(-1)).not.toHaveProperty('input');
  });

  it('may name its workflow by an expression, which reads the outputs of other children', () => {
    const run = withUnits([
      child('first'),
      child('second', { config: { workflowId: "${{ state['output.first'].next }}" } }),
    ]);
    run.send(ended(onlyChild(run), { output: { next: 'other' } }));
    expect(onlyChild(run).workflowId).toBe('other');
  });

  it('fails with a sentence where its with is no object', () => {
    const run = withUnits([child('sub', { with: '${{ input.n }}' })]);
    expect(run.state.error).toContain('its with is the input of the run, which is an object');
  });

  it('is in the messages, and can be resumed from where it waited or ended', () => {
    const run = withUnits([child('sub'), work('b')]);
    const one = onlyChild(run);
    const [paused] = run.send(stands(one, true));
    const [wentOn] = run.send(stands(one, false));
    const [end] = run.send(ended(one, { usage: { tokens: 5, cost: 0.5 } }));
    const told = [run.log[one.id - 1]!, paused!, wentOn!, end!].flatMap((event) => messagesOf('run', event));
    const of = { unitId: 'sub', childRunId: one.childRunId };
    expect(told.filter(({ type }) => type !== 'checkpoint')).toMatchObject([
      { type: 'child-started', ...of, workflowId: 'inner' },
      { type: 'child-paused', ...of },
      { type: 'child-ended', ...of, status: 'completed' },
      { type: 'cost-update', unitId: 'sub', tokens: 5, cost: 0.5 },
    ]);
    expect([paused, wentOn, end].map((event) => isCheckpoint(event!))).toEqual([true, false, true]);
    expect(run.state.usage).toEqual({ tokens: 5, cost: 0.5 });
  });

  it('is required once, and again after the run is loaded', () => {
    const run = withUnits([child('sub')]);
    const [one] = childrenOf(run);
    expect(pendingAfter(run.state, run.log).commands).toEqual([{ type: 'see-to-child', child: one }]);
    const events = run.send(stands(one!, true));
    expect(pendingAfter(run.state, events).commands).toEqual([]);
    expect(childrenOf(run)).toHaveLength(1);
  });

  it('pauses its run while it waits for a person and nothing else moves', () => {
    const run = withUnits([child('sub'), work('b')], { flow: { type: 'parallel', units: ['sub', 'b'] } });
    const one = onlyChild(run);
    run.send(stands(one, true));
    expect(run.send(stands(one, true))).toEqual([]);
    expect(statusOf(run.state)).toBe('running');
    run.answer(pending(run.state).find(({ type }) => type === 'execute-unit')!);
    expect([statusOf(run.state), openExecutionsOf(run.state)]).toEqual(['paused', 0]);
    run.send(stands(one, false));
    expect([statusOf(run.state), openExecutionsOf(run.state)]).toEqual(['running', 1]);
  });

  it('counts what was spent since beside what it waits for, once', () => {
    const run = withUnits([child('sub')]);
    const one = onlyChild(run);
    const spent = (tokens: number, seq: number): Signal => {
      const beside = { stoppedSeq: 5, usage: { tokens, cost: 0 } };
      return { ...stands(one, true, seq), ...beside } as Signal;
    };
    run.send(spent(3, 5));
    expect(typesOf(run.send(spent(8, 7)))).toEqual(['child-paused']);
    expect(run.send(spent(8, 9))).toEqual([]);
    expect(run.state.usage).toEqual({ tokens: 8, cost: 0 });
  });

  it('is stored and loaded while it is open', () => {
    const run = withUnits([child('sub')]);
    run.send(stands(onlyChild(run), true));
    const live = encodeState(run.state);
    expect(encodeState(foldLog(INITIAL_STATE, run.log))).toEqual(live);
    expect(encodeState(decodeState(JSON.parse(JSON.stringify(live))))).toEqual(live);
  });

  it('is refused at the depth of sixteen, also below runs of which the depth was not recorded', () => {
    const plan = compileText(document('w', [child('sub')]));
    const startAt = (depth: number | null) =>
      decide(plan, INITIAL_STATE, {
        type: 'start',
        at: 1,
        runId: 'run',
        namespace: 'default',
        input: {},
        labels: {},
        by: ANN,
        origin: { type: 'child' },
        parent: { runId: 'p', executionId: 2, ...(depth === null ? {} : { depth }) },
      }).state;
    expect(startAt(MAX_CHILD_DEPTH).error).toContain('16 runs deep');
    expect([startAt(MAX_CHILD_DEPTH - 1).phase, startAt(null).phase]).toEqual(['live', 'live']);
  });
});

describe('a child run that failed', () => {
  it('fails its unit, and is the same run when the parent is resumed; its usage counts once', () => {
    const run = withUnits([child('sub', { with: { a: 1 } })]);
    const one = onlyChild(run);
    expect(typesOf(run.send(failed(one, 8)))).toEqual(['child-ended', 'run-failed']);
    expect(run.state.error).toBe(`Unit sub failed: the run ${one.childRunId} of inner failed: it broke`);
    expect(typesOf(resume(run))).toEqual(['resumed', 'child-started']);
    const again = onlyChild(run);
    expect(again).toMatchObject({ childRunId: one.childRunId, key: one.key, input: { a: 1 } });
    expect(again.id).not.toBe(one.id);
    expect(run.send(failed(again, 8))).toEqual([]);
    run.send({ ...failed(again, 10), seq: 12 } as Signal);
    resume(run);
    run.send(ended(onlyChild(run), { usage: { tokens: 11, cost: 3 } }));
    expect([statusOf(run.state), run.state.usage]).toEqual(['completed', { tokens: 11, cost: 3 }]);
    expect(encodeState(foldLog(INITIAL_STATE, run.log))).toEqual(encodeState(run.state));
  });

  it('is another run when the parent goes back to before it', () => {
    const run = withUnits([work('a'), child('sub')]);
    run.answer(pending(run.state)[0]!);
    const one = onlyChild(run);
    const before = one.id - 1;
    run.send(failed(one));
    run.rewind(before);
    expect(onlyChild(run).childRunId).not.toBe(one.childRunId);
    expect(run.send(ended(one))).toEqual([]);
  });

  it('was cancelled, and another one is begun when the parent is resumed', () => {
    const run = withUnits([child('sub')]);
    const one = onlyChild(run);
    run.send(ended(one, { status: 'cancelled', output: null, error: 'Cancelled by ann' }));
    expect(run.state.error).toContain('was cancelled: Cancelled by ann');
    resume(run);
    expect(onlyChild(run).childRunId).not.toBe(one.childRunId);
  });

  it('could not be started: the unit says why, and another one is begun when the parent is resumed', () => {
    const run = withUnits([child('sub')]);
    const { childRunId: runId, key } = onlyChild(run);
    const refused = { at: 2_000, childRunId: runId, key, error: 'inner is not registered' };
    expect(typesOf(run.send({ type: 'child-refused', ...refused }))).toEqual(['child-refused', 'run-failed']);
    expect(run.state.error).toBe('Unit sub failed: inner is not registered');
    expect(run.state.checkpoint).toBeGreaterThan(0);
    resume(run);
    expect(onlyChild(run).childRunId).not.toBe(runId);
  });
});

describe('child runs that their parent does not wait for any more', () => {
  const flow = { type: 'parallel', units: ['sub', 'b'] };
  const breaks = (run: SimulatedRun): readonly RunEvent[] => {
    const command = pending(run.state).find(({ type }) => type === 'execute-unit')!;
    const executionId = command.type === 'execute-unit' ? command.execution.id : 0;
    const failure = { attempt: 1, error: 'no', retryable: false, outcome: 'refused' } as const;
    return run.send({ type: 'unit-attempt-failed', at: 2_000, executionId, ...failure, retryAfterMs: null });
  };

  it('end with the run that failed, and others are begun when it is resumed', () => {
    const run = withUnits([child('sub'), work('b')], { flow });
    const one = onlyChild(run);
    const events = breaks(run);
    expect(typesOf(events).at(-1)).toBe('run-failed');
    expect(pendingAfter(run.state, events).mayHaveReleasedOthers).toBe(true);
    expect([run.state.waits.size, childrenOf(run)]).toEqual([0, []]);
    expect(run.send(ended(one))).toEqual([]);
    resume(run);
    expect(onlyChild(run).childRunId).not.toBe(one.childRunId);
    expect(encodeState(foldLog(INITIAL_STATE, run.log))).toEqual(encodeState(run.state));
  });

  it('are gone with the branch that failed, and others are begun where it is taken up again', () => {
    const inner = { type: 'parallel', units: ['sub', 'b'] };
    const outer = { type: 'parallel', failureStrategy: 'collect-errors', units: [inner, 'c'] };
    const run = withUnits([child('sub'), work('b'), work('c')], { flow: outer });
    const one = onlyChild(run);
    breaks(run);
    expect(childrenOf(run)).toEqual([]);
    run.answer(pending(run.state)[0]!);
    expect(statusOf(run.state)).toBe('failed');
    resume(run);
    expect(onlyChild(run).childRunId).not.toBe(one.childRunId);
  });
});

describe('a child run', () => {
  const started = (origin: 'client' | 'child') => {
    const run = withUnits([{ id: 'stop', uses: 'builtin.fail', config: { message: 'no' } }, work('b')]);
    const parent = origin === 'child' ? { runId: 'p', executionId: 2, depth: 1 } : null;
    return foldLog(INITIAL_STATE, [{ ...run.log[0]!, parent } as RunEvent, ...run.log.slice(1)]);
  };

  it('is detached once somebody other than the engine tries it again after its end', () => {
    const engine = { ...ANN, via: 'engine' } as const;
    const resumed = { type: 'resumed', v: 2, at: 9, pauseId: null, executionId: null } as const;
    const afterwards = (origin: 'client' | 'child', by: typeof ANN) => {
      const state = started(origin);
      return foldLog(state, [{ ...resumed, seq: state.seq + 1, by }]).isOnItsOwn;
    };
    expect(afterwards('child', ANN)).toBe(true);
    expect(afterwards('child', engine)).toBe(false);
    expect(afterwards('client', ANN)).toBe(false);
  });
});

describe('the id of a child run', () => {
  const PARENT = '019a3f5e-1c2d-7abc-8def-0123456789fe';

  it('is a UUIDv7 of the instant and the shard of its parent, the same each time', () => {
    const id = childRunId(PARENT, 7);
    expect(id).toMatch(/^019a3f5e-1c2d-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{10}fe$/);
    expect(childRunId(PARENT, 7)).toBe(id);
    expect(shardByteOf(childRunId('run-1', 7))).toBe(shardByteOf('run-1'));
  });

  it('is another one for each child of each run', () => {
    const ids = new Set<string>();
    for (let key = 0; key < 20_000; key++) ids.add(childRunId(PARENT, key));
    for (let parent = 0; parent < 20_000; parent++) {
      ids.add(childRunId(PARENT.replace('0123', parent.toString(16).padStart(4, '0')), 2));
    }
    // The parent itself is among those of the second kind.
    expect(ids.size).toBeGreaterThanOrEqual(39_999);
  });
});
