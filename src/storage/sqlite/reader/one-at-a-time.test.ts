import { OneAtATime } from './one-at-a-time.js';

describe('lists that are requested at once', () => {
  it('are read one after the other, in order, also after one that failed', async () => {
    const lists = new OneAtATime();
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const ask = (number: number) => () =>
      new Promise<number>((resolve, reject) => {
        started.push(number);
        ends.push(() => (number === 1 ? reject(new Error('no')) : resolve(number)));
      });
    const answers = [1, 2, 3].map((number) => lists.run(ask(number)));
    const failure = answers[0]!.catch((error: unknown) => error);
    await Promise.resolve();
    expect(started).toEqual([1]);
    ends[0]!();
    await expect(failure).resolves.toMatchObject({ message: 'no' });
    await Promise.resolve();
    expect(started).toEqual([1, 2]);
    ends[1]!();
    await expect(answers[1]).resolves.toBe(2);
    await Promise.resolve();
    ends[2]!();
    await expect(answers[2]).resolves.toBe(3);
    expect(started).toEqual([1, 2, 3]);
  });
});
