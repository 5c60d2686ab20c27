import fc from 'fast-check';
import { isCheckpoint } from '../../src/engine/core/log/checkpoint.js';
import { approximateChars } from '../../src/engine/core/json-size.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { foldLog, sourceNeeded } from '../../src/engine/core/fold-log.js';
import { charsOfEncoded, decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { compileText, SimulatedRun, type Outcome } from '../support/simulated-run.js';
import { workflowText } from '../support/workflow-arbitrary.js';
import { lawCases } from '../support/law-cases.js';

/** `FLOWGATE_FORKS=2000` for the whole proof. */
const numRuns = lawCases(400, 'FLOWGATE_FORKS');

const dice = fc.infiniteStream(fc.nat(0xffff));

/** Where a run may be forked: after its checkpoints, and just before its units were scheduled. */
function placesOf(log: readonly RunEvent[]) {
  return log.flatMap((event) => {
    if (event.type === 'unit-scheduled' || event.type === 'timer-set' || event.type === 'gate-opened') {
      const { path, scope, unitId } = event;
      return [{ fromSeq: event.seq - 1, before: { path, scope, unitId } }];
    }
    return isCheckpoint(event) ? [{ fromSeq: event.seq }] : [];
  });
}

/** Once a unit fails, how far the branches next to it come is a matter of timing; how the run ends is not. */
function comparable(outcome: Outcome, hasFailures: boolean): unknown {
  return hasFailures ? { status: outcome.status } : { status: outcome.status, state: outcome.state };
}

const completedIn = (run: SimulatedRun) => [...run.state.completed.keys()].sort();

describe('a random workflow that is forked without changes', () => {
  it('ends as the run did, from wherever it is forked, fork after fork, however often it is killed', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, random) => {
        const roll = (sides: number) => random.next().value! % sides;
        const plan = compileText(text);
        const first = new SimulatedRun(plan);
        const outcome = first.finish(roll);
        let source = first;
        let hasFailures = outcome.hasFailures;
        for (let generation = 1; generation <= 3; generation++) {
          const places = placesOf(source.log);
          if (places.length === 0) return;
          const { fromSeq, ...before } = places[roll(places.length)]!;
          const logBefore = JSON.stringify(source.log);
          const fork = source.fork(fromSeq, before);
          let stored = fork.log.length;
          let crashes = 0;
          const forked = fork.finish(roll, () => {
            const grown = fork.log.length - stored;
            if (crashes < 5 && grown > 0 && roll(4) === 0) {
              crashes++;
              fork.crash(stored + roll(grown + 1));
            }
            stored = fork.log.length;
          });
          hasFailures ||= forked.hasFailures;
          expect(comparable(forked, hasFailures)).toEqual(comparable(outcome, hasFailures));
          if (!hasFailures) {
            expect(completedIn(fork)).toEqual(completedIn(first));
            expect(forked.executions.filter((one) => !outcome.executions.includes(one))).toEqual([]);
          }
          expect(JSON.stringify(source.log)).toBe(logBefore);
          expect(fork.state.generation).toBe(generation);
          source = fork;
        }
      }),
      { numRuns },
    );
  }, 120_000);

  it('does again all that is not done in the state with which it begins, and nothing else', () => {
    fc.assert(
      fc.property(workflowText, dice, (text, random) => {
        const roll = (sides: number) => random.next().value! % sides;
        const source = new SimulatedRun(compileText(text));
        const { hasFailures, executions } = source.finish(roll);
        const places = placesOf(source.log);
        if (hasFailures || places.length === 0) return;
        const { fromSeq } = places[roll(places.length)]!;
        const finished = source.log.filter(({ type, seq }) => type === 'unit-finished' && seq <= fromSeq);
        const again = source.fork(fromSeq).finish(roll);
        expect(again.executions).toHaveLength(executions.length - finished.length);
      }),
      { numRuns },
    );
  }, 60_000);

  it('has a state that is nothing but its log and that of its source, and stands at nothing that was open', () => {
    fc.assert(
      fc.property(workflowText, fc.nat(1_000), fc.nat(1_000), (text, at, cut) => {
        const source = new SimulatedRun(compileText(text));
        source.finish(() => 0);
        const places = placesOf(source.log);
        if (places.length === 0) return;
        const { fromSeq } = places[at % places.length]!;
        const fork = source.fork(fromSeq);
        const begun = fork.fold(2);
        // The deadline of a try begins anew with the fork itself.
        const waits = [...begun.waits.values()].filter(({ kind }) => kind !== 'deadline');
        expect([waits.length, begun.usage.tokens, begun.activeMs, begun.checkpoint]).toEqual([0, 0, 0, 2]);
        const seqs = [...begun.scopes.values()].flatMap(({ writes }) =>
          [...writes.values()].map(({ seq }) => seq),
        );
        expect(Math.max(0, ...seqs, ...begun.completed.values(), ...begun.decisions.keys())).toBe(0);
        fork.finish(() => 0);
        const live = encodeState(fork.state);
        const needed = sourceNeeded(fork.log);
        expect(needed).toEqual(fromSeq === 0 ? null : { runId: 'run', atSeq: fromSeq });
        const log = JSON.parse(JSON.stringify(fork.log)) as RunEvent[];
        expect(encodeState(foldLog(INITIAL_STATE, log, undefined, source.fold(fromSeq)))).toEqual(live);
        const length = 2 + (cut % (log.length - 1));
        const stored = JSON.parse(JSON.stringify(encodeState(fork.fold(length))));
        expect(encodeState(decodeState(stored))).toEqual(stored);
        expect(charsOfEncoded(decodeState(stored))).toBe(approximateChars(stored));
        expect(decodeState(stored).stateChars).toBe(fork.fold(length).stateChars);
        expect(encodeState(foldLog(decodeState(stored), log.slice(length)))).toEqual(live);
      }),
      { numRuns: Math.ceil(numRuns / 2) },
    );
  }, 60_000);
});
