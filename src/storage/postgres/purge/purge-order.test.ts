import { purgeOrder, withoutKept, type EndedRun } from './purge-order.js';

const run = (runId: string, forkedFrom: string | null = null): EndedRun => ({ runId, forkedFrom });

describe('the runs that go', () => {
  const judged = (runId: string, forkedFrom: string | null, mayGo = true) => ({ runId, forkedFrom, mayGo });

  it('are none that one which stays was forked from, over however many generations', () => {
    const runs = [judged('d', 'c'), judged('c', 'b', false), judged('b', 'a'), judged('a', null)];
    expect(withoutKept(runs).map(({ runId }) => runId)).toEqual(['d']);
    expect(withoutKept(runs.map((one) => ({ ...one, mayGo: true })))).toHaveLength(4);
    const others = [...runs, judged('f', 'e'), judged('e', 'z')];
    expect(withoutKept(others).map(({ runId }) => runId)).toEqual(['d', 'f', 'e']);
  });
});

describe('the order in which runs are purged', () => {
  it('is that in which they are given', () => {
    expect(purgeOrder([run('a'), run('b'), run('c')], [], 9)).toEqual(['a', 'b', 'c']);
    expect(purgeOrder([run('a'), run('b'), run('c')], [], 2)).toEqual(['a', 'b']);
    expect(purgeOrder([], [], 9)).toEqual([]);
  });

  it('has a run right after the last of its forks', () => {
    const ended = [run('a', 'source'), run('b'), run('c', 'source'), run('d')];
    expect(purgeOrder(ended, [run('source')], 9)).toEqual(['a', 'b', 'c', 'source', 'd']);
    expect(purgeOrder(ended, [run('source')], 4)).toEqual(['a', 'b', 'c', 'source']);
    // Something else keeps it.
    expect(purgeOrder(ended, [], 9)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('takes a chain of forks from its end to its beginning, and stops at the limit', () => {
    const chain = [run('three', 'two'), run('two', 'one'), run('one')];
    expect(purgeOrder([run('four', 'three'), run('x')], chain, 9)).toEqual([
      'four',
      'three',
      'two',
      'one',
      'x',
    ]);
    expect(purgeOrder([run('four', 'three'), run('x')], chain, 2)).toEqual(['four', 'three']);
  });

  it('has a run whose forks are of several generations after all of them', () => {
    const ended = [run('of one', 'one'), run('of two', 'two')];
    const kept = [run('two', 'one'), run('one')];
    expect(purgeOrder(ended, kept, 9)).toEqual(['of one', 'of two', 'two', 'one']);
  });
});
