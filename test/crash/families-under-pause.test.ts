import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  PAUSING_FAMILY,
  SteeredFamily,
  type FamilySeen,
  type RunAddress,
} from '../support/steered-family.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound } from '../support/workflow-documents.js';
import { Choices, printedSeed } from './support/choices.js';
import { ExecutionLedger } from './support/execution-ledger.js';
import { PersistentClient } from './support/persistent-client.js';
import type { Message } from './support/run-history.js';
import { ServiceProcess } from './support/service-process.js';

/** `FLOWGATE_CRASH_FAMILY_KILLS=200` runs the whole proof. */
const KILLS = Number(process.env['FLOWGATE_CRASH_FAMILY_KILLS'] ?? 10);
const LONGEST_CALL_MS = 80;

const choices = new Choices(printedSeed('families under pause'));
let ledger: ExecutionLedger;
let units: UnitServer;
let dataDir: string;
let service: ServiceProcess;
let client: PersistentClient;
let kills = 0;

beforeEach(async () => {
  ledger = new ExecutionLedger();
  dataDir = mkdtempSync(join(tmpdir(), 'flowgate-families-'));
  units = await startUnitServer(async ({ headers, body }) => {
    const result = ledger.arrived(headers['idempotency-key'] as string | undefined, body);
    await delay(choices.between(0, LONGEST_CALL_MS));
    ledger.replied(result, 'result');
    return { body: { content: result } };
  });
  client = new PersistentClient(address, ledger, async () => undefined);
  await launch().listening;
  // The first test may have to build the service.
}, 180_000);
afterEach(async () => {
  await service.kill();
  await units.close();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

function launch(): ServiceProcess {
  ledger.life += 1;
  const environment = { FLOWGATE_REGISTRY: 'durable', FLOWGATE_CANCEL_GRACE_MS: '300' };
  service = new ServiceProcess({ dataDir, environment });
  return service;
}

async function address(): Promise<string> {
  for (;;) {
    const url = await service.listening.catch(() => null);
    if (url !== null) return url;
    await delay(10);
  }
}

/** Kills the process at times, at some moment, and starts another one. */
async function disturb(): Promise<void> {
  if (!choices.happens(0.6)) return;
  const isAtWork = choices.happens(0.9);
  if (isAtWork) await service.listening;
  await delay(choices.between(0, isAtWork ? 90 : 400));
  await service.kill();
  kills += 1;
  launch();
}

const pathOf = ({ workflowId, runId }: RunAddress): string => `/workflows/${workflowId}/runs/${runId}`;

const isToGoOn = ({ faults }: SteeredFamily): boolean => kills < KILLS && faults.length === 0;

const seen: FamilySeen = {
  async ask(run, what, key) {
    const answer = await client.post(`${pathOf(run)}/${what}`, {}, { key });
    if (answer?.status !== 200) throw new Error(`${what} is refused: ${JSON.stringify(answer)}`);
  },
  statusOf: async (run) => String((await client.get(pathOf(run))).body.status),
  async childrenOf(run) {
    const { body } = await client.get(`${pathOf(run)}/messages?limit=100`);
    return ((body.messages ?? []) as readonly Message[])
      .filter(({ type }) => type === 'child-started')
      .map(({ workflowId, childRunId }) => ({ workflowId: String(workflowId), runId: String(childRunId) }));
  },
  async lastPause(run) {
    const { body } = await client.get(`${pathOf(run)}/events?tail=1`);
    const last = body.items?.at(-1);
    return last?.type === 'run.paused' ? String(last.data['reason']) : null;
  },
};

it(
  `pauses and continues as requested over ${KILLS} kills: no pause and no resume is lost or counted twice`,
  async () => {
    for (const { id, units: declared, flow } of PAUSING_FAMILY) {
      const spec = { units: declared, flow };
      const yaml = JSON.stringify({ apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id }, spec });
      const bindings = id === 'leaf' ? bound('work', units.url) : {};
      const answer = await client.post('/workflows/from-yaml', { yaml, bindings });
      expect(answer?.status).toBe(201);
    }
    const started = await client.post('/workflows/root/runs', { input: {} }, { key: 'root' });
    const root = { workflowId: 'root', runId: started!.body.runId! };
    const callsOf = ({ runId }: RunAddress) => ledger.executionsOf({ runId, unitId: 'work' });
    const family = new SteeredFamily(root, seen, callsOf, disturb);
    await family.begin();
    let rounds = 0;
    while (isToGoOn(family)) {
      rounds += 1;
      const chance = choices.fraction();
      if (chance < 0.4) await family.resumeOnce();
      else if (chance < 0.6) await family.pauseAndResume();
      else {
        const part = choices.happens(0.5) ? null : choices.between(0, 1);
        await family.resumeAndPause(part, choices.between(0, LONGEST_CALL_MS));
      }
    }
    expect(family.faults).toEqual([]);
    await family.cancel();
    process.stdout.write(
      `${kills} kills in ${rounds} rounds, ${ledger.size} calls, ${ledger.repeatedCalls} repeated\n`,
    );
    expect([...ledger.faults]).toEqual([]);
  },
  120_000 + KILLS * 15_000,
);
