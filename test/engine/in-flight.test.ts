import type { EngineOptions } from '../../src/engine/index.js';
import { systemClock } from '../../src/engine/runtime/system-clock.js';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import { inSequence, openEngine } from '../support/engine.js';
import { eventually } from '../support/eventually.js';

/** A store that the next engine opens again. */
class UnclosedStore extends InMemoryRunStore {
  override async close(): Promise<void> {}
}

const never = () => new Promise<never>(() => undefined);

/** An engine with a workflow of these units, of which `runs` are started. */
async function engineWith(
  units: Parameters<typeof inSequence>[1],
  handlers: Parameters<typeof openEngine>[0],
  { runs = 1, ...options }: { readonly runs?: number } & Partial<EngineOptions> = {},
) {
  const { engine } = await openEngine(handlers, { clock: systemClock, ...options });
  await engine.workflows.register({ yaml: inSequence('w', units) });
  for (let run = 0; run < runs; run += 1) await engine.runs.start({ workflowId: 'w' });
  return engine;
}

describe('what an engine has in flight', () => {
  it('is nothing at first, and nothing when all have ended', async () => {
    const engine = await engineWith([{ id: 'a', uses: 'work' }], { work: () => 1 }, { runs: 0 });
    await engine.runs.start({ workflowId: 'w', sync: true });
    expect(engine.inFlight()).toEqual({ units: 0, runs: 0 });
    await engine.close();
    expect(engine.inFlight()).toEqual({ units: 0, runs: 0 });
  });

  it('are the units that were called, and their runs, also after they were released', async () => {
    const engine = await engineWith([{ id: 'a', uses: 'work' }], { work: never }, { runs: 3 });
    expect(engine.inFlight()).toEqual({ units: 3, runs: 3 });
    await engine.close();
    expect(engine.inFlight()).toEqual({ units: 3, runs: 3 });
  });

  it('are the runs, but not the units, that wait for a slot', async () => {
    const engine = await engineWith(
      [{ id: 'a', uses: 'work' }],
      { work: never },
      { runs: 4, maxExecutionsInFlight: 1 },
    );
    expect(engine.inFlight()).toEqual({ units: 1, runs: 4 });
    await engine.close();
    expect(engine.inFlight()).toEqual({ units: 1, runs: 4 });
  });

  it('is no run that waits for a decision', async () => {
    const engine = await engineWith([{ id: 'a', uses: 'builtin.approval' }], {});
    expect(engine.inFlight()).toEqual({ units: 0, runs: 0 });
    await engine.close();
    expect(engine.inFlight()).toEqual({ units: 0, runs: 0 });
  });

  it('is no run that waits for its next attempt', async () => {
    let hasFailed = false;
    const fails = () => {
      hasFailed = true;
      throw new Error('not now');
    };
    const retry = { maxAttempts: 3, backoff: 'fixed', baseMs: 60_000 };
    const engine = await engineWith([{ id: 'a', uses: 'fails', policyOverrides: { retry } }], { fails });
    await eventually(
      async () => engine.inFlight(),
      ({ runs }) => hasFailed && runs === 0,
    );
    expect(engine.inFlight()).toEqual({ units: 0, runs: 0 });
    await engine.close();
    expect(engine.inFlight()).toEqual({ units: 0, runs: 0 });
  });

  it('is no run that waits for a unit that this process does not have', async () => {
    const store = new UnclosedStore();
    const before = await engineWith([{ id: 'a', uses: 'work' }], { work: never }, { store });
    await before.close();
    expect(before.inFlight()).toEqual({ units: 1, runs: 1 });
    const { engine } = await openEngine({}, { clock: systemClock, store });
    expect(engine.inFlight()).toEqual({ units: 0, runs: 0 });
    await engine.close();
    expect(engine.inFlight()).toEqual({ units: 0, runs: 0 });
  });
});
