import { pattern } from './support/pattern.js';
import { play } from './support/stage.js';

const TWO_DAYS_MS = 2 * 86_400_000;

pattern(16, 'Deferred Choice', () => {
  it.each([
    [true, 'ship'],
    [false, 'return'],
  ])('leaves open which task is next until somebody outside decides: %s', async (approved, next) => {
    const stage = await play('16-deferred-choice');
    expect(stage.began).toEqual([]);
    await stage.decide(approved);
    expect(stage.atWork).toEqual([next]);
    await stage.finish(next);
    expect(stage.began).toEqual([next]);
    expect(await stage.status()).toBe('completed');
  });

  it('withdraws the time when the decision is first', async () => {
    const stage = await play('16-deferred-choice-by-race');
    expect(await stage.gates()).toEqual(['decide']);
    await stage.decide();
    expect(stage.atWork).toEqual(['contact']);
    await stage.finish('contact');
    await stage.pass(TWO_DAYS_MS);
    expect(stage.began).toEqual(['contact']);
    expect(await stage.status()).toBe('completed');
  });

  it('withdraws the decision when the time is first', async () => {
    const stage = await play('16-deferred-choice-by-race');
    await stage.pass(TWO_DAYS_MS - 1);
    expect(stage.began).toEqual([]);
    await stage.pass(1);
    expect(stage.atWork).toEqual(['escalate']);
    expect(await stage.gates()).toEqual([]);
  });
});

pattern(17, 'Interleaved Parallel Routing', () => {
  it('runs every task once, one at a time, none before those that it needs', async () => {
    const stage = await play('17-interleaved-parallel-routing');
    while (stage.atWork.length > 0) {
      expect(stage.atWork).toHaveLength(1);
      await stage.finish(stage.atWork[0] ?? '');
    }
    expect(await stage.status()).toBe('completed');
    expect(stage.began.toSorted()).toEqual(['blood-sample', 'blood-test', 'scan', 'surgery']);
    const place = (task: string): number => stage.began.indexOf(task);
    expect(place('blood-test')).toBeGreaterThan(place('blood-sample'));
    expect(place('surgery')).toBeGreaterThan(Math.max(place('scan'), place('blood-test')));
  });
});

pattern(40, 'Interleaved Routing', () => {
  it('runs every task once, one at a time, and continues after the last', async () => {
    const stage = await play('40-interleaved-routing');
    for (const task of ['oil', 'filter', 'engine', 'record']) {
      expect(stage.atWork).toEqual([task]);
      await stage.finish(task);
    }
    expect(await stage.status()).toBe('completed');
  });
});
