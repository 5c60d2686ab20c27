import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../../src/engine/index.js';
import { systemClock } from '../../src/engine/runtime/system-clock.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { InMemoryMemoryIndex } from '../../src/engine/in-memory/in-memory-memory-index.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { inSequence } from '../support/engine.js';
import { ExecutionLedger } from './support/execution-ledger.js';
import { ServiceProcess } from './support/service-process.js';
import { until } from './support/until.js';

/** The number of runs, all of which fall due in one second. */
const RUNS = Number(process.env['FLOWGATE_CRASH_DUE_RUNS'] ?? 1_500);
/** Ten thousand on an idle machine; here others may be busy too. */
const STARTED_WITHIN_MS = Number(process.env['FLOWGATE_CRASH_DUE_WITHIN_MS'] ?? 20_000);
/** How many have called their unit when the service is killed. */
const KILLED_AFTER = Math.floor(RUNS / 3);

let ledger: ExecutionLedger;
let units: UnitServer;
let dataDir: string;
let service: ServiceProcess;
const runIds: string[] = [];
/** When the first and the last call of a run that had not called before arrived, epoch ms. */
let firstAt = 0;
let lastAt = 0;

beforeEach(async () => {
  ledger = new ExecutionLedger();
  firstAt = lastAt = runIds.length = 0;
  dataDir = mkdtempSync(join(tmpdir(), 'flowgate-due-'));
  units = await startUnitServer(({ headers, body }) => {
    const before = ledger.size;
    const result = ledger.arrived(headers['idempotency-key'] as string | undefined, body);
    if (ledger.size > before) lastAt = Date.now();
    if (firstAt === 0) firstAt = lastAt;
    ledger.replied(result, 'result');
    return { body: { content: result } };
  });
});
afterEach(async () => {
  await service.kill();
  await units.close();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

function launch(): ServiceProcess {
  ledger.life += 1;
  service = new ServiceProcess({ dataDir });
  return service;
}

/** Stores runs that wait, each for its instant, in a folder that no process has open; returns when the first is due. */
async function waitingRuns(): Promise<number> {
  const store = new SqliteRunStore({ folder: dataDir, workers: builtWorkers });
  // Its clock is stopped: however long this takes, none of them falls due meanwhile.
  const clock = new ManualClock(systemClock.now());
  const engine = createEngine({ store, clock, memory: new InMemoryMemoryIndex() });
  await engine.open();
  const wait = { id: 'wait', uses: 'builtin.wait', with: { durationMs: '${{ input.ms }}' } };
  await engine.workflows.register({
    yaml: inSequence('due', [wait, { id: 'work', uses: 'acme.work' }]),
    bindings: { 'acme.work': { type: 'http', endpoint: units.url } },
  });
  const inMs = 6_000 + RUNS * 4;
  const numbers = Array.from({ length: RUNS }, (_, index) => index);
  for (let from = 0; from < RUNS; from += 500) {
    const started = await Promise.all(
      numbers.slice(from, from + 500).map((number) => {
        const input = { token: `${number}`, ms: inMs + (number % 1_000) };
        return engine.runs.start({ workflowId: 'due', input });
      }),
    );
    runIds.push(...started.map(({ runId }) => runId));
  }
  await engine.close();
  return clock.now() + inMs;
}

async function statusOf(runId: string): Promise<unknown> {
  const response = await fetch(`${await service.listening}/workflows/due/runs/${runId}`);
  return ((await response.json()) as { readonly status: unknown }).status;
}

/** Expects no second call except of what was in flight when the service died, and one key each. */
async function allWentOnOnce(): Promise<void> {
  await until(() => ledger.size === RUNS, `all of ${RUNS} runs went on, and not ${ledger.size}`, 60_000);
  let left: readonly string[] = runIds;
  await until(
    async () => {
      const statuses = await Promise.all(left.slice(0, 200).map(statusOf));
      left = [
        ...left.slice(200),
        ...left.slice(0, 200).filter((_, index) => statuses[index] !== 'completed'),
      ];
      return left.length === 0;
    },
    'every run is completed',
    60_000,
  );
  expect([...ledger.faults]).toEqual([]);
  const tokens = Array.from({ length: RUNS }, (_, number) => ledger.runsOf(`${number}`).length);
  expect(tokens.filter((runs) => runs !== 1)).toEqual([]);
}

describe(`${RUNS} runs that fall due in the same second`, () => {
  it('all continue within seconds, each once', async () => {
    const dueAt = await waitingRuns();
    await launch().listening;
    expect(Date.now()).toBeLessThan(dueAt);
    await allWentOnOnce();
    process.stdout.write(
      `${RUNS} went on ${firstAt - dueAt} to ${lastAt - dueAt} ms after the first was due\n`,
    );
    expect(firstAt).toBeGreaterThanOrEqual(dueAt);
    expect(lastAt - dueAt).toBeLessThan(STARTED_WITHIN_MS);
    expect(ledger.repeatedCalls).toBe(0);
  }, 240_000);

  it('all continue, each once, also when the service is killed in the middle of it', async () => {
    const dueAt = await waitingRuns();
    await launch().listening;
    await until(() => ledger.size >= KILLED_AFTER, 'a third of them went on', 120_000);
    await service.kill();
    const killedAt = Date.now();
    // What the dead process has sent counts as called in its life.
    await units.disconnected();
    await launch().listening;
    const servedAt = Date.now();
    await allWentOnOnce();
    process.stdout.write(
      `${RUNS} went on, killed ${killedAt - dueAt} ms after the first was due: ` +
        `the last ${lastAt - dueAt} ms after it, ${lastAt - servedAt} ms after the start; ${ledger.repeatedCalls} repeated\n`,
    );
    expect(lastAt - dueAt).toBeLessThan(2 * STARTED_WITHIN_MS);
  }, 240_000);
});
