import type { JsonObject } from '../../src/engine/core/json.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { foldLog } from '../../src/engine/core/fold-log.js';
import { pending } from '../../src/engine/core/pending.js';
import { locationsThatDiffer } from '../../src/engine/core/locations-that-differ.js';
import { encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import type { Execution } from '../../src/engine/core/waits/execution.js';
import { openGatesOf } from '../../src/engine/core/waits/gate.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document, gate } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const wait = (id: string) => ({ id, uses: 'builtin.wait', config: { duration: 'PT1M' } });
const child = (id: string) => ({ id, uses: 'builtin.workflow', config: { workflowId: 'inner' } });
const set = (id: string, values: object) => ({ id, uses: 'builtin.set', config: { values } });

const planOf = (units: readonly object[], spec: object = {}) => compileText(document('w', units, spec));
const started = (units: readonly object[], spec: object = {}) => new SimulatedRun(planOf(units, spec));

const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);
const of = (run: SimulatedRun, type: RunEvent['type'], unitId: string): RunEvent =>
  run.log.find((event) => event.type === type && 'unitId' in event && event.unitId === unitId)!;
const called = (run: SimulatedRun): readonly Execution[] =>
  pending(run.state).flatMap((command) => (command.type === 'execute-unit' ? [command.execution] : []));
const finish = (run: SimulatedRun, unitId: string, output: string = `${unitId} done`) => {
  const { id: executionId, attempt } = called(run).find((one) => one.unitId === unitId)!;
  return run.send({
    type: 'unit-finished',
    at: 2_000,
    executionId,
    attempt,
    output,
    patch: null,
    usage: { tokens: 5, cost: 0.5 },
    metadata: null,
  });
};
const before = (run: SimulatedRun, unitId: string, times = 1) => {
  const event = run.log.filter((one) => one.type === 'unit-scheduled' && one.unitId === unitId)[times - 1];
  if (event?.type !== 'unit-scheduled') throw new Error(`${unitId} was not scheduled so often.`);
  const { path, scope, seq } = event;
  return { fromSeq: seq - 1, before: { path, scope, unitId } };
};

describe('what was open where a run is forked', () => {
  const flow = { type: 'parallel', units: ['call', 'ask', 'rest', 'sub'] };
  const units = [work('call'), gate('ask'), wait('rest'), child('sub'), work('last')];
  const spec = { flow: { type: 'sequential', order: [flow, 'last'] } };

  it('begins anew, under ids and keys of the fork', () => {
    const source = started(units, spec);
    const fork = source.fork(source.log.length);
    expect(typesOf(fork.log)).toEqual([
      'run-started',
      'run-forked',
      'unit-scheduled',
      'gate-opened',
      'timer-set',
      'child-started',
    ]);
    const [again] = called(fork);
    expect(again).toMatchObject({ id: 3, key: 3, attempt: 1, mayBeDone: false });
    expect(of(fork, 'child-started', 'sub')).not.toMatchObject({
      childRunId: (of(source, 'child-started', 'sub') as RunEvent & { childRunId: string }).childRunId,
    });
  });

  it('begins anew also after a cancel that still waits for what is in flight, as does what the author held up', () => {
    const held = work('held', { pause: 'after' });
    const both = { type: 'parallel', units: ['call', 'ask', 'rest', 'sub', 'held', 'more'] };
    const source = started([...units, held, work('more')], {
      flow: { type: 'sequential', order: [both, 'last'] },
    });
    finish(source, 'held');
    source.ask('cancel', 500);
    finish(source, 'call');
    const fork = source.fork(source.log.length);
    expect(typesOf(fork.log.slice(2))).toEqual([
      'branch-closed',
      'gate-opened',
      'timer-set',
      'child-started',
      'paused',
      'unit-scheduled',
    ]);
    expect(called(fork).map(({ unitId }) => unitId)).toEqual(['more']);
  });

  it('is not pending once the fork is folded: the fork itself requires nothing', () => {
    const source = started(units, spec);
    const begun = source.fork(source.log.length).fold(2);
    expect([pending(begun), begun.waits.size, openGatesOf(begun)]).toEqual([[], 0, []]);
    expect(statusOf(begun)).toBe('running');
  });

  it('drops the key of a unit that is tried again, and evaluates its input anew', () => {
    const source = started([work('a', { with: { n: '${{ state.n }}' } }), work('b')]);
    const { id: executionId } = called(source)[0]!;
    const lost = { executionId, attempt: 1, error: 'gone', outcome: 'unknown', retryAfterMs: null } as const;
    source.send({ type: 'unit-attempt-failed', at: 1_100, ...lost, retryable: false });
    source.send({ type: 'resume', at: 1_200, pauseId: null, by: ANN });
    expect(called(source)[0]).toMatchObject({ key: 2, mayBeDone: true });
    const fork = source.fork(source.log.length, { edits: { state: { n: 7 } } });
    expect(called(fork)[0]).toMatchObject({ key: 3, mayBeDone: false, input: { n: 7 } });
  });

  it('has what it spent and how long it ran counted from the fork on', () => {
    const source = started([work('a'), work('b')]);
    finish(source, 'a');
    const fork = source.fork(of(source, 'unit-finished', 'a').seq);
    expect(source.state.usage.tokens).toBe(5);
    expect([fork.state.usage.tokens, fork.state.activeMs, fork.state.budget]).toEqual([0, 0, null]);
    finish(fork, 'b');
    expect(fork.state.usage).toEqual({ tokens: 5, cost: 0.5 });
    expect(recordedState(fork.state)).toMatchObject({ 'output.a': 'a done', 'output.b': 'b done' });
  });
});

