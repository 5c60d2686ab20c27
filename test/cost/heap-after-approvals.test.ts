import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { InMemoryMemoryIndex, InMemoryRunStore } from '../../src/engine/index.js';
import { inSequence, openEngine } from '../support/engine.js';

/** 100,000 when run by hand; a leak of a run each (10 kB) shows with far fewer. */
const APPROVALS = Number(process.env['FLOWGATE_APPROVALS'] ?? 4_000);
const WARM_UP = 1_000;
const MAX_GROWTH_BYTES = 6 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('the heap', () => {
  it(`is where it was after ${APPROVALS} approvals, and after resumes of runs that are over`, async () => {
    const { engine } = await openEngine(
      {},
      { store: new InMemoryRunStore({ maxEndedRuns: 100 }), memory: new InMemoryMemoryIndex() },
    );
    await engine.workflows.register({ yaml: inSequence('g', [{ id: 'gate', uses: 'builtin.approval' }]) });
    const approve = async (): Promise<void> => {
      const { runId } = await engine.runs.start({ workflowId: 'g', sync: true });
      const address = { workflowId: 'g', runId };
      await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
      await engine.runs.resume(address);
    };
    for (let count = 0; count < WARM_UP; count++) await approve();
    const before = heapBytes();
    for (let count = 0; count < APPROVALS; count++) await approve();
    expect(heapBytes() - before).toBeLessThan(MAX_GROWTH_BYTES);
    await engine.close();
  }, 600_000);

  it('keeps nothing of a sync start that the store refused', async () => {
    const store = new InMemoryRunStore();
    const { engine, clock } = await openEngine({}, { store });
    await engine.workflows.register({ yaml: inSequence('g', [{ id: 'gate', uses: 'builtin.approval' }]) });
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('no'));
    const start = (): Promise<unknown> =>
      engine.runs
        .start({ workflowId: 'g', sync: true, input: { text: 'x'.repeat(10_000) } })
        .catch(() => null);
    // Each is looked up in the store again after a while, since its write was in doubt.
    const startAll = async (starts: number): Promise<void> => {
      for (let count = 0; count < starts; count++) await start();
      await clock.advance(1_000);
    };
    await startAll(100);
    const before = heapBytes();
    await startAll(1_000);
    expect(heapBytes() - before).toBeLessThan(2 * 1024 * 1024);
    store.append = append;
    await engine.close();
  }, 60_000);
});
