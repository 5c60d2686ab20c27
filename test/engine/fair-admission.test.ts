import { openEngine, inSequence, workflowYaml } from '../support/engine.js';

const HANGING = 1_000;
const forever = () => new Promise<never>(() => undefined);

/** An engine with a thousand slots, a workflow `greedy` of a thousand units that never answer, and `quick` ones. */
async function opened() {
  let hanging = 0;
  const { engine } = await openEngine({
    hang: () => {
      hanging += 1;
      return forever();
    },
  });
  const ids = Array.from({ length: HANGING }, (_, index) => `u${index}`);
  const greedy = (id: string): string =>
    workflowYaml(id, {
      units: ids.map((unit) => ({ id: unit, uses: 'hang' })),
      flow: { type: 'parallel', units: ids },
      policy: { concurrency: { maxParallelUnits: HANGING } },
    });
  const register = (yaml: string) => engine.workflows.register({ yaml });
  const quick = async (workflowId: string) => {
    await register(inSequence(workflowId, [{ id: 'a', uses: 'builtin.mock', config: { response: 1 } }]));
    return engine.runs.start({ workflowId, sync: true });
  };
  return { engine, greedy, register, quick, hanging: () => hanging };
}

describe('a thousand hanging units of one workflow', () => {
  it('in one run, leave a slot for the first unit of another, and for another run of their own', async () => {
    const { engine, greedy, register, quick, hanging } = await opened();
    await register(greedy('greedy'));
    await engine.runs.start({ workflowId: 'greedy' });
    const before = hanging();
    expect(before).toBeGreaterThan(HANGING / 2);
    expect((await quick('other')).status).toBe('completed');
    await engine.runs.start({ workflowId: 'greedy' });
    expect(hanging()).toBeGreaterThan(before);
    await engine.close();
  });

  it('in a thousand runs, leave a slot for the first unit of another', async () => {
    const { engine, register, quick, hanging } = await opened();
    await register(inSequence('greedy', [{ id: 'a', uses: 'hang' }]));
    for (let run = 0; run < HANGING; run += 1) await engine.runs.start({ workflowId: 'greedy' });
    expect(hanging()).toBeGreaterThan(HANGING / 2);
    expect((await quick('other')).status).toBe('completed');
    await engine.close();
  });

  it('and as many of three more, still leave one for the next', async () => {
    const { engine, greedy, register, quick, hanging } = await opened();
    for (const workflowId of ['one', 'two', 'three', 'four']) {
      const before = hanging();
      await register(greedy(workflowId));
      await engine.runs.start({ workflowId });
      expect(hanging()).toBeGreaterThan(before);
    }
    expect((await quick('other')).status).toBe('completed');
    await engine.close();
  });
});
