import fc from 'fast-check';
import { isCheckpoint } from '../../src/engine/core/log/checkpoint.js';
import { restsOnUndone } from '../../src/engine/core/state/debts/way-back.js';
import { faultsOfUndoing } from '../support/compensation-model.js';
import { lawCases, shownUntil } from '../support/law-cases.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { WanderingRun, type Dice } from '../support/wandering-run.js';
import { timedWorkflowText } from '../support/workflow-arbitrary.js';

const numRuns = lawCases(2_000);
const STEPS = 60;

/** Most documents have no unit that can be undone: without them, too few cases would be about something. */
const undoableText = timedWorkflowText.filter((text) =>
  [...compileText(text).units.values()].some(({ compensate }) => compensate !== null),
);

const dice = fc.infiniteStream(fc.nat(0xffff)).map(
  (stream): Dice =>
    () =>
      stream.next().value!,
);

/** Nothing is left open in a run that completed. */
const expectAllClosed = ({ state }: SimulatedRun): void => {
  if (state.phase === 'completed') expect([state.scopes.size, state.forks.size]).toEqual([1, 0]);
};

const undoneIn = ({ log }: SimulatedRun): number =>
  log.filter((event) => event.type === 'unit-scheduled' && event.compensates !== undefined).length;

describe('what can be undone', () => {
  it('is undone exactly where it should be, once, the last one first: through failures, cancels, pauses and rewinds', () => {
    let undone = 0;
    const show = (): void =>
      fc.assert(
        fc.property(undoableText, dice, (text, roll) => {
          const plan = compileText(text);
          const wandering = new WanderingRun(plan, roll);
          const { run } = wandering;
          wandering.wander(STEPS);
          if (run.state.phase === 'failed' && roll() % 2 === 0)
            run.send({ type: 'cancel', at: 1e9, by: ANN, graceMs: 0 });
          run.limits = {};
          run.finish((count) => roll() % count);
          expect(faultsOfUndoing(plan, run.log)).toEqual([]);
          expectAllClosed(run);
          undone += undoneIn(run);
        }),
        { numRuns },
      );
    expect(shownUntil(() => undone > 0, show)).toBe(true);
  }, 240_000);

  it('is undone so also where the process is killed after any event', () => {
    let undone = 0;
    const show = (): void =>
      fc.assert(
        fc.property(undoableText, dice, (text, roll) => {
          const plan = compileText(text);
          const run = new SimulatedRun(plan);
          let stored = 0;
          let crashes = 0;
          run.finish(
            (count) => roll() % count,
            () => {
              if (crashes < 20 && roll() % 3 === 0) {
                crashes += 1;
                run.crash(stored + (roll() % (run.log.length - stored + 1)));
              }
              if (roll() % 20 === 0) run.ask(roll() % 2 === 0 ? 'cancel' : 'pause', (roll() % 2) * 50);
              stored = run.log.length;
            },
          );
          expect(faultsOfUndoing(plan, run.log)).toEqual([]);
          expectAllClosed(run);
          undone += undoneIn(run);
        }),
        { numRuns },
      );
    expect(shownUntil(() => undone > 0, show)).toBe(true);
  }, 240_000);

  it('is nothing to a fork, which undoes what it did itself', () => {
    let undone = 0;
    const show = (): void =>
      fc.assert(
        fc.property(undoableText, dice, (text, roll) => {
          const plan = compileText(text);
          const wandering = new WanderingRun(plan, roll);
          const { run: source } = wandering;
          wandering.wander(STEPS);
          const places = source.log
            .filter(isCheckpoint)
            .filter(({ seq }) => !restsOnUndone(source.fold(seq), source.state));
          const place = places[roll() % Math.max(1, places.length)];
          if (place === undefined || source.fold(place.seq).cancelling !== null) return;
          const fork = source.fork(place.seq);
          fork.limits = {};
          fork.finish((count) => roll() % count);
          if (fork.state.phase === 'failed') fork.send({ type: 'cancel', at: 1e9, by: ANN, graceMs: 0 });
          fork.finish((count) => roll() % count);
          expect(faultsOfUndoing(plan, fork.log)).toEqual([]);
          expectAllClosed(fork);
          undone += undoneIn(fork);
        }),
        { numRuns },
      );
    expect(shownUntil(() => undone > 0, show)).toBe(true);
  }, 240_000);
});
