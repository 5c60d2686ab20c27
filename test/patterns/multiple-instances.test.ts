import { pattern } from './support/pattern.js';
import { play } from './support/stage.js';

pattern(12, 'Multiple Instances without Synchronization', () => {
  it('lets what is next to the instances continue to its end while they are under way', async () => {
    const stage = await play('12-multiple-instances-without-synchronization', { fines: ['ann', 'bob'] });
    expect(stage.atWork).toEqual(['ann', 'bob', 'next-street']);
    await stage.finish('next-street');
    await stage.finish('report');
    expect(stage.atWork).toEqual(['ann', 'bob']);
    expect(await stage.status()).toBe('running');
    await stage.finish('bob');
    await stage.finish('ann');
    expect(await stage.status()).toBe('completed');
  });
});

pattern(13, 'Multiple Instances with a Priori Design-Time Knowledge', () => {
  it('has so many instances under way as the document says, and continues after the last', async () => {
    const stage = await play('13-multiple-instances-design-time');
    const all = [1, 2, 3, 4, 5, 6].map((number) => `director ${number}`);
    expect(stage.atWork).toEqual(all);
    for (const one of all.toReversed()) {
      expect(stage.atWork).not.toContain('lodge');
      await stage.finish(one);
    }
    expect(stage.atWork).toEqual(['lodge']);
  });
});

pattern(14, 'Multiple Instances with a Priori Run-Time Knowledge', () => {
  it('has so many instances as is known when they begin, and continues after the last', async () => {
    const stage = await play('14-multiple-instances-run-time');
    await stage.finish('examine', { symptoms: ['cough', 'fever', 'rash'] });
    expect(stage.atWork).toEqual(['cough', 'fever', 'rash']);
    await stage.finish('rash', 'mild');
    await stage.finish('cough', 'dry');
    expect(stage.atWork).toEqual(['fever']);
    await stage.finish('fever', 'high');
    expect(stage.atWork).toEqual(['diagnose']);
    expect(stage.inputOf('diagnose')).toEqual({ results: ['dry', 'high', 'mild'] });
  });

  it('continues at once where there is none', async () => {
    const stage = await play('14-multiple-instances-run-time');
    await stage.finish('examine', { symptoms: [] });
    expect(stage.atWork).toEqual(['diagnose']);
  });
});

pattern(35, 'Cancelling Partial Join for Multiple Instances', () => {
  it('goes on when so many instances are done and withdraws the rest, by instances that fail', async () => {
    const stage = await play('35-cancelling-partial-join-for-multiple-instances', {
      people: ['ann', 'bob', 'eve', 'joe'],
    });
    await stage.finish('eve');
    expect(stage.atWork).toEqual(['ann', 'bob', 'joe']);
    await stage.finish('ann');
    expect(stage.withdrawn).toEqual(['bob', 'joe']);
    expect(stage.atWork).toEqual(['decide']);
  });
});
