import { jest } from '@jest/globals';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import { openEngine, workflowYaml } from '../support/engine.js';

const approval = (id: string, config: object = {}) => ({ id, uses: 'builtin.approval', config });

/** A run that waits at two gates at once, next to a unit that never answers where there is one. */
async function waitingAtTwo(units: readonly object[] = []) {
  const store = new InMemoryRunStore();
  const never = () => new Promise(() => undefined);
  const { engine, clock } = await openEngine(
    { work: never, broken: () => Promise.reject(new Error('no')) },
    { store },
  );
  const asked = { title: 'Pay 7?', description: 'To Ann', payload: { total: '${{ input.total }}' } };
  const all = [approval('plain'), approval('asked', asked), ...units];
  const flow = { type: 'parallel', units: (all as { id: string }[]).map(({ id }) => id) };
  await engine.workflows.register({ yaml: workflowYaml('w', { units: all, flow }) });
  const sync = units.length === 0;
  const { runId } = await engine.runs.start({ workflowId: 'w', input: { total: 7 }, sync });
  await clock.advance(1);
  return { engine, store, clock, address: { workflowId: 'w', runId }, startedAt: clock.now() - 1 };
}

describe('the open gates of a run', () => {
  it('are those that wait for a decision, oldest first, with what they ask', async () => {
    const { engine, address, startedAt } = await waitingAtTwo();
    const [plain, asked, ...more] = await engine.gates.open(address);
    expect(plain).toMatchObject({ unitId: 'plain', description: null, payload: null });
    expect(asked).toEqual({
      gateId: asked!.gateId,
      unitId: 'asked',
      title: 'Pay 7?',
      description: 'To Ann',
      payload: { total: 7 },
      openedAt: startedAt,
    });
    expect([more, plain!.gateId < asked!.gateId]).toEqual([[], true]);
    await engine.gates.respond({ ...address, gateId: plain!.gateId, approved: true, responder: 'ann' });
    expect(await engine.gates.open(address)).toEqual([asked]);
    await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    expect(await engine.gates.open(address)).toEqual([]);
  });

  it('are the same for a process that reads the run from the store', async () => {
    const { engine, store, address } = await waitingAtTwo();
    const other = await openEngine({}, { store });
    expect(await other.engine.gates.open(address)).toEqual(await engine.gates.open(address));
    expect(await other.engine.gates.open(address)).toHaveLength(2);
  });

  it('are read together where they opened together', async () => {
    const store = new InMemoryRunStore();
    const { engine } = await openEngine({}, { store });
    const flow = { type: 'foreach', items: 'input.list', do: 'ask', maxConcurrency: 1_000 };
    await engine.workflows.register({ yaml: workflowYaml('w', { units: [approval('ask')], flow }) });
    const list = Array.from({ length: 400 }, () => 1);
    const { runId } = await engine.runs.start({ workflowId: 'w', input: { list }, sync: true });
    const other = await openEngine({}, { store });
    const read = jest.spyOn(store, 'readEvents');
    expect(await other.engine.gates.open({ workflowId: 'w', runId })).toHaveLength(400);
    expect(read.mock.calls.length).toBeLessThan(10);
  });

  it('are there while another branch continues, and none once the run has failed', async () => {
    const running = await waitingAtTwo([{ id: 'slow', uses: 'work' }]);
    expect((await running.engine.runs.get(running.address)).status).toBe('running');
    expect(await running.engine.gates.open(running.address)).toHaveLength(2);
    const failed = await waitingAtTwo([
      { id: 'broken', uses: 'broken', policyOverrides: { retry: { maxAttempts: 1 } } },
    ]);
    expect((await failed.engine.runs.get(failed.address)).status).toBe('failed');
    expect(await failed.engine.gates.open(failed.address)).toEqual([]);
  });

  it('are of a run of that workflow and namespace', async () => {
    const { engine, address } = await waitingAtTwo();
    for (const other of [{ runId: 'nobody' }, { workflowId: 'v' }, { namespace: 'acme' }]) {
      await expect(engine.gates.open({ ...address, ...other })).rejects.toMatchObject({
        code: 'unknown-run',
      });
    }
  });
});
