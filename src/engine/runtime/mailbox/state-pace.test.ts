import { compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { inSequence } from '../../../../test/support/engine.js';
import { approximateChars } from '../../core/json-size.js';
import type { RunEvent } from '../../core/log/event.js';
import { encodeState } from '../../core/state/state-codec.js';
import { STATE_VERSION, type RunState } from '../../core/state/state.js';
import { StatePace } from './state-pace.js';

const SHORTEST = 64 * 1024;
/** Of a log, an event is worth its own size. */
const FRAME = approximateChars({ text: '' });

const { state: small } = new SimulatedRun(compileText(inSequence('w', [{ id: 'a', uses: 'work' }])));

/** An event of so many characters. */
function eventOf(chars: number): RunEvent {
  return { text: 'x'.repeat(chars - FRAME) } as unknown as RunEvent;
}

/** A state that takes about so many characters when it is written. */
function stateOf(chars: number): RunState {
  const empty = approximateChars(encodeState({ ...small, input: { text: '' } }));
  return { ...small, input: { text: 'x'.repeat(chars - empty) } };
}

describe('a full state', () => {
  it('is stored once the log is so long that folding it costs more, and then not before it is as long again', () => {
    const pace = new StatePace();
    expect(pace.stateToStore(small, [eventOf(SHORTEST - 1)])).toBeNull();
    expect(pace.stateToStore(small, [eventOf(100)])).toEqual({
      seq: small.seq,
      stateVersion: STATE_VERSION,
      state: encodeState(small),
    });
    expect(pace.stateToStore(small, [eventOf(SHORTEST - 1)])).toBeNull();
    expect(pace.stateToStore(small, [eventOf(1_000)])).not.toBeNull();
  });

  it('is stored at the very character at which its time has come', () => {
    expect(new StatePace().stateToStore(small, [eventOf(SHORTEST)])).not.toBeNull();
    const large = stateOf(50_000);
    expect(new StatePace().stateToStore(large, [eventOf(200_000 - 1)])).toBeNull();
    expect(new StatePace().stateToStore(large, [eventOf(200_000)])).not.toBeNull();
  });

  it('counts every event of an append, and those of a log that was loaded', () => {
    const pace = new StatePace();
    pace.restart([eventOf(30_000), eventOf(30_000)]);
    expect(pace.stateToStore(small, [eventOf(2_000)])).toBeNull();
    expect(pace.stateToStore(small, [eventOf(2_000), eventOf(2_000)])).not.toBeNull();
  });

  it('is not counted from before a load', () => {
    const pace = new StatePace();
    pace.stateToStore(small, [eventOf(SHORTEST - 100)]);
    pace.restart([]);
    expect(pace.stateToStore(small, [eventOf(1_000)])).toBeNull();
  });

  it('waits, when it is large, until the log since the last one is four times as long', () => {
    const pace = new StatePace();
    const large = stateOf(100_000);
    expect(pace.stateToStore(large, [eventOf(300_000)])).toBeNull();
    expect(pace.stateToStore(large, [eventOf(99_999)])).toBeNull();
    expect(pace.stateToStore(large, [eventOf(1_000)])).not.toBeNull();
    // And again from there.
    expect(pace.stateToStore(large, [eventOf(399_999)])).toBeNull();
    expect(pace.stateToStore(large, [eventOf(1_000)])).not.toBeNull();
  });

  it('is not looked at each time while it is too large: only when the log has grown by as much', () => {
    const pace = new StatePace();
    pace.stateToStore(stateOf(100_000), [eventOf(100_000)]);
    // Were it looked at now, it would be worth its place.
    expect(pace.stateToStore(small, [eventOf(200_000)])).toBeNull();
    expect(pace.stateToStore(small, [eventOf(100_000)])).not.toBeNull();
  });

  it('is looked at again at once after a load, whatever it was before', () => {
    const pace = new StatePace();
    pace.stateToStore(stateOf(100_000), [eventOf(100_000)]);
    pace.restart([eventOf(SHORTEST)]);
    expect(pace.stateToStore(small, [eventOf(100)])).not.toBeNull();
  });
});
