import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunForked, RunStarted } from '../../src/engine/core/log/event.js';
import type { StoredEvent } from '../../src/engine/ports/store/append.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, gate, mock, remote } from '../support/workflow-documents.js';
import { Choices, printedSeed } from './support/choices.js';
import { ExecutionLedger } from './support/execution-ledger.js';
import { PersistentClient } from './support/persistent-client.js';
import { ServiceProcess } from './support/service-process.js';
import { until } from './support/until.js';

const KILLS = Number(process.env['FLOWGATE_CRASH_FORK_KILLS'] ?? 20);
const ASKING = 6;
const ENDS_WITHIN_MS = 60_000;

const choices = new Choices(printedSeed('forks'));
const ledger = new ExecutionLedger();
let units: UnitServer;
let dataDir: string;
let service: ServiceProcess;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'flowgate-forks-'));
  units = await startUnitServer(async ({ headers, body }) => {
    const result = ledger.arrived(headers['idempotency-key'] as string | undefined, body);
    await delay(choices.between(0, 30));
    ledger.replied(result, 'result');
    return { body: { content: result } };
  });
});
afterAll(async () => {
  await service.kill();
  await units.close();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

function launch(): void {
  ledger.life += 1;
  service = new ServiceProcess({ dataDir, environment: { FLOWGATE_REGISTRY: 'durable' } });
}

async function address(): Promise<string> {
  for (;;) {
    const url = await service.listening.catch(() => null);
    if (url !== null) return url;
    await delay(10);
  }
}

/** The appends of all runs, in order. */
async function appends(): Promise<
  readonly { readonly runId: string; readonly events: readonly StoredEvent[] }[]
> {
  const store = new SqliteRunStore({ folder: dataDir, workers: builtWorkers });
  await store.open();
  const found: { readonly runId: string; readonly events: readonly StoredEvent[] }[] = [];
  for (let afterPosition = 0; ;) {
    const page = await store.readAll({ afterPosition, limit: 500 });
    for (const entry of page) if (entry.kind === 'appended') found.push(entry);
    const last = page.at(-1);
    if (last === undefined) break;
    afterPosition = last.position;
  }
  await store.close();
  return found;
}

it(
  `leaves every fork whole or not at all over ${KILLS} kills, one for each key, and its source as it was`,
  async () => {
    const client = new PersistentClient(address, ledger, async () => undefined);
    launch();
    const flow = {
      type: 'sequential',
      order: [{ type: 'parallel', units: ['one', 'two'] }, 'last', 'agree'],
    };
    const yaml = document('w', [mock('first'), remote('one'), remote('two'), remote('last'), gate('agree')], {
      flow: { type: 'sequential', order: ['first', flow] },
    });
    const bindings = { ...bound('one', units.url), ...bound('two', units.url), ...bound('last', units.url) };
    expect((await client.post('/workflows/from-yaml', { yaml, bindings }))?.status).toBe(201);
    const source = (await client.post('/workflows/w/runs', { sync: true }, { key: 'source' }))!.body.runId!;
    const path = `/workflows/w/runs/${source}`;
    await until(async () => (await client.get(path)).body.status === 'paused', 'the source asks');

    const made = new Map<string, string>();
    const seen = { isOver: false };
    const askers = Array.from({ length: ASKING }, async (_none, asker) => {
      for (let count = 0; !seen.isOver; count++) {
        const key = `${asker}-${count}`;
        const unitId = choices.oneOf(['one', 'two', 'last', 'agree']);
        const answer = await client.post(`${path}/fork`, { from: { unitId }, state: { key } }, { key });
        expect(answer?.status).toBe(202);
        made.set(key, answer!.body.runId!);
      }
    });
    for (let kills = 0; kills < KILLS; kills += 1) {
      await service.listening;
      const enough = made.size + choices.between(0, 12);
      const giveUpAt = Date.now() + 3_000;
      while (made.size < enough && Date.now() < giveUpAt) await delay(1);
      await delay(choices.between(0, 8));
      await service.kill();
      launch();
    }
    seen.isOver = true;
    await Promise.all(askers);
    for (const runId of made.values()) {
      const isPaused = async (): Promise<boolean> =>
        (await client.get(`/workflows/w/runs/${runId}`)).body.status === 'paused';
      await until(isPaused, `the fork ${runId} asks`, ENDS_WITHIN_MS);
    }
    await service.kill();

    const all = await appends();
    const firsts = all.filter(({ events: [first] }) => first?.seq === 1 && first.type === 'run-started');
    const forks = firsts.filter(({ events: [first] }) => (first as RunStarted).origin.type === 'fork');
    for (const { events } of forks)
      expect(events[1]).toMatchObject({ type: 'run-forked', fromRunId: source });
    const keys = forks.map(({ runId, events }) => [
      ((events[1] as RunForked).edits.state as { readonly key: string }).key,
      runId,
    ]);
    expect(keys.toSorted()).toEqual([...made].toSorted());
    const ofSource = all.filter(({ runId }) => runId === source).flatMap(({ events }) => events);
    expect(ofSource.at(-1)?.type).toBe('gate-opened');
    expect([...ledger.faults]).toEqual([]);
    process.stdout.write(`${KILLS} kills, ${forks.length} forks, ${ledger.size} executions\n`);
  },
  90_000 + KILLS * 5_000,
);