describe('a pause of the author where a run is forked', () => {
  const flow = { type: 'parallel', units: ['a', 'b'] };
  const units = [work('a', { pause: 'before' }), work('b')];

  it('is passed where it is the point that was named', () => {
    const source = started(units, { flow });
    const fork = source.fork(of(source, 'paused', 'a').seq);
    expect(
      called(fork)
        .map(({ unitId }) => unitId)
        .sort(),
    ).toEqual(['a', 'b']);
  });

  it('comes again where another unit was named, though it came just before that', () => {
    const source = started(units, { flow });
    const place = before(source, 'b');
    expect(place.fromSeq).toBe(of(source, 'paused', 'a').seq);
    const fork = source.fork(place.fromSeq, place);
    expect(typesOf(fork.log.slice(2)).toSorted()).toEqual(['paused', 'unit-scheduled']);
    expect(called(fork).map(({ unitId }) => unitId)).toEqual(['b']);
  });

  it('comes again after a unit whose output is there, which is not called again', () => {
    const source = started([work('a', { pause: 'after' }), work('b'), work('c')], {
      flow: { type: 'sequential', order: [{ type: 'parallel', units: ['a', 'b'] }, 'c'] },
    });
    finish(source, 'a');
    finish(source, 'b');
    const fork = source.fork(of(source, 'unit-finished', 'b').seq);
    expect(typesOf(fork.log).slice(2)).toEqual(['paused', 'branch-closed']);
    expect([called(fork), statusOf(fork.state)]).toEqual([[], 'paused']);
  });
});

describe('a unit that a fork gives an input', () => {
  const items = { type: 'foreach', items: '["x", "y", "z"]', do: 'each', maxConcurrency: 3 };
  const each = work('each', { with: { task: '${{ item }}' } });
  /** In the order of the document: which of them begins first is up to the fork. */
  const inputs = (run: SimulatedRun) =>
    [...called(run)].sort((a, b) => (a.path + a.scope < b.path + b.scope ? -1 : 1)).map(({ input }) => input);

  it('is the one of that pass, though others of it were in flight and begin before it', () => {
    const source = started([each], { flow: items });
    const place = before(source, 'each', 2);
    const fork = source.fork(place.fromSeq, { ...place, edits: { unitInput: { task: 'mine' } } });
    expect(inputs(fork)).toEqual([{ task: 'x' }, { task: 'mine' }, { task: 'z' }]);
    expect(fork.state.unitInputs).toEqual([]);
  });

  it('is given it once: what is tried or comes round later is given what the document says', () => {
    const loop = { type: 'loop', do: 'a', maxIterations: 2, until: 'false' };
    const source = started([work('a', { with: { pass: '${{ iteration }}' } })], { flow: loop });
    const place = before(source, 'a');
    const fork = source.fork(place.fromSeq, { ...place, edits: { unitInput: { pass: 'mine' } } });
    expect(inputs(fork)).toEqual([{ pass: 'mine' }]);
    finish(fork, 'a');
    expect(inputs(fork)).toEqual([{ pass: 1 }]);
  });

  it('is still given it by a fork that is made before it was called, and after a crash', () => {
    const source = started([work('a'), work('b', { with: { n: 1 } })], {
      flow: { type: 'parallel', units: ['a', 'b'] },
    });
    const place = before(source, 'b');
    const fork = source.fork(place.fromSeq, { ...place, edits: { unitInput: { n: 'mine' } } });
    const again = fork.fork(2, { before: before(fork, 'a').before, edits: { unitInput: { n: 'first' } } });
    expect(inputs(again)).toEqual([{ n: 'first' }, { n: 'mine' }]);
    fork.crash(2);
    expect(inputs(fork)).toEqual([undefined, { n: 'mine' }]);
  });

  it('counts in what the state takes until then', () => {
    const source = started([work('a')]);
    const place = before(source, 'a');
    const large = 'x'.repeat(100_000);
    const fork = source.fork(place.fromSeq, { ...place, edits: { unitInput: large } });
    expect(fork.fold(2).stateChars).toBeGreaterThan(100_000);
    finish(fork, 'a', 'small');
    expect(fork.state.stateChars).toBeLessThan(2_000);
  });
});

