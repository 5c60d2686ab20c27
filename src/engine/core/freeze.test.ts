import { deepFreeze } from './freeze.js';

describe('freezing a JSON value', () => {
  it('freezes it and all that is inside, and returns the same value', () => {
    const value = { list: [{ deep: [1] }], text: 'a', nothing: null };
    expect(deepFreeze(value)).toBe(value);
    expect([value, value.list, value.list[0], value.list[0]!.deep].every(Object.isFrozen)).toBe(true);
  });

  it.each([null, 1, 'text', true])('leaves %p as it is', (value) => {
    expect(deepFreeze(value)).toBe(value);
  });

  it('stops at what is frozen already', () => {
    const inside = { changeable: 1 };
    deepFreeze({ frozen: Object.freeze({ inside }) });
    expect(Object.isFrozen(inside)).toBe(false);
  });

  it('takes a value of any depth', () => {
    let value: object = {};
    const innermost = value;
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    deepFreeze(value);
    expect(Object.isFrozen(innermost)).toBe(true);
  });
});
