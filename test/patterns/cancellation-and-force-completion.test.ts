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

  it('withdraws one task when a person says so, and nothing else', async () => {
    const stage = await play('19-cancel-activity-by-race');
    await stage.decide();
    expect(stage.withdrawn).toEqual(['inspect']);
    expect(stage.atWork).toEqual(['value-house']);
    await stage.finish('value-house');
    await stage.finish('offer');
    expect(await stage.status()).toBe('completed');
    expect(Object.keys(await stage.state())).not.toContain('output.inspect');
  });

  it('withdraws nothing from a task that was done before', async () => {
    const stage = await play('19-cancel-activity-by-race');
    await stage.finish('inspect');
    expect(await stage.gates()).toEqual([]);
    await stage.finish('value-house');
    expect(stage.atWork).toEqual(['offer']);
    expect(stage.withdrawn).toEqual([]);
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
    expect(await stage.state()).toMatchObject({ 'output.collect': 'collect done' });
  });

  it('withdraws it when a person says so, without a failure', async () => {
    const stage = await play('25-cancel-region-by-race');
    await stage.finish('collect');
    await stage.decide();
    expect(stage.withdrawn.toSorted()).toEqual(['experts', 'question']);
    expect(stage.atWork).toEqual(['close']);
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
    await stage.finish('report');
    const state = await stage.state();
    expect(state).toMatchObject({ 'output.sample': 'a done' });
    expect(state).not.toHaveProperty('samples');
  });
});

pattern(27, 'Complete Multiple Instance Activity', () => {
  it('withdraws the instances that are not done when a person says so, and continues', async () => {
    const stage = await play('27-complete-multiple-instance-activity', { people: ['a', 'b', 'c'] });
    await stage.finish('b');
    await stage.decide();
    expect(stage.withdrawn).toEqual(['a', 'c']);
    expect(stage.atWork).toEqual(['evaluate']);
  });

  it('does so after a time, but collects nothing, which is why it is expressed only partly', async () => {
    const stage = await play('27-complete-multiple-instance-activity-by-time', { people: ['a', 'b', 'c'] });
    await stage.finish('b');
    await stage.pass(60_000);
    expect(stage.withdrawn).toEqual(['a', 'c']);
    await stage.finish('evaluate');
    const state = await stage.state();
    expect(state).toMatchObject({ 'output.ask': 'b done' });
    expect(state).not.toHaveProperty('answers');
  });
});
