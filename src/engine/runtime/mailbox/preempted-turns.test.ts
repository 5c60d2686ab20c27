import type { RunEvent } from '../../core/log/event.js';
import { INITIAL_STATE } from '../../core/state/state.js';
import { ManualClock } from '../../testing/manual-clock.js';
import type { DecidedBatch } from './decide-batch.js';
import { PreemptedTurns } from './preempted-turns.js';

const EVENTS = 1_000;

/** A turn that nobody sent a signal for: what is left of the one before. */
const goneOn = {
  results: [],
  events: { length: EVENTS } as unknown as readonly RunEvent[],
  state: INITIAL_STATE,
} as unknown as DecidedBatch;

/** How long a run waits in all that goes on by itself for so many turns. */
function waitedMs(turns: number, isFedByUnits: boolean): number {
  const preempted = new PreemptedTurns(
    new ManualClock(),
    () => undefined,
    () => false,
  );
  let waited = 0;
  for (let turn = 0; turn < turns; turn++) waited += preempted.waitAfter(INITIAL_STATE, goneOn, isFedByUnits);
  return waited;
}

describe('a run that goes on by itself', () => {
  it('is slowed after a hundred thousand events', () => {
    expect(waitedMs(100, false)).toBe(0);
    expect(waitedMs(101, false)).toBe(200);
  });

  it('is not slowed, however slow the machine and so however many its turns, where units bring it to its end', () => {
    expect(waitedMs(400, true)).toBe(0);
  });
});
