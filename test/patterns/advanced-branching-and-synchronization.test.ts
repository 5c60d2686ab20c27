import { pattern } from './support/pattern.js';
import { play } from './support/stage.js';

pattern(6, 'Multi-Choice', () => {
  it.each([
    [['police'], ['police']],
    [
      ['fire', 'ambulance'],
      ['ambulance', 'fire-brigade'],
    ],
    [
      ['fire', 'ambulance', 'police'],
      ['police', 'ambulance', 'fire-brigade'],
    ],
  ])('lets one or more branches begin, each by a condition of its own: %j', async (needs, called) => {
    const stage = await play('06-multi-choice', { needs });
    expect(stage.atWork).toEqual(called);
  });
});

pattern(7, 'Structured Synchronizing Merge', () => {
  it('waits for all branches that were chosen, and for no other', async () => {
    const stage = await play('07-structured-synchronizing-merge', { needs: ['police', 'fire'] });
    await stage.finish('fire-brigade');
    expect(stage.atWork).toEqual(['police']);
    await stage.finish('police');
    expect(stage.atWork).toEqual(['move']);
    expect(stage.began).toEqual(['police', 'fire-brigade', 'move']);
  });
});

pattern(8, 'Multi-Merge', () => {
  it('runs what the branches come to once for each of them, as soon as that one is there', async () => {
    const stage = await play('08-multi-merge');
    await stage.finish('roof');
    expect(stage.atWork).toEqual(['foundations', 'check']);
    await stage.finish('check');
    expect(await stage.status()).toBe('running');
    await stage.finish('foundations');
    expect(stage.atWork).toEqual(['check']);
    await stage.finish('check');
    expect(await stage.status()).toBe('completed');
  });
});

pattern(29, 'Cancelling Discriminator', () => {
  it.each([
    ['ask-north', 'ask-south'],
    ['ask-south', 'ask-north'],
  ])('goes on with the answer that is first and withdraws the rest: %s', async (first, other) => {
    const stage = await play('29-cancelling-discriminator');
    expect(stage.atWork).toEqual(['ask-north', 'ask-south']);
    await stage.finish(first, 'sunny');
    expect(stage.withdrawn).toEqual([other]);
    expect(stage.atWork).toEqual(['go-on']);
    expect(stage.inputOf('go-on')).toEqual({ answer: 'sunny' });
    await stage.finish('go-on');
    expect(await stage.status()).toBe('completed');
  });

  it('keeps what the first branch wrote', async () => {
    const stage = await play('29-cancelling-discriminator');
    await stage.finish('ask-south', 'sunny');
    await stage.finish('go-on');
    expect(await stage.state()).toMatchObject({ 'output.ask-south': 'sunny' });
  });
});

pattern(32, 'Cancelling Partial Join', () => {
  it('goes on when so many branches are done and withdraws the rest, by branches that fail', async () => {
    const stage = await play('32-cancelling-partial-join');
    await stage.finish('director');
    expect(stage.atWork).toEqual(['lawyer', 'auditor']);
    await stage.finish('lawyer');
    expect(stage.withdrawn).toEqual(['auditor']);
    expect(stage.atWork).toEqual(['lodge']);
    await stage.finish('lodge');
    expect(await stage.status()).toBe('completed');
  });
});

pattern(37, 'Acyclic Synchronizing Merge', () => {
  it('waits in a graph of no blocks for those that happen, each task by itself', async () => {
    const stage = await play('37-acyclic-synchronizing-merge', { isSteep: true });
    expect(stage.atWork).toEqual(['survey', 'soil']);
    await stage.finish('survey');
    expect(stage.atWork).toEqual(['soil', 'plan']);
    await stage.finish('soil');
    expect(stage.atWork).toEqual(['plan', 'dig']);
    await stage.finish('dig');
    expect(stage.atWork).toEqual(['plan']);
    await stage.finish('plan');
    expect(stage.atWork).toEqual(['build']);
  });

  it('does not wait for one that does not happen', async () => {
    const stage = await play('37-acyclic-synchronizing-merge', { isSteep: false });
    expect(stage.atWork).toEqual(['survey']);
    await stage.finish('survey');
    expect(stage.atWork).toEqual(['plan', 'dig']);
    await stage.finish('plan');
    await stage.finish('dig');
    await stage.finish('build');
    expect(await stage.status()).toBe('completed');
    expect(stage.began).toEqual(['survey', 'plan', 'dig', 'build']);
  });
});

pattern(41, 'Thread Merge', () => {
  it('makes one thread of those that went through one branch, once all have', async () => {
    const stage = await play('41-thread-merge');
    for (const wheel of [1, 2, 3]) await stage.finish(`wheel ${wheel}`);
    for (const wheel of [2, 3]) await stage.finish(`balance ${wheel}`);
    expect(stage.atWork).toEqual(['balance 1']);
    await stage.finish('balance 1');
    expect(stage.atWork).toEqual(['car']);
    await stage.finish('car');
    expect(stage.began.filter((call) => call === 'car')).toHaveLength(1);
    expect(await stage.status()).toBe('completed');
  });
});

pattern(42, 'Thread Split', () => {
  it('makes so many threads of one, which go through the same branch each by itself', async () => {
    const stage = await play('42-thread-split');
    expect(stage.atWork).toEqual(['order']);
    await stage.finish('order');
    expect(stage.atWork).toEqual(['wheel 1', 'wheel 2', 'wheel 3']);
    await stage.finish('wheel 2');
    expect(stage.atWork).toEqual(['wheel 1', 'wheel 3', 'balance 2']);
  });
});
