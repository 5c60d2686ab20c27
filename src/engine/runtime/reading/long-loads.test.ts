import { LongLoads } from './long-loads.js';

/** A load that is long, and ends when the test says so. */
function longLoad(loads: LongLoads, name: string, said: string[], namespace = 'default') {
  const { promise, resolve } = Promise.withResolvers<void>();
  const result = loads.run(namespace, async (admit) => {
    said.push(`${name} begins`);
    admit();
    said.push(`${name} is long`);
    await promise;
    return name;
  });
  return { result, end: resolve };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('long loads', () => {
  it('are two at a time: others release what they have, and begin again once a slot is free', async () => {
    const [loads, said] = [new LongLoads(), [] as string[]];
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => longLoad(loads, name, said)) as [
      ReturnType<typeof longLoad>,
      ReturnType<typeof longLoad>,
      ReturnType<typeof longLoad>,
      ReturnType<typeof longLoad>,
    ];
    await tick();
    expect(said).toEqual(['a begins', 'a is long', 'b begins', 'b is long', 'c begins', 'd begins']);
    b.end();
    await tick();
    expect(said.slice(6)).toEqual(['c begins', 'c is long']);
    for (const load of [a, c, d]) load.end();
    expect(await Promise.all([a, b, c, d].map(({ result }) => result))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('keep no short one waiting, and free their slot when they fail', async () => {
    const [loads, said] = [new LongLoads(), [] as string[]];
    const broken = loads.run('default', async (admit) => {
      admit();
      throw new Error('the store is gone');
    });
    await expect(broken).rejects.toThrow('the store is gone');
    const held = [longLoad(loads, 'a', said), longLoad(loads, 'b', said)];
    expect(await loads.run('default', async () => 'short')).toBe('short');
    expect(said).toContain('b is long');
    for (const { end } of held) end();
    await Promise.all(held.map(({ result }) => result));
  });

  it('take turns by namespace, however many another one has waiting', async () => {
    const [loads, said] = [new LongLoads(), [] as string[]];
    const greedy = ['a', 'b', 'c', 'd'].map((name) => longLoad(loads, name, said, 'greedy'));
    const other = longLoad(loads, 'other', said, 'other');
    await tick();
    for (const { end } of greedy.slice(0, 2)) end();
    await tick();
    const admitted = said.filter((line) => line.endsWith('is long'));
    expect(admitted).toEqual(['a is long', 'b is long', 'c is long', 'other is long']);
    for (const { end } of [...greedy, other]) end();
    await Promise.all([...greedy, other].map(({ result }) => result));
  });
});