describe('the edits of a fork', () => {
  const source = started([set('one', { tone: 'plain', one: 1 }), work('a'), work('b')]);
  finish(source, 'a');
  const at = of(source, 'unit-finished', 'a').seq;

  it('lie over the state, the input first, and are written by the fork', () => {
    const edits = { input: true, state: { tone: 'kind', 'output.a': 'better' } } as const;
    const fork = source.fork(at, { edits, input: { n: 2, tone: 'rude' } });
    expect(recordedState(fork.state)).toEqual({ one: 1, n: 2, tone: 'kind', 'output.a': 'better' });
    expect(fork.state.input).toEqual({ n: 2, tone: 'rude' });
    // What was edited comes last, as what was written last does.
    expect(Object.keys(recordedState(fork.state))).toEqual(['one', 'n', 'tone', 'output.a']);
    expect(recordedState(source.state)).toMatchObject({ tone: 'plain', 'output.a': 'a done' });
  });

  it('keep what units wrote over the input where it is not edited', () => {
    const plan = started([set('one', { n: 5 }), work('a')]);
    const fork = plan.fork(plan.log.length);
    expect(recordedState(fork.state)).toMatchObject({ n: 5 });
  });

  it('lie over the input of a run that begins anew, too', () => {
    const fork = source.fork(0, { edits: { state: { n: 9 } }, input: { n: 1, m: 2 } });
    expect(recordedState(fork.state)).toMatchObject({ n: 9, m: 2, tone: 'plain' });
    expect(fork.state.generation).toBe(0);
  });

  it('are counted in the size of the state exactly once', () => {
    const fork = source.fork(at, {
      edits: { input: true, state: { n: 'x'.repeat(500) } },
      input: { n: 'y' },
    });
    const loaded = foldLog(INITIAL_STATE, JSON.parse(JSON.stringify(fork.log)), undefined, source.fold(at));
    expect(encodeState(loaded)).toEqual(encodeState(fork.state));
    expect(loaded.stateChars).toBe(fork.state.stateChars);
  });
});

describe('a fork of a run that went back, failed or took failures in its stride', () => {
  it('has what the run had there after it went back', () => {
    const source = started([work('a'), work('b')]);
    finish(source, 'a', 'first');
    const checkpoint = of(source, 'unit-finished', 'a').seq;
    finish(source, 'b', 'second');
    source.rewind(checkpoint);
    finish(source, 'b', 'third');
    const fork = source.fork(source.log.findLast(({ type }) => type === 'unit-finished')!.seq);
    expect(recordedState(fork.state)).toMatchObject({ 'output.a': 'first', 'output.b': 'third' });
    // Among the events of before, those that it went back over are no part of it.
    const early = source.fork(source.log.findLast(({ type }) => type === 'unit-scheduled')!.seq - 1);
    expect(recordedState(early.state)).not.toHaveProperty(['output.b']);
  });

  it('opens a gate again that was rejected', () => {
    const source = started([gate('ask'), work('a')]);
    const [{ gateId } = { gateId: 0 }] = openGatesOf(source.state);
    const by = ANN;
    source.send({
      type: 'decision',
      at: 1_100,
      gateId,
      approved: false,
      responder: 'ann',
      by,
      comment: null,
    });
    expect(statusOf(source.state)).toBe('failed');
    const fork = source.fork(of(source, 'gate-decided', 'ask').seq);
    expect(typesOf(fork.log).slice(2)).toEqual(['gate-opened']);
    expect([...fork.state.decisions.keys()].every((id) => id <= 0)).toBe(true);
  });

  it('tries again what failed where its branch waits for the others, once it failed as a whole', () => {
    const flow = { type: 'parallel', units: ['bad', 'a'], failureStrategy: 'collect-errors' };
    const source = started([{ id: 'bad', uses: 'fail' }, work('a')], { flow });
    for (const execution of called(source)) {
      if (execution.unitId !== 'bad') continue;
      source.answer({ type: 'execute-unit', execution });
      source.answer({
        type: 'execute-unit',
        execution: called(source).find(({ unitId }) => unitId === 'bad')!,
      });
    }
    const fork = source.fork(source.log.length);
    expect(called(fork).map(({ unitId }) => unitId)).toEqual(['a']);
    finish(fork, 'a');
    expect(statusOf(fork.state)).toBe('failed');
    fork.send({ type: 'resume', at: 3_000, pauseId: null, by: ANN });
    expect(called(fork)).toMatchObject([{ unitId: 'bad', mayBeDone: false }]);
  });
});

