import { anonymous } from '../../src/engine/core/log/actor.js';
import { endImport, quarantine } from '../../src/engine/core/turn/outside-turns.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';

describe('an event that no turn emits', () => {
  it('continues its log, and is never earlier than the event before', () => {
    expect(quarantine({ seq: 4, at: 9_000 }, 5_000, 'died')).toEqual({
      type: 'paused',
      newStatus: 'paused',
      path: '',
      scope: '',
      unitId: '',
      reason: 'crash-limit',
      executionId: null,
      error: 'died',
      v: 2,
      seq: 5,
      at: 9_000,
    });
  });

  it('ends a log that was written elsewhere, with the state after it', () => {
    const by = anonymous('http');
    const before = { ...INITIAL_STATE, seq: 4, eventAt: 9_000 };
    const { event, state } = endImport(before, 12_000, { sha256: 'ab', by });
    expect(event).toEqual({ type: 'run-imported', sha256: 'ab', by, v: 1, seq: 5, at: 12_000 });
    expect(Object.isFrozen(event)).toBe(true);
    expect(state).toMatchObject({ seq: 5, isImported: true });
  });
});
