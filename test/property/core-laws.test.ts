import fc from 'fast-check';
import { decide } from '../../src/engine/core/decide.js';
import { deepFreeze } from '../../src/engine/core/freeze.js';
import { approximateChars } from '../../src/engine/core/json-size.js';
import { eventKind } from '../../src/engine/core/log/event-kinds.js';
import { foldLog, baseStatesNeeded } from '../../src/engine/core/fold-log.js';
import { decodeEvents } from '../../src/engine/core/log/event-codec.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { isPending, pending, pendingAfter, type Command } from '../../src/engine/core/pending.js';
import { charsOfEncoded, decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { INITIAL_STATE, type RunState } from '../../src/engine/core/state/state.js';
import { openExecutionsOf, statusOf, wakeAtOf } from '../../src/engine/core/state/status.js';
import { guardedPlan } from '../support/guarded-plan.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { UNBOUNDED } from '../../src/engine/core/turn/limits/budget.js';
import { NO_LIMITS } from '../../src/engine/core/turn/limits/limits.js';
import { WanderingRun, type Dice } from '../support/wandering-run.js';
import { timedWorkflowText as workflowText } from '../support/workflow-arbitrary.js';
import { lawCases } from '../support/law-cases.js';

const numRuns = lawCases(2_000);
const STEPS = 30;

const dice = fc.infiniteStream(fc.nat(0xffff)).map(
  (stream): Dice =>
    () =>
      stream.next().value!,
);

function wandered(text: string, roll: Dice): SimulatedRun {
  const wandering = new WanderingRun(compileText(text), roll);
  wandering.wander(STEPS);
  return wandering.run;
}

/** The state after event `seq`, as a store would give it. */
function stored(log: readonly RunEvent[], seq: number): RunState {
  return decodeState(JSON.parse(JSON.stringify(encodeState(foldLog(INITIAL_STATE, log.slice(0, seq))))));
}

/** What a state indexes of its waits and sizes, without the form in which it does. */
function booksOf(state: RunState) {
  const { inFlight, moving, forPeople, stops, dueWaits, stateChars } = state;
  return { inFlight, moving, forPeople, stops, dueWaits, stateChars, wakeAt: wakeAtOf(state) };
}

/**
 * The executions that are to be called, with their attempt, and the child runs that are to be seen to, as if called once.
 */
function callsIn(commands: readonly Command[]): readonly (readonly [id: number, attempt: number])[] {
  return commands.flatMap((command) => {
    if (command.type === 'see-to-child') return [[command.child.id, 1] as const];
    return command.type === 'execute-unit'
      ? [[command.execution.id, command.execution.attempt] as const]
      : [];
  });
}

const ENDS = new Set(['run-completed', 'run-failed', 'run-cancelled']);

describe('a run to which anything may happen', () => {
  it('is told to be paused exactly while it is, each pause and each resume once', () => {
    let pauses = 0;
    fc.assert(
      fc.property(workflowText, dice, (text, roll) => {
        const wandering = new WanderingRun(compileText(text), roll);
        const { run } = wandering;
        wandering.wander(STEPS, () => {
          expect(run.state.isPauseTold).toBe(statusOf(run.state) === 'paused');
        });
        let isPaused = false;
        for (const { type, newStatus } of run.log) {
          if (newStatus !== undefined) expect(newStatus).toBe(isPaused ? 'running' : 'paused');
          if (newStatus === 'paused') pauses += 1;
          // That it is over is told by its end.
          isPaused = newStatus === undefined ? isPaused && !ENDS.has(type) : newStatus === 'paused';
        }
      }),
      { numRuns },
    );
    expect(pauses).toBeGreaterThan(0);
  }, 240_000);

  it('is told to be paused only where nothing of it moves, also between the halves of turns that were preempted', () => {
    let pauses = 0;
    fc.assert(
      fc.property(workflowText, dice, fc.integer({ min: 1, max: 6 }), (text, roll, most) => {
        const budget = () => ({ ...UNBOUNDED, events: 1 + (roll() % most) });
        const wandering = new WanderingRun(compileText(text), roll, budget);
        const { run } = wandering;
        run.postpones = () => roll() % 2 === 0;
        const moves = (state: RunState): boolean => {
          const signal = { type: 'continue', at: state.eventAt } as const;
          return decide(run.plan, state, signal, NO_LIMITS, { ...UNBOUNDED, events: 1 }).events.length > 0;
        };
        let seen = 0;
        const expectTruth = (): void => {
          for (const { seq, newStatus } of run.log.slice(seen)) {
            if (newStatus === 'paused') expect(moves(run.fold(seq))).toBe(false);
            if (newStatus !== undefined) expect(statusOf(run.fold(seq))).toBe(newStatus);
            if (newStatus === 'paused') pauses += 1;
          }
          seen = run.log.length;
          const isPaused = statusOf(run.state) === 'paused';
          if (run.state.isPauseTold) expect(isPaused).toBe(true);
          if (!run.isMidTurn) expect(run.state.isPauseTold).toBe(isPaused);
        };
        wandering.wander(STEPS, () => {
          expectTruth();
          if (roll() % 2 === 0) run.proceed();
        });
        while (run.proceed()) expectTruth();
        expectTruth();
      }),
      { numRuns },
    );
    expect(pauses).toBeGreaterThan(0);
  }, 240_000);

  it('is the same when its log is loaded as it was live, from whichever stored state the loading begins', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, roll) => {
        const { log, state } = wandered(text, roll);
        const live = encodeState(state);
        expect(encodeState(foldLog(INITIAL_STATE, JSON.parse(JSON.stringify(log))))).toEqual(live);
        const step = Math.max(1, Math.floor(log.length / 8));
        for (let seq = roll() % step; seq < log.length; seq += step) {
          const rest = log.slice(seq);
          const needed = baseStatesNeeded(seq, rest);
          const prefixes = new Map(needed.map((prefix) => [prefix, stored(log, prefix)]));
          expect(encodeState(foldLog(stored(log, seq), rest, prefixes))).toEqual(live);
        }
      }),
      { numRuns },
    );
  }, 240_000);

  it('is the same in however many pieces its log is folded', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, roll) => {
        const { log, state } = wandered(text, roll);
        let folded = INITIAL_STATE;
        for (let from = 0; from < log.length;) {
          const piece = log.slice(from, (from += 1 + (roll() % 5)));
          const needed = baseStatesNeeded(folded.seq, piece);
          const prefixes = new Map(needed.map((seq) => [seq, foldLog(INITIAL_STATE, log.slice(0, seq))]));
          folded = foldLog(folded, piece, prefixes);
        }
        expect(encodeState(folded)).toEqual(encodeState(state));
        expect(booksOf(folded)).toEqual(booksOf(state));
      }),
      { numRuns },
    );
  }, 240_000);

  it('leaves every state as it was that is still referenced, whatever follows', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, roll) => {
        const wandering = new WanderingRun(compileText(text), roll);
        const { run } = wandering;
        const held: (readonly [RunState, string])[] = [];
        // Code that changed a frozen value in place would throw.
        wandering.wander(STEPS, () => {
          held.push([deepFreeze(run.state), JSON.stringify(encodeState(run.state))]);
        });
        for (const [state, before] of held) {
          expect(JSON.stringify(encodeState(state))).toBe(before);
        }
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  }, 240_000);

  it('keeps state indexes that are those of its waits and its state counted anew, and the size of its stored form', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, roll) => {
        const wandering = new WanderingRun(compileText(text), roll);
        const { run } = wandering;
        wandering.wander(STEPS, () => {
          const encoded = encodeState(run.state);
          expect(booksOf(decodeState(encoded))).toEqual(booksOf(run.state));
          expect(charsOfEncoded(run.state)).toBe(approximateChars(encoded));
        });
      }),
      { numRuns },
    );
  }, 240_000);

  it('says after each turn what came up and what may be gone, so that the shell need not look at all that is open', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, roll) => {
        const wandering = new WanderingRun(compileText(text), roll);
        const { run } = wandering;
        const calls = new Map<number, number>(callsIn(pending(run.state)));
        wandering.wander(STEPS, (events) => {
          const { commands, isWhole, released, mayHaveReleasedOthers } = pendingAfter(run.state, events);
          if (isWhole) calls.clear();
          for (const id of released) calls.delete(id);
          for (const id of mayHaveReleasedOthers ? [...calls.keys()] : [])
            if (!isPending(run.state, id)) calls.delete(id);
          for (const [id, attempt] of callsIn(commands)) calls.set(id, attempt);
          expect([...calls].sort(([a], [b]) => a - b)).toEqual(callsIn(pending(run.state)));
        });
      }),
      { numRuns },
    );
  }, 240_000);

  it('causes the same events wherever its turns are preempted, if no time passes between them', () => {
    fc.assert(
      fc.property(workflowText, dice, fc.integer({ min: 1, max: 12 }), (text, roll, most) => {
        const plan = compileText(text);
        const rolls: number[] = [];
        const whole = new WanderingRun(
          plan,
          () => (rolls.push(roll()), rolls.at(-1)!),
          () => UNBOUNDED,
        );
        whole.wander(STEPS);
        let next = 0;
        let cuts = 0;
        const budget = () => ({ ...UNBOUNDED, events: 1 + (cuts++ % most) });
        const cut = new WanderingRun(plan, () => rolls[next++]!, budget);
        cut.wander(STEPS);
        expect(cut.run.log).toEqual(whole.run.log);
      }),
      { numRuns },
    );
  }, 240_000);

  it('has a log that is stored and read as it was written, in an order that never goes back, and is measured well', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, roll) => {
        const { log } = wandered(text, roll);
        const read = JSON.parse(JSON.stringify(log)) as readonly RunEvent[];
        expect(decodeEvents(read, 'run')).toBe(read);
        expect(read).toEqual(log);
        log.forEach((event, index) => {
          expect(event.seq).toBe(index + 1);
          expect(eventKind(event.type).chars(event)).toBe(approximateChars(event));
          expect(event.at).toBeGreaterThanOrEqual(log[index - 1]?.at ?? 0);
        });
      }),
      { numRuns },
    );
  }, 240_000);

  it('evaluates expressions in decide, and nowhere else', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, roll) => {
        const { log, state } = wandered(text, roll);
        const throwing = guardedPlan(compileText(text), () => {
          throw new Error('An expression was evaluated.');
        });
        expect(() => {
          const loaded = foldLog(INITIAL_STATE, log);
          pending(loaded);
          pendingAfter(loaded, log);
          statusOf(loaded);
          openExecutionsOf(loaded);
          decodeState(encodeState(loaded));
          // Nothing is ready to move in a loaded state, so nothing has to be chosen either.
          for (const type of ['timer-due', 'continue'] as const) decide(throwing, loaded, { type, at: 0 });
        }).not.toThrow();
        expect(state.seq).toBe(log.length);
      }),
      { numRuns },
    );
  }, 240_000);

  it('absorbs everything but a rewind and a note once it is over', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, roll) => {
        const run = wandered(text, roll);
        const at = 1e9;
        if (run.state.phase !== 'completed') {
          run.send({ type: 'cancel', at, by: ANN, graceMs: 0 });
          run.finish(() => 0);
        }
        const { log, state } = run;
        const answer = { attempt: 1, output: 1, patch: null, usage: null, metadata: null };
        const decision = { approved: true, responder: 'bob', by: ANN, comment: null };
        const begun = log.map(({ seq }) => ({ executionId: seq, attempt: 1 }));
        for (const { seq } of log) {
          expect(run.send({ type: 'unit-finished', at, executionId: seq, ...answer })).toEqual([]);
          expect(run.send({ type: 'decision', at, gateId: seq, ...decision })).toEqual([]);
          expect(run.send({ type: 'resume', at, pauseId: seq, by: ANN })).toEqual([]);
          expect(run.send({ type: 'undecided', at, executionId: seq, error: 'no' })).toEqual([]);
          expect(run.send({ type: 'budget-exceeded', at, executionId: seq })).toEqual([]);
        }
        for (const event of log) {
          if (event.type !== 'child-started') continue;
          const child = { at, childRunId: event.childRunId, key: event.key ?? event.seq };
          const end = {
            status: 'failed',
            output: null,
            error: 'no',
            usage: { tokens: 1, cost: 0 },
            seq: 1e6,
          } as const;
          expect(run.send({ type: 'child-ended', ...child, ...end })).toEqual([]);
          const told = {
            isPaused: true,
            seq: 1e6,
            stoppedSeq: 1e6,
            followedSeq: 0,
            isFollowing: false,
            isApart: false,
          };
          expect(run.send({ type: 'child-stands', ...child, ...told })).toEqual([]);
        }
        expect(run.send({ type: 'resume', at, pauseId: null, by: ANN })).toEqual([]);
        expect(run.send({ type: 'undecided', at, executionId: null, error: 'no' })).toEqual([]);
        expect(run.send({ type: 'recover', at, begun })).toEqual([]);
        expect(run.send({ type: 'cancel', at, by: ANN, graceMs: 0 })).toEqual([]);
        expect(run.send({ type: 'timer-due', at })).toEqual([]);
        const [note] = run.send({ type: 'note', at: at + 1, request: 'resume' });
        expect(note).toMatchObject({ type: 'request-noted', at: at + 1 });
        const { seq: _seq, eventAt: _eventAt, logChars: _logChars, ...shown } = state;
        expect(run.state).toMatchObject(shown);
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  }, 240_000);
});
