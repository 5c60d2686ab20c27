import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

describe('an adapter that rejects', () => {
  it('fails the unit that needed it, and neither the process nor another run notices', async () => {
    const { engine, clock } = await openEngine(
      { work: () => 'fine' },
      { secrets: { read: () => Promise.reject(new Error('vault token s3cr3t was refused')) } },
    );
    const unit = { id: 'a', uses: 'work', config: { token: '${secret:TOKEN}' } };
    await engine.workflows.register({
      yaml: workflowYaml('needy', { units: [unit], flow: 'a', policy: { retry: { maxAttempts: 2 } } }),
    });
    await engine.workflows.register({ yaml: inSequence('plain', [{ id: 'a', uses: 'work' }]) });
    const failing = engine.runs.start({ workflowId: 'needy', sync: true });
    await clock.advance(60_000);
    const record = await failing;
    expect(record).toMatchObject({ status: 'failed' });
    expect(record.error).toMatch(/^Unit a failed after 2 attempt\(s\): .*secret TOKEN/);
    expect(record.error).not.toContain('s3cr3t');
    expect((await engine.runs.start({ workflowId: 'plain', sync: true })).status).toBe('completed');
  });
});
