import { pattern } from './support/pattern.js';
import { play } from './support/stage.js';

pattern(1, 'Sequence', () => {
  it('begins a task once the one before it is done, and not earlier', async () => {
    const stage = await play('01-sequence');
    expect(stage.atWork).toEqual(['card-details']);
    await stage.finish('card-details', 'card 7');
    expect(stage.atWork).toEqual(['verify-account']);
    expect(stage.inputOf('verify-account')).toEqual({ of: 'card 7' });
    await stage.finish('verify-account');
    expect(await stage.status()).toBe('completed');
  });
});

pattern(2, 'Parallel Split', () => {
  it('lets one thread become several that are under way at the same time', async () => {
    const stage = await play('02-parallel-split');
    expect(stage.atWork).toEqual(['enrol']);
    await stage.finish('enrol');
    expect(stage.atWork).toEqual(['profile', 'letter']);
  });
});

pattern(3, 'Synchronization', () => {
  it.each([
    ['pack', 'invoice'],
    ['invoice', 'pack'],
  ])('goes on once all branches are done: %s, then %s', async (first, second) => {
    const stage = await play('03-synchronization');
    await stage.finish(first);
    expect(stage.atWork).toEqual([second]);
    await stage.finish(second);
    expect(stage.atWork).toEqual(['send']);
    expect(stage.inputOf('send')).toEqual({ packed: 'pack done', paid: 'invoice done' });
  });
});

pattern(4, 'Exclusive Choice', () => {
  it.each([
    [20_000, 'board'],
    [700, 'manager'],
    [5, 'clerk'],
  ])('takes exactly one branch by what the data say: of %i, %s', async (amount, chosen) => {
    const stage = await play('04-exclusive-choice', { amount });
    expect(stage.atWork).toEqual([chosen]);
    await stage.finish(chosen);
    expect(await stage.status()).toBe('completed');
    expect(stage.began).toEqual([chosen]);
  });

  it('takes exactly one branch by what a unit answers', async () => {
    const stage = await play('04-exclusive-choice-by-router');
    await stage.finish('count-votes', 'close');
    await stage.finish('recount');
    expect(stage.began).toEqual(['count-votes', 'recount']);
    expect(await stage.status()).toBe('completed');
  });
});

pattern(5, 'Simple Merge', () => {
  it.each(['cash', 'card'])(
    'continues after the one branch that ran, without waiting: %s',
    async (method) => {
      const stage = await play('05-simple-merge', { method });
      await stage.finish(method);
      expect(stage.atWork).toEqual(['receipt']);
      await stage.finish('receipt');
      expect(stage.began).toEqual([method, 'receipt']);
      expect(await stage.status()).toBe('completed');
    },
  );
});
