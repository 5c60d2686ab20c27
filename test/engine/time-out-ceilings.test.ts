import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import type { YamlLoadError } from '../../src/errors/document-errors.js';
import { inSequence, openEngine } from '../support/engine.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const forever = () => new Promise<never>(() => undefined);

const units = (unitMs?: number) => [
  { id: 'a', uses: 'hang', ...(unitMs === undefined ? {} : { policyOverrides: { timeout: { unitMs } } }) },
];
const policyOf = (timeout: object) => ({
  policy: { timeout, retry: { maxAttempts: 1, backoff: 'fixed', baseMs: 0 } },
});

async function faultsOf(yaml: string, options: object = {}, bindings?: object): Promise<readonly string[]> {
  const { engine } = await openEngine(bindings === undefined ? { hang: forever } : {}, options);
  const error = await engine.workflows.register({ yaml, bindings }).catch((fault: YamlLoadError) => fault);
  await engine.close();
  return error instanceof Error ? error.message.split('\n') : [];
}

describe('a document that asks for a longer time-out than is allowed', () => {
  it('is refused with the field, the ceiling and the setting, each with its position', async () => {
    const tooLong = inSequence(
      'w',
      units(DAY_MS + 1),
      policyOf({ unitMs: DAY_MS + 2, workflowMs: 367 * DAY_MS }),
    );
    expect((await faultsOf(tooLong)).map((line) => line.replace(/^at \d+:\d+: /, ''))).toEqual([
      'The workflow cannot be loaded:',
      'spec.units[0].policyOverrides.timeout.unitMs must be at most 86400000, not 86400001: ask for less, or raise FLOWGATE_MAX_UNIT_MS',
      'spec.policy.timeout.unitMs must be at most 86400000, not 86400002: ask for less, or raise FLOWGATE_MAX_UNIT_MS',
      'spec.policy.timeout.workflowMs must be at most 31622400000, not 31708800000: ask for less, or raise FLOWGATE_MAX_WORKFLOW_MS',
    ]);
  });

  it('is accepted up to the ceiling, and beyond where the setting allows more', async () => {
    expect(await faultsOf(inSequence('w', units(DAY_MS), policyOf({ workflowMs: 366 * DAY_MS })))).toEqual(
      [],
    );
    const longer = inSequence('w', units(DAY_MS + 1), policyOf({ workflowMs: 367 * DAY_MS }));
    const raised = { maxUnitMs: 2 * DAY_MS, maxWorkflowMs: 400 * DAY_MS };
    expect(await faultsOf(longer, raised)).toEqual([]);
  });

  it('is refused for its binding, too', async () => {
    const bindings = { hang: { type: 'http', endpoint: 'http://127.0.0.1:9/', timeoutMs: HOUR_MS } };
    const [fault] = await faultsOf(inSequence('w', units()), { maxUnitMs: HOUR_MS - 1 }, bindings);
    expect(fault).toContain(
      'bindings["hang"].timeoutMs must be at most 3599999, not 3600000: ask for less, or raise FLOWGATE_MAX_UNIT_MS',
    );
    expect(await faultsOf(inSequence('w', units()), {}, bindings)).toEqual([]);
  });
});

describe('a plan that was stored when more was allowed', () => {
  it('has its calls and its run limited to what is allowed now, and so has a default above it', async () => {
    const store = new InMemoryRunStore();
    const before = await openEngine(
      { hang: forever },
      { store, registry: 'durable', maxUnitMs: Infinity, maxWorkflowMs: Infinity },
    );
    const forTenYears = 10 * 365 * DAY_MS;
    const { workflows, runs } = before.engine;
    await workflows.register({ yaml: inSequence('units', units(forTenYears), policyOf({})) });
    await workflows.register({
      yaml: inSequence('runs', units(forTenYears), policyOf({ workflowMs: forTenYears })),
    });
    await workflows.register({ yaml: inSequence('default', units(), policyOf({})) });
    const pinned = await runs.start({ workflowId: 'units' });
    store.close = () => Promise.resolve();
    await before.engine.close();

    const ceilings = { maxUnitMs: 60_000, maxWorkflowMs: 30_000 };
    const { engine } = await openEngine(
      { hang: forever },
      { store, registry: 'durable', clock: before.clock, ...ceilings },
    );
    const started = await Promise.all(
      ['runs', 'default'].map((workflowId) => engine.runs.start({ workflowId })),
    );
    await before.clock.advance(30_000);
    const record = (run: { workflowId: string; runId: string }) => engine.runs.get(run);
    expect((await record(started[0]!)).error).toBe('The run overran its time-out of 30000 ms');
    await before.clock.advance(30_000);
    for (const run of [pinned, started[1]!]) {
      expect((await record(run)).error).toContain('timed out after 60000 ms');
    }
    await engine.close();
  });
});
