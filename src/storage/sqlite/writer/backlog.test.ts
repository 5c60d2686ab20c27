import { Backlog } from './backlog.js';

const MIB = 1024 * 1024;

/** An operation of a workflow, with a name to know it by. */
const item = (workflowId: string, name: string, chars = 10) => ({
  operation: [1, 'x'.repeat(chars)],
  origin: { namespace: 'default', workflowId },
  name,
});

function filled(items: readonly ReturnType<typeof item>[]) {
  const backlog = new Backlog<ReturnType<typeof item>>();
  for (const one of items) backlog.add(one);
  return { backlog, take: () => backlog.takeGroup().map(({ name }) => name) };
}

const many = (workflowId: string, count: number, chars?: number) =>
  Array.from({ length: count }, (_, index) => item(workflowId, `${workflowId}${index}`, chars));

describe('what waits to be written', () => {
  it('is one group, in the order in which it came, as long as it is small', () => {
    const { backlog, take } = filled([...many('a', 1_000), item('b', 'b')]);
    expect(backlog.isEmpty).toBe(false);
    expect(take()).toEqual([...many('a', 1_000).map(({ name }) => name), 'b']);
    expect([backlog.isEmpty, take()]).toEqual([true, []]);
  });

  it('of another workflow is in the next group, however many operations of one stand before it', () => {
    const { take } = filled([...many('a', 5_000), item('b', 'b0'), item('c', 'c0'), item('b', 'b1')]);
    const group = take();
    expect(group).toHaveLength(1_024);
    expect(group.slice(0, 4)).toEqual(['a0', 'b0', 'c0', 'a1']);
    expect(group).toContain('b1');
    // The others follow as they came.
    expect(take().slice(0, 2)).toEqual(['a1021', 'a1022']);
  });

  it('is never more than some MB at a time, and none of it is forgotten', () => {
    const { backlog, take } = filled([...many('a', 60, MIB / 2), item('b', 'b')]);
    const groups: (readonly string[])[] = [];
    while (!backlog.isEmpty) groups.push(take());
    expect(groups[0]).toContain('b');
    expect(Math.max(...groups.map(({ length }) => length))).toBeLessThanOrEqual(17);
    expect(groups.flat()).toHaveLength(61);
  });

  it('goes between the large ones, each of which is a group by itself', () => {
    const { backlog, take } = filled([...many('a', 3, 2 * MIB), item('b', 'b'), item('a', 'small')]);
    expect([take(), take()]).toEqual([['a0'], ['b', 'small']]);
    backlog.add(item('b', 'later'));
    expect([take(), take(), take(), take()]).toEqual([['a1'], ['later'], ['a2'], []]);
  });

  it('says how many of it are small, and whether a large one is next', () => {
    const { backlog, take } = filled([...many('a', 2, 2 * MIB), item('b', 'b')]);
    const told = (): unknown => [backlog.smallCount, backlog.isLargeNext];
    expect([told(), take(), told(), take(), told()]).toEqual([
      [1, true],
      ['a0'],
      [1, false],
      ['b'],
      [0, true],
    ]);
  });

  it('is the large one of the workflow whose last is longest ago', () => {
    const { take } = filled([...many('a', 3, 2 * MIB), ...many('b', 2, 2 * MIB), ...many('c', 1, 2 * MIB)]);
    const order = Array.from({ length: 6 }, take).flat();
    expect(order).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2']);
  });
});
