import fc from 'fast-check';
import { callerIn } from '../caller.js';
import { DividedSlots } from './divided-slots.js';

/** Takes as many as it may. */
function takeAll(slots: DividedSlots, caller: string | null): (() => void)[] {
  const taken: (() => void)[] = [];
  while (slots.mayTake(caller)) taken.push(slots.take(caller));
  return taken;
}

describe('slots that are divided', () => {
  it('leave a quarter to other namespaces, and of a namespace a quarter to its other owners', () => {
    const slots = new DividedSlots(1_000);
    const ann = takeAll(slots, callerIn('acme', 'ann'));
    expect(ann).toHaveLength(563);
    expect(ann.length + takeAll(slots, callerIn('acme', 'bob')).length).toBeLessThan(750);
    for (let n = 0; n < 300; n += 1) takeAll(slots, callerIn('acme', `owner ${n}`));
    const left = takeAll(slots, null).map((giveBack) => giveBack());
    expect(left).toHaveLength(250);
    expect(takeAll(slots, callerIn('globex', 'eve')).length).toBeGreaterThan(100);
  });

  it('are all for whoever is nobody in particular', () => {
    expect(takeAll(new DividedSlots(10), null)).toHaveLength(10);
  });

  it('are for whoever comes first where there is a single one', () => {
    expect(takeAll(new DividedSlots(1), callerIn('acme', 'ann'))).toHaveLength(1);
  });

  it('come back, each once', () => {
    const slots = new DividedSlots(2);
    const [first] = takeAll(slots, callerIn('acme', 'ann'));
    first?.();
    first?.();
    expect(takeAll(slots, null)).toHaveLength(1);
  });

  // Two namespaces leave a quarter of a quarter, and that has to be one.
  it('are never more than there are, and of 20 one is there for a third namespace whatever two others take', () => {
    const caller = fc.tuple(fc.constantFrom('a', 'b'), fc.nat({ max: 5 }));
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 200 }),
        fc.array(caller, { maxLength: 400 }),
        (most, callers) => {
          const slots = new DividedSlots(most);
          let taken = 0;
          for (const [namespace, name] of callers) {
            if (!slots.mayTake(callerIn(namespace, `${name}`))) continue;
            slots.take(callerIn(namespace, `${name}`));
            taken += 1;
          }
          expect(taken).toBeLessThan(most);
          expect(slots.mayTake(callerIn('c', 'new'))).toBe(true);
        },
      ),
    );
  });
});
