import { foldLog } from '../../src/engine/core/fold-log.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { messagesOf } from '../../src/engine/core/log/messages.js';
import { pending } from '../../src/engine/core/pending.js';
import { encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { openExecutionsOf, statusOf, wakeAtOf } from '../../src/engine/core/state/status.js';
import { executionOf } from '../../src/engine/core/waits/execution.js';
import { CHARS_OF_A_SCOPE, CHARS_OF_A_WAIT, charsOfKeys } from '../../src/engine/core/state/overhead.js';
import { openPausesOf } from '../../src/engine/core/waits/pause.js';
import { approximateChars } from '../../src/engine/core/json-size.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const note = (id: string, text: string) => ({
  id,
  uses: 'builtin.set',
  config: { values: { [id]: text } },
});

function started(units: readonly object[], spec: object = {}, maxStateChars = Infinity): SimulatedRun {
  return new SimulatedRun(compileText(document('w', units, spec)), { maxStateChars });
}

const beside = (...units: readonly string[]) => ({ flow: { type: 'parallel', units } });

function idOf(run: SimulatedRun, unitId: string): number {
  return run.log.findLast((event) => event.type === 'unit-scheduled' && event.unitId === unitId)!.seq;
}

function answer(
  run: SimulatedRun,
  unitId: string,
  output: unknown = 'done',
  at = 2_000,
  patch: Readonly<Record<string, number>> | null = null,
): readonly RunEvent[] {
  const executionId = idOf(run, unitId);
  const attempt = executionOf(run.state, executionId)?.attempt ?? 1;
  const rest = { patch, usage: null, metadata: null };
  return run.send({ type: 'unit-finished', at, executionId, attempt, output: output as string, ...rest });
}

function resume(run: SimulatedRun, pauseId: number | null = openPausesOf(run.state)[0] ?? 0) {
  return run.send({ type: 'resume', at: 3_000, pauseId, by: ANN });
}

const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);
const called = (run: SimulatedRun): readonly string[] =>
  pending(run.state).flatMap((command) =>
    command.type === 'execute-unit' ? [command.execution.unitId] : [],
  );

