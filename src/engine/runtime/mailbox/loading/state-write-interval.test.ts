import { compileText, SimulatedRun } from '../../../../../test/support/simulated-run.js';
import { inSequence } from '../../../../../test/support/engine.js';
import { approximateChars } from '../../../core/json-size.js';
import { encodeState } from '../../../core/state/codec/state-codec.js';
import { STATE_VERSION, type RunState } from '../../../core/state/state.js';
import { StateWriteInterval } from './state-write-interval.js';

const SHORTEST = 64 * 1024;

const { state: few } = new SimulatedRun(compileText(inSequence('w', [{ id: 'a', uses: 'work' }])));
const small = { ...few, logChars: 0 };

/** A state that takes about so many characters when it is written. */
function stateOf(chars: number): RunState {
  const empty = approximateChars(encodeState({ ...small, input: { text: '' } }));
  return { ...small, input: { text: 'x'.repeat(chars - empty) } };
}

/** A run whose log grows by a number of characters at a time; returns the state to store then. */
function grows(state: RunState, interval = new StateWriteInterval(), from = 0) {
  let logChars = from;
  return (chars: number, then = state) => {
    logChars += chars;
    return interval.stateToStore({ ...then, logChars });
  };
}

describe('a full state', () => {
  it('is stored once the log is so long that folding it costs more, and then not before it is as long again', () => {
    const by = grows(small);
    expect(by(SHORTEST - 1)).toBeNull();
    expect(by(100)).toEqual({
      seq: small.seq,
      stateVersion: STATE_VERSION,
      state: encodeState({ ...small, logChars: SHORTEST + 99 }),
    });
    expect(by(SHORTEST - 1)).toBeNull();
    expect(by(1_000)).not.toBeNull();
  });

  it('is stored at the exact character at which it is worth storing', () => {
    expect(grows(small)(SHORTEST)).not.toBeNull();
    const large = stateOf(50_000);
    expect(grows(large)(200_000 - 1)).toBeNull();
    expect(grows(large)(200_000)).not.toBeNull();
  });

  it('counts the log from the stored state on that the run was loaded from', () => {
    const interval = new StateWriteInterval();
    interval.restart(1_000_000);
    const by = grows(small, interval, 1_000_000);
    expect(by(SHORTEST - 1)).toBeNull();
    expect(by(1)).not.toBeNull();
  });

  it('waits, when it is large, until the log since the last one is four times as long', () => {
    const by = grows(stateOf(100_000));
    expect(by(300_000)).toBeNull();
    expect(by(99_999)).toBeNull();
    expect(by(1_000)).not.toBeNull();
    // And again from there.
    expect(by(399_999)).toBeNull();
    expect(by(1_000)).not.toBeNull();
  });

  it('is not looked at each time while it is too large: only when the log has grown by as much', () => {
    const by = grows(stateOf(100_000));
    by(100_000);
    // If it were encoded now, it would be worth storing.
    expect(by(200_000, small)).toBeNull();
    expect(by(100_000, small)).not.toBeNull();
  });

  it('is looked at again at once after a load, whatever it was before', () => {
    const interval = new StateWriteInterval();
    grows(stateOf(100_000), interval)(100_000);
    interval.restart(0);
    expect(grows(small, interval)(SHORTEST)).not.toBeNull();
  });

  it('is never stored, nor even looked at, when it is so large that it would block the event loop', () => {
    const by = grows({ ...stateOf(100_000), stateChars: 4 * 1024 * 1024 });
    expect(by(1024 * 1024 * 1024)).toBeNull();
    // Once it is smaller it is looked at when the log has grown by what a large one takes.
    expect(by(1024 * 1024, small)).toBeNull();
    expect(by(3 * 1024 * 1024, small)).not.toBeNull();
  });

  it('is looked at a few times until it is worth storing, though it grows nearly as fast as its log', () => {
    const interval = new StateWriteInterval();
    let looks = 0;
    // Looking at it reads its input, and encoding it reads it again.
    const growing = (logChars: number): RunState => {
      const { input } = stateOf(Math.max(50_000, logChars / 5));
      return {
        ...small,
        logChars,
        get input() {
          return (looks++, input);
        },
      };
    };
    let stored = 0;
    for (let logChars = 200_000; logChars <= 1_300_000; logChars += 1_000) {
      if (interval.stateToStore(growing(logChars)) !== null) stored += 1;
    }
    expect([stored, looks]).toEqual([2, 7 + 2]);
  });
});