const fail = (run: SimulatedRun, unitId: string): void => {
  const call = called(run).find((one) => one.unitId === unitId);
  const { id: executionId, attempt } = call!;
  const rest = { error: 'no', retryable: false, outcome: 'refused', retryAfterMs: null } as const;
  run.send({ type: 'unit-attempt-failed', at: 2_000, executionId, attempt, ...rest });
};

describe('another definition that a fork is to continue under', () => {
  const units = [work('a'), work('b'), work('c'), work('d')];
  const differing = (flow: object, other: object, steps: (run: SimulatedRun) => void = () => undefined) => {
    const from = planOf(units, { flow });
    const run = new SimulatedRun(from);
    steps(run);
    return locationsThatDiffer(run.state, from, planOf(units, { flow: other }));
  };
  const inOrder = (...order: readonly unknown[]) => ({ type: 'sequential', order });
  const besides = (...branches: readonly unknown[]) => ({ type: 'parallel', units: branches });

  it('may have anything where the run does not stand', () => {
    expect(differing(inOrder('a', 'b'), inOrder('a', 'c', besides('b', 'd')))).toEqual([]);
    expect(differing(inOrder(besides('a', 'b'), 'c'), inOrder(besides('a', 'b', 'd'), 'd'))).toEqual([]);
  });

  it.each<[string, object, object, readonly string[]]>([
    ['another unit at the place', inOrder('a', 'b'), inOrder('c', 'b'), ['/spec/flow/order/0']],
    [
      'a flow in the place of the unit',
      inOrder('a', 'b'),
      inOrder(besides('a'), 'b'),
      ['/spec/flow/order/0'],
    ],
    ['nothing at the place', inOrder(inOrder('a')), inOrder('a'), ['/spec/flow/order/0/order/0']],
    [
      'another flow around it',
      inOrder('a', 'b'),
      { type: 'dag', executors: ['a', 'b'] },
      ['/spec/flow/order/0'],
    ],
    [
      'a branch less than were opened',
      inOrder(besides('a', 'b')),
      inOrder(besides('a')),
      ['/spec/flow/order/0', '/spec/flow/order/0/units/1'],
    ],
    [
      'no loop where passes are counted',
      { type: 'loop', do: 'a', maxIterations: 3 },
      inOrder('a'),
      ['/spec/flow', '/spec/flow/do'],
    ],
  ])('must not have %s', (_what, flow, other, paths) => {
    const passOnce = (run: SimulatedRun): void => void finish(run, 'a');
    const isLoop = 'maxIterations' in flow;
    const found = differing(flow, other, isLoop ? passOnce : undefined);
    expect(found).toEqual(expect.arrayContaining([...paths]));
    expect(paths).toEqual(expect.arrayContaining([...found]));
  });

  const tried = (more: object) => ({ type: 'try', do: inOrder('a', 'b'), ...more });
  const undone = [{ ...work('a'), compensate: 'd' }, work('b'), work('c'), work('d')];
  /** Where the run stood after its first event of the type; without one, where it stands. */
  const atFirst = (flow: object, type: RunEvent['type'] | null, other: object, declared = units) => {
    const from = planOf(declared, { flow });
    const run = new SimulatedRun(from);
    if (type !== null) fail(run, 'a');
    const at = type === null ? run.state : run.fold(run.log.find((event) => event.type === type)!.seq);
    return locationsThatDiffer(at, from, planOf(declared, { flow: other }));
  };

  it.each<[string, object, RunEvent['type'] | null, object, boolean]>([
    ['a catch more', { finally: 'c' }, null, { catch: 'd', finally: 'c' }, true],
    ['another catch', { catch: 'c' }, null, { catch: 'd', rethrow: true }, true],
    ['no finally, before that has begun', { finally: 'c' }, null, { ignore: true }, true],
    ['the same time', { timeout: 'PT1H', ignore: true }, null, { timeout: 'PT1H', catch: 'c' }, true],
    ['another time', { timeout: 'PT1H', ignore: true }, null, { timeout: 'PT2H', ignore: true }, false],
    ['no time any more', { timeout: 'PT1H', ignore: true }, null, { ignore: true }, false],
    ['a time where there was none', { ignore: true }, null, { timeout: 'PT1H', ignore: true }, false],
    [
      'another time, once its catch has begun',
      { timeout: 'PT1H', catch: 'c' },
      'failure-caught',
      { timeout: 'PT2H', catch: 'c' },
      true,
    ],
    ['no catch, once that has begun', { catch: 'c' }, 'failure-caught', { finally: 'c' }, false],
    ['no ignore, once that has caught', { ignore: true }, 'failure-caught', { finally: 'c' }, false],
    [
      'no finally, once that has begun',
      { ignore: true, finally: 'c' },
      'finally-begun',
      { catch: 'd' },
      false,
    ],
    [
      'another catch, once its finally has begun',
      { finally: 'c' },
      'finally-begun',
      { catch: 'd', finally: 'c' },
      true,
    ],
  ])('of a try in which the run is, may or may not have %s', (_what, flow, type, other, isAlike) => {
    expect(atFirst(tried(flow), type, tried(other))).toEqual(isAlike ? [] : ['/spec/flow']);
  });

  it('must have the flow that closes, and begins no undoing in a race that is open', () => {
    const careful = { type: 'try', compensate: true, ignore: true };
    const failsLater = inOrder({ ...careful, do: inOrder('a', 'b') }, 'c');
    const from = planOf(undone, { flow: failsLater });
    const run = new SimulatedRun(from);
    finish(run, 'a');
    fail(run, 'b');
    const to = (flow: object) => locationsThatDiffer(run.state, from, planOf(undone, { flow }));
    expect(to(failsLater)).toEqual([]);
    expect(to(inOrder(besides('a', 'b'), 'c'))).toContain('/spec/flow/order/0');
    const race = (more: object) => ({ type: 'race', units: ['a', 'b'], ...more });
    expect(atFirst(race({}), null, race({ compensate: true }), undone)).toEqual(['/spec/flow']);
    expect(atFirst(race({ compensate: true }), null, race({}), undone)).toEqual([]);
    expect(atFirst(race({ compensate: true }), null, race({ compensate: true }), undone)).toEqual([]);
  });

  it('decides what follows a failure in a try in which the run was', () => {
    const source = new SimulatedRun(planOf(units, { flow: tried({ catch: 'c' }) }));
    const plan = planOf(units, { flow: tried({ catch: 'd' }) });
    const fork = source.fork(source.log.length, { plan });
    fail(fork, 'a');
    expect(called(fork).map(({ unitId }) => unitId)).toEqual(['d']);
  });

  it('must have the way that was chosen', () => {
    const chosen = (cases: readonly JsonObject[]) => ({ type: 'switch', cases });
    const flow = chosen([{ if: 'true', do: 'a' }]);
    const from = planOf(units, { flow });
    const run = new SimulatedRun(from);
    const at = run.fold(run.log.find(({ type }) => type === 'branch-chosen')!.seq);
    expect(locationsThatDiffer(at, from, planOf(units, { flow: chosen([{ if: 'true', do: 'b' }]) }))).toEqual(
      ['/spec/flow/cases/0/do'],
    );
    expect(
      locationsThatDiffer(at, from, planOf(units, { flow: chosen([{ if: 'false', do: 'a' }]) })),
    ).toEqual([]);
  });
});

it('is not folded without the state of its source', () => {
  const source = started([work('a')]);
  const fork = source.fork(source.log.length);
  expect(() => foldLog(INITIAL_STATE, fork.log)).toThrow('give the state of the run run after event 2');
  const other = { ...source.state, runId: 'other' };
  expect(() => foldLog(INITIAL_STATE, fork.log, undefined, other)).toThrow('give the state of the run run');
});
