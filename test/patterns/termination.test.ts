import { pattern } from './support/pattern.js';
import { play } from './support/stage.js';

pattern(11, 'Implicit Termination', () => {
  it('completes the run when nothing is left to do, and not before', async () => {
    const stage = await play('11-implicit-termination');
    await stage.finish('long');
    await stage.finish('longest');
    expect(await stage.status()).toBe('running');
    await stage.finish('short');
    expect(await stage.status()).toBe('completed');
  });
});

pattern(43, 'Explicit Termination', () => {
  it('ends the run where the document says so, and withdraws what is under way; it has failed then', async () => {
    const stage = await play('43-explicit-termination');
    await stage.finish('check-cover', { isCovered: false });
    expect(stage.withdrawn).toEqual(['assess']);
    expect(await stage.record()).toMatchObject({ status: 'failed', error: 'The claim is void.' });
    expect(stage.began).not.toContain('pay');
  });

  it('completes the run in the same way inside a try that lets that end pass, and keeps what was written', async () => {
    const stage = await play('43-explicit-termination-as-completed');
    await stage.finish('check-cover', { isCovered: false });
    expect(stage.withdrawn).toEqual(['assess']);
    expect(await stage.status()).toBe('completed');
    expect(await stage.state()).toMatchObject({ 'output.check-cover': { isCovered: false } });
    expect(stage.began).not.toContain('pay');
  });

  it('fails the run by a failure of another unit', async () => {
    const stage = await play('43-explicit-termination-as-completed');
    await stage.fail('assess');
    expect(await stage.record()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('assess failed'),
    });
  });
});
