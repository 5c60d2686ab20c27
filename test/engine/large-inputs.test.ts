import { InMemoryRunStore } from '../../src/engine/index.js';
import { openEngine, workflowYaml } from '../support/engine.js';

describe("a run's input", () => {
  it('is in the log once, however many units receive it', async () => {
    const store = new InMemoryRunStore();
    const seen = new Set<unknown>();
    const { engine } = await openEngine({ work: ({ input }) => seen.add(input).size }, { store });
    const units = [{ id: 'u', uses: 'work' }];
    const flow = { type: 'loop', do: 'u', maxIterations: 50 };
    await engine.workflows.register({ yaml: workflowYaml('large', { units, flow }) });
    const input = { text: 'x'.repeat(100_000) };
    const { runId } = await engine.runs.start({ workflowId: 'large', input, sync: true });
    expect([...seen]).toEqual([input]);
    const events = await store.readEvents({ runId, afterSeq: 0, limit: 1_000 });
    expect(events).toHaveLength(152);
    expect(JSON.stringify(events).length).toBeLessThan(150_000);
  });
});
