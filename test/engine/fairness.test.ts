import { openEngine, workflowYaml } from '../support/engine.js';

describe('a long run of units that answer at once', () => {
  it('leaves the event loop its turns', async () => {
    const { engine } = await openEngine({ work: () => 1 });
    const units = [{ id: 'u', uses: 'work' }];
    const flow = { type: 'loop', do: 'u', maxIterations: 5_000 };
    await engine.workflows.register({ yaml: workflowYaml('long', { units, flow }) });
    let turns = 0;
    const count = (): void => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const record = await engine.runs.start({ workflowId: 'long', sync: true });
    clearImmediate(counting);
    expect(record.status).toBe('completed');
    expect(turns).toBeGreaterThan(15);
  });
});
