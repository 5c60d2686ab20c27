import fc from 'fast-check';
import type { Flight } from './flight.js';
import { Flights } from './flights.js';

const flightOf = (executionId: number): Flight => ({ executionId }) as Flight;

describe('the flights of a run', () => {
  it('are found by their execution, whether one is under way or many', () => {
    const step = fc.record({ isSet: fc.boolean(), id: fc.nat(4) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const flights = new Flights();
        const expected = new Map<number, Flight>();
        for (const { isSet, id } of steps) {
          const flight = flightOf(id);
          if (isSet) {
            flights.set(flight);
            expected.set(id, flight);
          } else {
            flights.delete(id);
            expected.delete(id);
          }
          expect(flights.size).toBe(expected.size);
          expect(new Set(flights.all())).toEqual(new Set(expected.values()));
          for (let known = 0; known <= 4; known += 1) expect(flights.get(known)).toBe(expected.get(known));
        }
      }),
    );
  });

  it('may be deleted while all of them are gone through', () => {
    const flights = new Flights();
    for (const id of [1, 2, 3]) flights.set(flightOf(id));
    for (const { executionId } of flights.all()) flights.delete(executionId);
    expect(flights.size).toBe(0);
  });
});
