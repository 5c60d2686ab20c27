import { inSequence, workflowYaml } from '../support/engine.js';
import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

const never = (): Promise<never> => new Promise(() => {});

describe('a run in flight', () => {
  it('continues after any number of graceful restarts: they count as no recovery', async () => {
    const folder = engines.folder();
    let calls = 0;
    const first = await engines.open(folder, { slow: () => (calls++, never()) });
    await first.engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'slow' }]) });
    const { runId } = await first.engine.runs.start({ workflowId: 'w' });
    const address = { workflowId: 'w', runId };
    await until(() => calls === 1, 'the unit is called');
    await first.engine.close();
    for (let restart = 2; restart <= 6; restart++) {
      const next = await engines.open(folder, { slow: () => (calls++, never()) });
      await until(() => calls === restart, 'the unit is called again');
      expect((await next.engine.runs.get(address)).status).toBe('running');
      await next.engine.close();
    }
    const last = await engines.open(folder, { slow: () => 'done' });
    await until(async () => (await last.engine.runs.get(address)).status === 'completed', 'the run ends');
  });

  it('that was queued and never called counts no recovery', async () => {
    const folder = engines.folder();
    const calls: string[] = [];
    const slow = ({ context }: { context: { unitId: string } }) => (calls.push(context.unitId), never());
    const first = await engines.open(folder, { slow });
    const units = ['called', 'queued'].map((id) => ({ id, uses: 'slow' }));
    await first.engine.workflows.register({
      yaml: workflowYaml('w', {
        units,
        flow: { type: 'parallel', units: ['called', 'queued'] },
        policy: { concurrency: { maxParallelUnits: 1 } },
      }),
    });
    const { runId } = await first.engine.runs.start({ workflowId: 'w' });
    await until(() => calls.length === 1, 'the first unit is called');
    for (let death = 1; death <= 2; death++) {
      // The folder as the death of the process would leave it; its engine is closed later, without an effect on the copy.
      const copy = engines.afterCrash(folder);
      const next = await engines.open(copy, { slow });
      await until(() => next.store.asked.length > 0, 'the run is taken over');
      const events = await next.store.readEvents({ runId, afterSeq: 0, limit: 100 });
      const recovered = events.filter(({ type }) => type === 'recovered');
      expect(recovered).toHaveLength(1);
      expect(recovered[0]).toMatchObject({ executionIds: [2] });
      await next.engine.close();
    }
  });
});
