import fc from 'fast-check';
import type { AttemptInFlight } from './attempt-in-flight.js';
import { AttemptsInFlight } from './attempts-in-flight.js';

const attemptOf = (executionId: number): AttemptInFlight => ({ executionId }) as AttemptInFlight;

describe('the attempts in flight of a run', () => {
  it('are found by their execution, whether one is under way or many', () => {
    const step = fc.record({ isSet: fc.boolean(), id: fc.nat(4) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const attempts = new AttemptsInFlight();
        const expected = new Map<number, AttemptInFlight>();
        for (const { isSet, id } of steps) {
          const attempt = attemptOf(id);
          if (isSet) {
            attempts.set(attempt);
            expected.set(id, attempt);
          } else {
            attempts.delete(id);
            expected.delete(id);
          }
          expect(attempts.size).toBe(expected.size);
          expect(new Set(attempts.all())).toEqual(new Set(expected.values()));
          for (let known = 0; known <= 4; known += 1) expect(attempts.get(known)).toBe(expected.get(known));
        }
      }),
    );
  });

  it('may be deleted while they are iterated', () => {
    const attempts = new AttemptsInFlight();
    for (const id of [1, 2, 3]) attempts.set(attemptOf(id));
    for (const { executionId } of attempts.all()) attempts.delete(executionId);
    expect(attempts.size).toBe(0);
  });
});
