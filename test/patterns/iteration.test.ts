import { pattern } from './support/pattern.js';
import { play } from './support/stage.js';

pattern(21, 'Structured Loop', () => {
  it('repeats a task until what it gave is good, reading that after each pass', async () => {
    const stage = await play('21-structured-loop');
    await stage.finish('revision 1', { isGood: false });
    await stage.finish('revision 2', { isGood: false });
    await stage.finish('revision 3', { isGood: true });
    expect(stage.atWork).toEqual(['publish']);
    expect(stage.began).toEqual(['revision 1', 'revision 2', 'revision 3', 'publish']);
  });

  it('reads the condition before the first pass, with a switch around the loop', async () => {
    const good = await play('21-structured-loop-tested-before', { isGood: true });
    expect(good.atWork).toEqual(['publish']);
    const bad = await play('21-structured-loop-tested-before', { isGood: false });
    await bad.finish('revision 1', { isGood: true });
    expect(bad.began).toEqual(['revision 1', 'publish']);
  });
});

pattern(22, 'Recursion', () => {
  it('runs itself inside itself, and continues in each once the one inside is done', async () => {
    const stage = await play('22-recursion', { level: 3 });
    for (const level of [3, 2, 1]) {
      expect(stage.atWork).toEqual([`level ${level}`]);
      await stage.finish(`level ${level}`);
    }
    for (const level of [1, 2, 3]) {
      expect(stage.atWork).toEqual([`assemble ${level}`]);
      await stage.finish(`assemble ${level}`);
    }
    expect(await stage.status()).toBe('completed');
  });
});
