import fc from 'fast-check';
import { foldLog } from '../../src/engine/core/fold-log.js';
import { decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import type { Plan } from '../../src/engine/core/plan/plan.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import { ANN, compileText, SimulatedRun, type Outcome } from '../support/simulated-run.js';
import { workflowText } from '../support/workflow-arbitrary.js';
import { lawCases } from '../support/law-cases.js';

const numRuns = lawCases(2_000);

/** An endless list of random numbers, used sequentially. */
const dice = fc.infiniteStream(fc.nat(0xffff));

function uninterrupted(text: string): { readonly outcome: Outcome; readonly run: SimulatedRun } {
  const run = new SimulatedRun(compileText(text));
  return { outcome: run.finish(() => 0), run };
}

/** Once a unit fails, how far the branches next to it come is a matter of timing; how the run ends is not. */
function comparable(outcome: Outcome): unknown {
  return outcome.hasFailures ? { status: outcome.status } : outcome;
}

/** The paths of the units that are called when a run is cancelled. */
function cleanUpCalls(plan: Plan): readonly string[] {
  const nodes = plan.onCancel?.branches ?? [];
  return nodes.flatMap((node) => {
    const unit = node.type === 'unit' ? plan.units.get(node.unitId) : undefined;
    return unit?.kind === 'execute' && unit.condition === null ? [node.path] : [];
  });
}

describe('a random workflow', () => {
  it('ends the same whatever the order in which its units complete', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, random) => {
        const { outcome } = uninterrupted(text);
        const shuffled = new SimulatedRun(compileText(text)).finish((count) => random.next().value! % count);
        expect(comparable(shuffled)).toEqual(comparable(outcome));
      }),
      { numRuns },
    );
  }, 120_000);

  it('ends the same when the process is stopped after any event and continues from the log', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, random) => {
        const { outcome } = uninterrupted(text);
        const run = new SimulatedRun(compileText(text));
        let stored = run.log.length;
        let crashes = 0;
        const crashed = run.finish(
          (count) => random.next().value! % count,
          () => {
            const grown = run.log.length - stored;
            if (crashes < 20 && grown > 0 && random.next().value! % 3 === 0) {
              crashes++;
              run.crash(stored + (random.next().value! % (grown + 1)));
            }
            stored = run.log.length;
          },
        );
        expect(comparable(crashed)).toEqual(comparable(outcome));
      }),
      { numRuns },
    );
  }, 120_000);

  it('ends the same however often it is paused on request, and killed while it winds down', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, random) => {
        const { outcome } = uninterrupted(text);
        const roll = (sides: number) => random.next().value! % sides;
        const run = new SimulatedRun(compileText(text));
        let disturbances = 0;
        const paused = run.finish(roll, () => {
          if (disturbances === 20 || roll(3) !== 0) return;
          disturbances++;
          if (roll(2) === 0) run.ask('pause', roll(2) * 50);
          else run.crash(run.log.length);
        });
        expect(comparable(paused)).toEqual(comparable(outcome));
      }),
      { numRuns },
    );
  }, 120_000);

  it('comes to its end once it is cancelled, wherever that meets it and however often it is killed meanwhile', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, random) => {
        const roll = (sides: number) => random.next().value! % sides;
        const plan = compileText(text);
        const run = new SimulatedRun(plan);
        let stepsToGo = roll(30);
        let asked = 0;
        let stored = 0;
        let crashes = 0;
        run.finish(roll, () => {
          if (asked === 0 && stepsToGo-- <= 0) {
            const events = run.ask('cancel', roll(2) * 50);
            stored = run.log.length;
            if (events.length > 0) asked = stored - events.length;
          } else if (asked > 0 && crashes < 10 && roll(4) === 0) {
            crashes++;
            run.crash(stored + roll(run.log.length - stored + 1));
            stored = run.log.length;
          }
        });
        if (asked === 0) return;
        // Gates that closed with it are told after it.
        const end = run.log.findLast(({ type }) => type !== 'gate-closed');
        expect(end).toMatchObject({ type: 'run-cancelled', by: ANN });
        expect(statusOf(run.state)).toBe('failed');
        // After the cancel was requested, only what is open of each `finally` is called, and then the clean-up: each unit
        // once, in the order of the document.
        const called = run.log
          .slice(asked)
          .flatMap((event) => (event.type === 'unit-scheduled' ? [event.path] : []));
        const cleanUp = cleanUpCalls(plan);
        const before = called.slice(0, called.length - cleanUp.length);
        expect(called.slice(before.length)).toEqual(cleanUp);
        expect(before.filter((path) => !path.includes('/finally'))).toEqual([]);
      }),
      { numRuns },
    );
  }, 120_000);

  it('has a state that is nothing but its log: folded twice the same, and the same after encoding', () => {
    fc.assert(
      fc.property(workflowText, fc.nat(1_000), (text, cut) => {
        const { run } = uninterrupted(text);
        const events = run.log.slice(0, 1 + (cut % run.log.length));
        const state = foldLog(INITIAL_STATE, events);
        const encoded = encodeState(state);
        expect(encodeState(foldLog(INITIAL_STATE, events))).toEqual(encoded);
        const stored = JSON.parse(JSON.stringify(encoded));
        expect(encodeState(decodeState(stored))).toEqual(encoded);
        const rest = run.log.slice(events.length);
        expect(encodeState(foldLog(decodeState(stored), rest))).toEqual(encodeState(run.state));
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  }, 60_000);

  it('yields no event for a signal about something that is closed already', () => {
    fc.assert(
      fc.property(workflowText, (text) => {
        const { run } = uninterrupted(text);
        const at = 1e9;
        for (const event of run.log) {
          const { type, seq } = event;
          if (type === 'unit-scheduled') {
            const finished = {
              executionId: seq,
              attempt: 1,
              output: 1,
              patch: null,
              usage: null,
              metadata: null,
            };
            expect(run.send({ type: 'unit-finished', at, ...finished })).toEqual([]);
          }
          if (event.type === 'child-started') {
            const { childRunId, key } = event;
            const child = { at, childRunId, key: key ?? seq };
            const usage = { tokens: 1, cost: 0 };
            const end = { status: 'completed', output: {}, error: null, usage, seq: 99 } as const;
            expect(run.send({ type: 'child-ended', ...child, ...end })).toEqual([]);
            const told = {
              isPaused: true,
              seq: 99,
              stoppedSeq: 99,
              followedSeq: 0,
              isFollowing: false,
              isApart: false,
            };
            expect(run.send({ type: 'child-stands', ...child, ...told })).toEqual([]);
            expect(run.send({ type: 'child-refused', ...child, error: 'no' })).toEqual([]);
          }
          if (type === 'gate-opened') {
            const decision = { gateId: seq, approved: true, responder: 'bob', by: ANN, comment: null };
            expect(run.send({ type: 'decision', at, ...decision })).toEqual([]);
          }
          if (type === 'paused') expect(run.send({ type: 'resume', at, pauseId: seq, by: ANN })).toEqual([]);
        }
        expect(run.send({ type: 'timer-due', at })).toEqual([]);
        expect(run.send({ type: 'continue', at })).toEqual([]);
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  }, 60_000);
});
