import { StoreError } from '../../../../errors/service-errors.js';
import { ENGINE_ACTOR } from '../../../core/log/actor.js';
import type { Signal } from '../../../core/signal.js';
import type { InboxMessage } from '../inbox/inbox-message.js';
import { storableInstead } from './storable-instead.js';

const TOO_LONG = new StoreError('it is too long: make it shorter', { permanent: true });

function insteadOf(...signals: readonly Signal[]): InboxMessage | null {
  return storableInstead({ signals, key: null, isKept: true, replies: [] }, TOO_LONG, 99);
}

describe('what is recorded in place of what can never be stored', () => {
  it('is, for an outcome, that the unit failed permanently, with the reason', () => {
    const finished: Signal = {
      type: 'unit-finished',
      at: 1,
      executionId: 7,
      attempt: 2,
      output: 'x',
      patch: null,
      usage: null,
      metadata: null,
    };
    expect(insteadOf(finished)).toEqual({
      signals: [
        {
          type: 'unit-attempt-failed',
          at: 99,
          executionId: 7,
          attempt: 2,
          error: 'its answer cannot be stored: it is too long: make it shorter',
          retryable: false,
          outcome: 'unknown',
          retryAfterMs: null,
        },
      ],
      key: null,
      isKept: true,
      replies: [],
    });
  });

  it('is, for a failure, a pause that freezes the execution', () => {
    const failed: Signal = {
      type: 'unit-attempt-failed',
      at: 1,
      executionId: 7,
      attempt: 2,
      error: 'x',
      retryable: true,
      outcome: 'refused',
      retryAfterMs: null,
    };
    expect(insteadOf(failed)?.signals).toEqual([
      { type: 'undecided', at: 99, executionId: 7, error: TOO_LONG.message },
    ]);
  });

  it('is, for anything else, a pause of the run', () => {
    for (const signal of [
      { type: 'timer-due', at: 1 },
      { type: 'cancel', at: 1, by: ENGINE_ACTOR, graceMs: 0 },
    ] as const) {
      expect(insteadOf(signal)?.signals).toEqual([
        { type: 'undecided', at: 99, executionId: null, error: TOO_LONG.message },
      ]);
    }
  });

  it('is nothing when that pause itself cannot be stored, or there was nothing to store', () => {
    expect(insteadOf({ type: 'undecided', at: 1, executionId: 7, error: 'x' })).toBeNull();
    expect(insteadOf({ type: 'undecided', at: 1, executionId: null, error: 'x' })).toBeNull();
    expect(insteadOf()).toBeNull();
  });
});
