import { InMemoryRunStore } from '../../src/engine/index.js';
import { openEngine, workflowYaml } from '../support/engine.js';

/** A store that counts how often a run was read. */
class CountingStore extends InMemoryRunStore {
  loads = 0;

  override load(...request: Parameters<InMemoryRunStore['load']>) {
    this.loads += 1;
    return super.load(...request);
  }
}

describe('a run that waits again and again', () => {
  const loopOf = (durationMs: number) =>
    workflowYaml('loop', {
      units: [{ id: 'wait', uses: 'builtin.wait', config: { durationMs } }],
      flow: { type: 'foreach', items: 'input.items', do: 'wait', maxConcurrency: 1 },
    });

  async function play(durationMs: number, passes: number) {
    const store = new CountingStore();
    const { engine, clock } = await openEngine({}, { store });
    await engine.workflows.register({ yaml: loopOf(durationMs) });
    const items = Array.from({ length: passes }, (_, index) => index);
    const { runId } = await engine.runs.start({ workflowId: 'loop', input: { items } });
    const address = { workflowId: 'loop', runId };
    for (let step = 0; step < passes * 20; step += 1) {
      if ((await engine.runs.get(address)).status === 'completed') break;
      await clock.advance(durationMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { status } = await engine.runs.get(address);
    await engine.close();
    return { status, loads: store.loads };
  }

  it('stays in memory over short waits: otherwise each would cost as much as the whole run before it', async () => {
    const { status, loads } = await play(1, 100);
    expect(status).toBe('completed');
    expect(loads).toBeLessThan(10);
  });

  it('leaves memory over waits that are longer', async () => {
    const { status, loads } = await play(60_000, 20);
    expect(status).toBe('completed');
    expect(loads).toBeGreaterThanOrEqual(20);
  });
});
