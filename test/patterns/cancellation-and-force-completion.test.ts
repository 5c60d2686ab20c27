import { pattern } from './support/pattern.js';
import { play } from './support/stage.js';

pattern(19, 'Cancel Activity', () => {
  it('withdraws one task that takes too long, and nothing else', async () => {
    const stage = await play('19-cancel-activity');
    await stage.pass(59_999);
    expect(stage.withdrawn).toEqual([]);
    await stage.pass(1);
    expect(stage.withdrawn).toEqual(['search']);
    expect(stage.atWork).toEqual(['look-up']);
    await stage.finish('look-up');
    await stage.finish('answer');
    expect(await stage.status()).toBe('completed');
    expect(Object.keys(await stage.state())).toContain('errors.search');
  });
});

pattern(20, 'Cancel Case', () => {
  it('ends the whole run: tasks are notified, gates and timers close, nothing follows but the clean-up', async () => {
    const stage = await play('20-cancel-case');
    expect(stage.atWork).toEqual(['value-house']);
    expect(await stage.gates()).toEqual(['ask-bank']);
    const cancelled = stage.cancel();
    await stage.pass(0);
    expect(stage.withdrawn).toEqual(['value-house']);
    expect(stage.atWork).toEqual(['tell-customer']);
    expect(await stage.gates()).toEqual([]);
    await stage.finish('tell-customer');
    expect(await cancelled).toMatchObject({ status: 'failed', error: 'Cancelled by user' });
    await stage.pass(31 * 86_400_000);
    expect(stage.began).toEqual(['value-house', 'tell-customer']);
  });
});

pattern(25, 'Cancel Region', () => {
  it('withdraws all that is under way in a part of the flow, and nothing outside of it', async () => {
    const stage = await play('25-cancel-region');
    await stage.finish('collect');
    expect(stage.atWork).toEqual(['court', 'witness', 'question']);
    expect(await stage.gates()).toEqual(['sentence']);
    await stage.fail('witness');
    expect(stage.withdrawn).toEqual(['question']);
    expect(await stage.gates()).toEqual([]);
    expect(stage.atWork).toEqual(['court']);
    await stage.finish('court');
    await stage.finish('close');
    expect(await stage.status()).toBe('completed');
  });
});

pattern(26, 'Cancel Multiple Instance Activity', () => {
  it('withdraws the instances that are not done, begins no other, and continues', async () => {
    const stage = await play('26-cancel-multiple-instance-activity', { sites: ['a', 'b', 'c', 'd'] });
    await stage.finish('a');
    expect(stage.atWork).toEqual(['b', 'lab', 'c']);
    await stage.fail('lab');
    expect(stage.withdrawn.toSorted()).toEqual(['b', 'c']);
    expect(stage.atWork).toEqual(['report']);
    expect(stage.began).not.toContain('d');
  });
});
