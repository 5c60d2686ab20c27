import { InMemoryRunStore } from '../../src/engine/index.js';
import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import { until } from '../support/eventually.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

/** A store that delays the first events of child runs until they may be stored. */
class DelayedStore extends InMemoryRunStore {
  begun = 0;
  private release: () => void = () => undefined;
  private readonly released = new Promise<void>((resolve) => {
    this.release = resolve;
  });

  override async append(request: AppendRequest) {
    const [first] = request.events;
    if (first?.type === 'run-started' && 'parent' in first && first.parent !== null) {
      this.begun += 1;
      await this.released;
    }
    return super.append(request);
  }

  letGo(): void {
    this.release();
  }
}

/** The count, once it is above 0 and no longer changes. */
async function settled(count: () => number): Promise<number> {
  for (let before = -1; before < 1 || before !== count();) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return count();
}

describe('a run with many children, of which most have not begun', () => {
  it('begins no more of them once it is cancelled, and ends those that were being started', async () => {
    const store = new DelayedStore();
    const { engine } = await openEngine({}, { store });
    const leaf = { id: 'wait', uses: 'builtin.wait', config: { duration: 'P1D' } };
    await engine.workflows.register({ yaml: inSequence('leaf', [leaf]) });
    await engine.workflows.register({
      yaml: workflowYaml('fan', {
        units: [{ id: 'child', uses: 'builtin.workflow', config: { workflowId: 'leaf' } }],
        flow: { type: 'foreach', items: 'input.items', do: 'child', maxConcurrency: 300 },
      }),
    });
    const items = Array.from({ length: 300 }, (_, index) => index);
    const { runId } = await engine.runs.start({ workflowId: 'fan', input: { items } });
    // As many as are begun at once; none of them ends before it is released.
    const atOnce = await settled(() => store.begun);
    expect(atOnce).toBeLessThan(300);
    expect(await engine.runs.cancel({ workflowId: 'fan', runId })).toMatchObject({ status: 'failed' });
    store.letGo();
    const open = async () =>
      (await store.listChildren({ parentRunId: runId, afterRunId: null, limit: 500 })).length;
    await until(async () => (await open()) === 0, 'nothing of the family is open');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(store.begun).toBe(atOnce);
    await engine.close();
  });
});
