import { pattern } from './support/pattern.js';
import { play } from './support/stage.js';

pattern(23, 'Transient Trigger', () => {
  it('loses a trigger that comes when nothing waits for it, and takes the one that comes then', async () => {
    const stage = await play('23-transient-trigger');
    await stage.decide();
    await stage.finish('prepare');
    expect(await stage.gates()).toEqual(['go-ahead']);
    expect(stage.began).toEqual(['prepare']);
    await stage.decide();
    expect(stage.atWork).toEqual(['launch']);
  });
});

pattern(24, 'Persistent Trigger', () => {
  it('keeps a trigger that comes before the task can begin, until it can', async () => {
    const stage = await play('24-persistent-trigger');
    await stage.decide(true, 'bob');
    expect(stage.atWork).toEqual(['prepare']);
    await stage.finish('prepare');
    expect(stage.atWork).toEqual(['launch']);
    expect(stage.inputOf('launch')).toEqual({ by: 'bob' });
  });

  it('waits for a trigger that comes after all else is ready', async () => {
    const stage = await play('24-persistent-trigger');
    await stage.finish('prepare');
    expect(stage.atWork).toEqual([]);
    await stage.decide(true, 'bob');
    expect(stage.atWork).toEqual(['launch']);
  });
});