describe('a run whose state exceeds its limit', () => {
  const LARGE = 'x'.repeat(200);
  /** The limit counts the wait, the key of the input and 100 characters more. */
  const FOR_ONE_WAIT = CHARS_OF_A_WAIT + charsOfKeys(1) + 100;

  it('is paused instead of continuing, and says how much it holds, which setting it is and what to do', () => {
    const run = started([work('a'), work('b')], {}, FOR_ONE_WAIT);
    const events = answer(run, 'a', LARGE);
    expect(typesOf(events)).toEqual(['unit-finished', 'paused']);
    expect(statusOf(run.state)).toBe('paused');
    expect(events[1]).toMatchObject({ reason: 'limit', executionId: null, scope: '' });
    // The pause itself is counted by now.
    const chars = run.state.stateChars - CHARS_OF_A_WAIT;
    expect(chars).toBeGreaterThan(200);
    const error =
      `The state of the run takes about ${chars} characters, its keys and its 1 open scopes counted with it, more than ` +
      `the ${FOR_ONE_WAIT} that FLOWGATE_MAX_STATE_BYTES allows: raise it and resume the run, or resume it from an earlier checkpoint.`;
    expect(messagesOf('run', events[1]!)[0]).toMatchObject({ type: 'run-paused', reason: 'limit', error });
  });

  it('continues when it is resumed with a higher limit, and is paused again without one', () => {
    const run = started([work('a'), work('b')], {}, FOR_ONE_WAIT);
    answer(run, 'a', LARGE);
    expect(typesOf(resume(run))).toEqual(['resumed', 'paused']);
    expect([statusOf(run.state), openPausesOf(run.state)]).toEqual(['paused', [run.state.seq]]);
    run.limits = { maxStateChars: 1_000 };
    expect(typesOf(resume(run))).toEqual(['resumed', 'unit-scheduled']);
    expect(statusOf(run.state)).toBe('running');
  });

  it('tells the pause, however far beyond the limit it is', () => {
    const run = started([work('a'), work('b')], {}, FOR_ONE_WAIT);
    const [, pause] = answer(run, 'a', 'x'.repeat(17 * 1024 * 1024));
    expect(pause).toMatchObject({ reason: 'limit', newStatus: 'paused' });
  });

  it('is paused before its first unit when its input alone is too large', () => {
    const run = started([work('a')], {}, 5);
    expect(typesOf(run.log)).toEqual(['run-started', 'paused']);
  });

  it('stops between units that only write, once one of them wrote too much', () => {
    const run = started([note('one', LARGE), note('two', LARGE), note('three', LARGE)], {}, 800);
    expect(typesOf(run.log)).toEqual(['run-started', 'state-written', 'state-written', 'paused']);
    run.limits = { maxStateChars: 10_000 };
    expect(typesOf(resume(run))).toEqual(['resumed', 'state-written', 'run-completed']);
  });

  it('records what was in flight, and shows itself paused only when nothing is any more', () => {
    const run = started(
      [work('a'), work('b'), work('c')],
      {
        flow: { type: 'sequential', order: [{ type: 'parallel', units: ['a', 'b'] }, 'c'] },
      },
      2 * (CHARS_OF_A_SCOPE + CHARS_OF_A_WAIT) + 100,
    );
    answer(run, 'a', LARGE);
    expect([statusOf(run.state), called(run)]).toEqual(['running', ['b']]);
    expect(typesOf(answer(run, 'b'))).toEqual(['unit-finished']);
    expect([statusOf(run.state), called(run)]).toEqual(['paused', []]);
    run.limits = { maxStateChars: 10_000 };
    const events = resume(run);
    expect(typesOf(events)).toEqual([
      'resumed',
      'branch-closed',
      'branch-closed',
      'node-closed',
      'unit-scheduled',
    ]);
    expect(recordedState(run.state)).toMatchObject({ 'output.a': LARGE, 'output.b': 'done' });
  });

  it('is suspended when what was in flight exceeds it by far: what is left is called again at the resume', () => {
    const run = started(
      [work('a'), work('b'), work('c')],
      { flow: { type: 'parallel', units: ['a', 'b', 'c'] } },
      3 * (CHARS_OF_A_SCOPE + CHARS_OF_A_WAIT) + 100,
    );
    answer(run, 'a', LARGE);
    expect([statusOf(run.state), called(run)]).toEqual(['running', ['b', 'c']]);
    const events = answer(run, 'b', 'x'.repeat(17 * 1024 * 1024));
    expect(typesOf(events)).toEqual(['unit-finished', 'paused']);
    expect(events[1]).toMatchObject({
      reason: 'limit',
      error: expect.stringMatching(/FLOWGATE_MAX_STATE_BYTES/),
    });
    expect([statusOf(run.state), called(run)]).toEqual(['paused', []]);
    run.limits = {};
    for (const pauseId of openPausesOf(run.state)) resume(run, pauseId);
    expect([statusOf(run.state), called(run)]).toEqual(['running', ['c']]);
    answer(run, 'c');
    expect(statusOf(run.state)).toBe('completed');
  });

  it('is paused when its log is too long, however small its state is, and continues with a higher limit', () => {
    const flow = { type: 'loop', do: 'note', maxIterations: 1_000 };
    const run = new SimulatedRun(compileText(document('w', [note('note', LARGE)], { flow })), {
      maxLogChars: 5_000,
    });
    expect(run.log.at(-1)).toMatchObject({
      type: 'paused',
      reason: 'limit',
      error: expect.stringMatching(
        /^The log of the run holds about \d+ characters, more than the 5000 that FLOWGATE_MAX_LOG_BYTES allows: see whether the run does what it should, then raise it and resume the run\.$/,
      ),
    });
    expect(run.state.stateChars).toBeLessThan(1_000);
    const { logChars } = run.state;
    expect(logChars).toBe(run.log.reduce((chars, event) => chars + approximateChars(event), 0));
    expect(typesOf(resume(run))).toEqual(['resumed', 'paused']);
    run.limits = {};
    resume(run);
    expect(statusOf(run.state)).toBe('completed');
  });

  it('is paused before it opens a branch that lies too deep, and opens it once that is allowed', () => {
    const pass = (inside: unknown) => ({ type: 'foreach', items: '[1]', do: inside });
    const flow = { type: 'sequential', order: ['a', pass(pass(pass('b')))] };
    const run = new SimulatedRun(compileText(document('w', [note('a', 'text'), work('b')], { flow })), {
      maxNesting: 2,
    });
    expect(run.log.at(-1)).toMatchObject({
      type: 'paused',
      reason: 'limit',
      error:
        'The run is about to nest its branches and passes 3 deep, more than the 2 levels that FLOWGATE_MAX_NESTING ' +
        'allows: see whether the run does what it should, then raise it and resume the run.',
    });
    expect(called(run)).toEqual([]);
    expect(typesOf(resume(run))).toEqual(['resumed', 'paused']);
    run.limits = { maxNesting: 3 };
    expect(typesOf(resume(run))).toEqual(['resumed', 'unit-scheduled']);
  });

  it('counts what is overwritten once, and what a failed branch wrote no more', () => {
    const run = started([work('a', { with: {} }), work('b'), work('c')], {
      flow: {
        type: 'sequential',
        order: [
          {
            type: 'parallel',
            units: [{ type: 'sequential', order: ['a', 'b'] }],
            failureStrategy: 'best-effort',
          },
          'c',
        ],
      },
    });
    const before = run.state.stateChars;
    answer(run, 'a', LARGE);
    const { log } = run;
    const failure = { executionId: idOf(run, 'b'), attempt: 1, error: 'no', retryable: false } as const;
    run.send({ type: 'unit-attempt-failed', at: 1, ...failure, outcome: 'refused', retryAfterMs: null });
    expect(typesOf(log)).toContain('node-closed');
    const joined = run.state.stateChars;
    expect(joined).toBeLessThan(before + 100);
    answer(run, 'c', LARGE);
    expect(run.state.stateChars + CHARS_OF_A_WAIT).toBeGreaterThan(joined + 200);
  });

  it('counts inputs, payloads and items while they are waited for', () => {
    const list = Array.from({ length: 20 }, (_, index) => index);
    const units = [work('a', { with: { text: LARGE } })];
    const items = `[${list.join(', ')}]`;
    const run = started(units, { flow: { type: 'foreach', items, do: 'a', maxConcurrency: 20 } }, 10_000);
    expect(typesOf(run.log).at(-1)).toBe('paused');
    const opened = run.log.filter(({ type }) => type === 'unit-scheduled').length;
    expect([opened > 5, opened < 20]).toEqual([true, true]);
  });

  it('counts each open pass, each wait and each key for what it takes, however little it holds', () => {
    const items = Array.from({ length: 50 }, (_, item) => item);
    const passes = { type: 'foreach', items: JSON.stringify(items), do: 'a', maxConcurrency: 50 };
    const taken = started([work('a')], { flow: passes }).state.stateChars;
    expect(taken).toBeGreaterThan(50 * (CHARS_OF_A_SCOPE + CHARS_OF_A_WAIT));
    const keys = Object.fromEntries(items.map((item) => [`k${item}`, 1]));
    const set = { id: 'set', uses: 'builtin.set', config: { values: keys } };
    expect(started([set]).state.stateChars).toBeGreaterThan(charsOfKeys(50));
  });

  it('pauses for keys that are many before it pauses for their texts', () => {
    const patch = (pass: number) =>
      Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [`k${pass}-${key}`, 1]));
    const flow = { type: 'loop', do: 'a', maxIterations: 1_000 };
    const run = started([work('a')], { flow }, 64 * 1024 * 1024);
    let passes = 0;
    for (; statusOf(run.state) === 'running'; passes++) answer(run, 'a', null, 2_000, patch(passes));
    expect(passes).toBe(4);
    expect(run.log.at(-1)).toMatchObject({ reason: 'limit' });
  });

  it('is not paused a second time by a limit that was lowered, nor by signals that mean nothing to it', () => {
    const run = started([work('a', { pause: 'before' }), work('b')]);
    run.limits = { maxStateChars: 1 };
    expect(run.send({ type: 'timer-due', at: 2_000 })).toEqual([]);
    expect(typesOf(resume(run))).toEqual(['resumed', 'paused']);
    expect(run.send({ type: 'continue', at: 2_000 })).toEqual([]);
  });
});

