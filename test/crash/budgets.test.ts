import { setTimeout as delay } from 'node:timers/promises';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { Choices, printedSeed } from './support/choices.js';
import type { CrashWorkflow } from './support/crash-workflows.js';
import { ExecutionLedger } from './support/execution-ledger.js';
import type { Message } from './support/run-history.js';
import { ServiceHost } from './support/service-host.js';

/** Each kill hits a run of its own, and what is left of those before. */
const KILLS = 8;
const UNITS = 100;
/** The tokens that each unit reports. The last call that a run may make exceeds the budget. */
const TOKENS = 10;
const MAX_TOKENS = 495;
const CALLS = Math.ceil(MAX_TOKENS / TOKENS);
const SETTLED_WITHIN_MS = 60_000;

const ids = Array.from({ length: UNITS }, (_, index) => `u${index}`);
const WORKFLOW: Pick<CrashWorkflow, 'id' | 'yaml' | 'bindings'> = {
  id: 'budgeted',
  yaml: JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id: 'budgeted' },
    spec: {
      policy: {
        budget: { maxTokens: MAX_TOKENS, onExceed: 'pause' },
        concurrency: { maxParallelUnits: UNITS },
      },
      units: ids.map((id) => ({ id, uses: 'acme.work' })),
      flow: { type: 'parallel', units: ids },
    },
  }),
  bindings: (endpoint) => ({ 'acme.work': { type: 'http', endpoint } }),
};

const choices = new Choices(printedSeed('budgets'));
/** The keys that were called, by run. */
const called = new Map<string, Set<string>>();
let units: UnitServer;
let host: ServiceHost;

beforeAll(async () => {
  units = await startUnitServer(async ({ headers }) => {
    const key = String(headers['idempotency-key']);
    const runId = key.slice(0, key.indexOf(':'));
    called.set(runId, (called.get(runId) ?? new Set()).add(key));
    await delay(choices.between(5, 120));
    return { body: { content: 'done', tokenUsage: { totalTokens: TOKENS } } };
  });
  host = new ServiceHost({
    ledger: new ExecutionLedger(),
    workflows: [WORKFLOW as CrashWorkflow],
    unitsUrl: units.url,
  });
});
afterAll(async () => {
  await host.close();
  await units.close();
});

it(`keeps to the budget of every run over ${KILLS} kills`, async () => {
  const client = host.client();
  await host.start();
  const runIds: string[] = [];
  for (let kills = 0; kills < KILLS; kills++) {
    const start = await client.post('/workflows/budgeted/runs', {}, { key: `run-${kills}` });
    runIds.push(start!.body.runId!);
    await delay(choices.between(0, 250));
    await host.current.kill();
    host.launch();
  }
  for (const runId of runIds) {
    const { tokens, recoveryLimits } = await blockedByItsBudget(`/workflows/budgeted/runs/${runId}`);
    expect(tokens).toBe(CALLS * TOKENS);
    // Every call is counted, except for those that were suspended because they saw one kill after another.
    const uncounted = called.get(runId)!.size - CALLS;
    expect(uncounted).toBeGreaterThanOrEqual(0);
    expect(uncounted).toBeLessThanOrEqual(recoveryLimits);
  }
  // With a higher budget, each continues with what it did not call, through one more kill.
  const budget = { maxTokens: 2 * UNITS * TOKENS };
  const resumed = runIds.map((runId) =>
    client.post(`/workflows/budgeted/runs/${runId}/resume`, { budget }, { key: `more-${runId}` }),
  );
  await delay(choices.between(20, 120));
  await host.current.kill();
  host.launch();
  await Promise.all(resumed);
  for (const runId of runIds) {
    expect(await completed(`/workflows/budgeted/runs/${runId}`)).toBe(UNITS * TOKENS);
    expect(called.get(runId)!.size).toBe(UNITS);
  }

  async function completed(path: string): Promise<number> {
    for (const before = Date.now(); Date.now() - before < SETTLED_WITHIN_MS; await delay(50)) {
      const { body } = await client.get(path);
      if (body.status === 'completed') return body.result!.tokenUsage;
      if (body.status === 'paused') await client.post(`${path}/resume`, {});
    }
    throw new Error(`${path} does not complete.`);
  }

  /** Waits until only its budget blocks the run: what it has spent, and how often a unit was suspected and suspended. */
  async function blockedByItsBudget(path: string) {
    for (const before = Date.now(); Date.now() - before < SETTLED_WITHIN_MS; await delay(50)) {
      const { body } = await client.get(path);
      if (body.status !== 'paused') continue;
      const { tokenUsage: tokens, messages } = body.result!;
      const pauses = messages.filter(({ type }) => type === 'run-paused') as unknown as readonly Message[];
      const recoveryLimits = pauses.filter(({ reason }) => reason === 'recovery-limit').length;
      if (pauses.at(-1)!['reason'] === 'budget' && tokens >= MAX_TOKENS) return { tokens, recoveryLimits };
      await client.post(`${path}/resume`, {});
    }
    throw new Error(`${path} does not come to its budget.`);
  }
}, 120_000);
