import { Admission } from './admission.js';

/** Somebody who takes a place when there is one, and says so. */
function visitor(admission: Admission, name: string, entered: string[]): () => void {
  const enter = (): void => {
    if (admission.tryEnter(enter)) entered.push(name);
  };
  return enter;
}

describe('the places among the executions of a process', () => {
  it('are as many as it was told, and no more', () => {
    const admission = new Admission(2);
    const never = (): void => undefined;
    expect([1, 2, 3].map(() => admission.tryEnter(never))).toEqual([true, true, false]);
  });

  it('go to those who wait, in the order in which they came, one for each that comes free', () => {
    const admission = new Admission(1);
    const entered: string[] = [];
    for (const name of ['a', 'b', 'c']) visitor(admission, name, entered)();
    expect(entered).toEqual(['a']);
    admission.leave();
    expect(entered).toEqual(['a', 'b']);
    admission.leave();
    expect(entered).toEqual(['a', 'b', 'c']);
  });

  it('go to the next one when whoever waited has nothing to call any more', () => {
    const admission = new Admission(1);
    const entered: string[] = [];
    visitor(admission, 'a', entered)();
    admission.tryEnter(() => entered.push('asked, and did not enter'));
    visitor(admission, 'b', entered)();
    admission.leave();
    expect(entered).toEqual(['a', 'asked, and did not enter', 'b']);
    expect(admission.tryEnter(() => undefined)).toBe(false);
  });

  it('are offered once to who asked several times', () => {
    const admission = new Admission(1);
    let offers = 0;
    const retry = (): void => {
      offers += 1;
    };
    admission.tryEnter(() => undefined);
    for (let times = 0; times < 3; times += 1) admission.tryEnter(retry);
    admission.leave();
    expect(offers).toBe(1);
    expect(admission.tryEnter(() => undefined)).toBe(true);
    admission.leave();
    expect(offers).toBe(1);
  });
});