describe('a run of which an outcome could not be decided upon', () => {
  const undecided = (run: SimulatedRun, executionId: number | null) =>
    run.send({ type: 'undecided', at: 2_000, executionId, error: 'The plan has no node at /x.' });

  it('is paused with the reason in its messages, and its unit is not called again', () => {
    const run = started([work('a'), work('b')]);
    const executionId = idOf(run, 'a');
    const [paused] = undecided(run, executionId);
    expect(paused).toMatchObject({ type: 'paused', reason: 'undecided', executionId, unitId: 'a' });
    expect(messagesOf('run', paused!)).toEqual([
      {
        type: 'run-paused',
        timestamp: 2_000,
        reason: 'undecided',
        unitId: 'a',
        error: 'The plan has no node at /x.',
      },
      { type: 'checkpoint', timestamp: 2_000, runId: 'run', snapshotId: `run.${paused!.seq}` },
    ]);
    expect([statusOf(run.state), called(run), openExecutionsOf(run.state)]).toEqual(['paused', [], 0]);
  });

  it('is paused for it once, however often the decision is tried again', () => {
    const run = started([work('a')]);
    const executionId = idOf(run, 'a');
    undecided(run, executionId);
    expect(undecided(run, executionId)).toEqual([]);
    undecided(run, null);
    expect(undecided(run, null)).toEqual([]);
  });

  it('takes the outcome that was kept after a resume', () => {
    const run = started([work('a'), work('b')]);
    undecided(run, idOf(run, 'a'));
    const [resumed] = resume(run);
    expect(resumed).toMatchObject({ type: 'resumed', executionId: idOf(run, 'a') });
    expect(called(run)).toEqual(['a']);
    expect(typesOf(answer(run, 'a'))).toEqual(['unit-finished', 'unit-scheduled']);
  });

  it('takes it without a resume, too, and the pause is over with it', () => {
    const run = started([work('a'), work('b')]);
    undecided(run, idOf(run, 'a'));
    expect(typesOf(answer(run, 'a'))).toEqual(['unit-finished', 'unit-scheduled']);
    expect([statusOf(run.state), openPausesOf(run.state)]).toEqual(['running', []]);
  });

  it('takes a failure without a resume, and tries again when it is due', () => {
    const run = started([work('a')]);
    const executionId = idOf(run, 'a');
    undecided(run, executionId);
    const failure = { executionId, attempt: 1, error: 'no', retryable: true, outcome: 'unknown' } as const;
    run.send({ type: 'unit-attempt-failed', at: 2_000, ...failure, retryAfterMs: 500 });
    expect([statusOf(run.state), wakeAtOf(run.state), called(run)]).toEqual(['running', 2_500, ['a']]);
    expect([openPausesOf(run.state), openExecutionsOf(run.state)]).toEqual([[], 0]);
  });

  it('keeps the time of a retry that was frozen, once it is released', () => {
    const run = started([work('a')]);
    const executionId = idOf(run, 'a');
    const failure = { executionId, attempt: 1, error: 'no', retryable: true, outcome: 'unknown' } as const;
    run.send({ type: 'unit-attempt-failed', at: 2_000, ...failure, retryAfterMs: 500 });
    undecided(run, executionId);
    expect(wakeAtOf(run.state)).toBeNull();
    resume(run);
    expect(wakeAtOf(run.state)).toBe(2_500);
  });

  it('continues with its other branches', () => {
    const run = started([work('a'), work('b')], beside('a', 'b'));
    undecided(run, idOf(run, 'a'));
    expect([statusOf(run.state), called(run)]).toEqual(['running', ['b']]);
    expect(typesOf(answer(run, 'b'))).toEqual(['unit-finished', 'branch-closed']);
    expect(statusOf(run.state)).toBe('paused');
  });

  it('is paused as a whole when it was no outcome that could not be decided upon', () => {
    const run = started([work('a'), work('b')]);
    undecided(run, null);
    expect(typesOf(answer(run, 'a'))).toEqual(['unit-finished']);
    expect(run.send({ type: 'continue', at: 2_000 })).toEqual([]);
    expect(statusOf(run.state)).toBe('paused');
    expect(typesOf(resume(run))).toEqual(['resumed', 'unit-scheduled']);
  });

  it('loses the pause with the branch that it was in', () => {
    const run = started([work('a'), work('b'), work('c')], {
      flow: {
        type: 'parallel',
        failureStrategy: 'best-effort',
        units: [{ type: 'parallel', units: ['a', 'b'] }, 'c'],
      },
    });
    undecided(run, idOf(run, 'a'));
    const failure = { executionId: idOf(run, 'b'), attempt: 1, error: 'no', retryable: false } as const;
    run.send({ type: 'unit-attempt-failed', at: 2_000, ...failure, outcome: 'refused', retryAfterMs: null });
    expect([openPausesOf(run.state), called(run)]).toEqual([[], ['c']]);
    answer(run, 'c');
    expect(statusOf(run.state)).toBe('completed');
  });

  it('is the same run after a rewind to the pause: the unit is called anew', () => {
    const run = started([work('a')]);
    const [paused] = undecided(run, idOf(run, 'a'));
    expect(typesOf(run.rewind(paused!.seq))).toEqual(['rewound', 'unit-scheduled']);
    expect([openPausesOf(run.state), called(run)]).toEqual([[], ['a']]);
    expect(encodeState(foldLog(INITIAL_STATE, run.log))).toEqual(encodeState(run.state));
  });
});
