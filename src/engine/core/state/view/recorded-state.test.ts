import { inSequence } from '../../../../../test/support/engine.js';
import { compileText, SimulatedRun } from '../../../../../test/support/simulated-run.js';
import { charsOfWrites } from './recorded-state.js';

const plan = compileText(inSequence('w', [{ id: 'a', uses: 'work' }]));

describe('the characters of what a record shows', () => {
  it.each([0, 10, 20_000])(
    'are about those of its JSON, also with %d keys that the state holds dear',
    (keys) => {
      const input = Object.fromEntries(
        Array.from({ length: keys }, (_, i) => [`key${i}`, 'x'.repeat(i % 50)]),
      );
      const { state } = new SimulatedRun(plan, {}, input);
      const { length } = JSON.stringify(input);
      expect(Math.abs(charsOfWrites(state) - length)).toBeLessThanOrEqual(2 + keys * 2);
      expect(state.stateChars).toBeGreaterThanOrEqual(keys * 200);
    },
  );
});
