import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound } from '../support/workflow-documents.js';
import { Choices, printedSeed } from './support/choices.js';
import { ExecutionLedger } from './support/execution-ledger.js';
import { PersistentClient } from './support/persistent-client.js';
import type { Message } from './support/run-history.js';
import { ServiceProcess } from './support/service-process.js';
import { until } from './support/until.js';

/** The number of children of the root, of each child and of each of those: 10 makes a thousand leaves. */
const WIDTH = Number(process.env['FLOWGATE_CRASH_TREE_WIDTH'] ?? 4);
const KILLS = Number(process.env['FLOWGATE_CRASH_TREE_KILLS'] ?? 6);
const LEAVES = WIDTH ** 3;
const RUNS = 1 + WIDTH + WIDTH ** 2 + LEAVES;
/** The most time between two kills, even where nothing happens. */
const LONGEST_LIFE_MS = 4_000;
const ENDS_WITHIN_MS = 60_000 + RUNS * 100;

const choices = new Choices(printedSeed('family tree'));
let ledger: ExecutionLedger;
let units: UnitServer;
let dataDir: string;
let service: ServiceProcess;
let client: PersistentClient;

beforeEach(async () => {
  ledger = new ExecutionLedger();
  dataDir = mkdtempSync(join(tmpdir(), 'flowgate-tree-'));
  units = await startUnitServer(async ({ headers, body }) => {
    const result = ledger.arrived(headers['idempotency-key'] as string | undefined, body);
    await delay(choices.between(0, 60));
    ledger.replied(result, 'result');
    return { body: { content: result, tokenUsage: { totalTokens: 1 } } };
  });
  client = new PersistentClient(address, ledger, async () => undefined);
  await launch().listening;
});
afterEach(async () => {
  await service.kill();
  await units.close();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

function launch(): ServiceProcess {
  ledger.life += 1;
  service = new ServiceProcess({ dataDir, environment: { FLOWGATE_REGISTRY: 'durable' } });
  return service;
}

async function address(): Promise<string> {
  for (;;) {
    const url = await service.listening.catch(() => null);
    if (url !== null) return url;
    await delay(10);
  }
}

async function register(id: string, spec: object, bindings: object = {}): Promise<void> {
  const yaml = JSON.stringify({ apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id }, spec });
  const answer = await client.post('/workflows/from-yaml', { yaml, bindings });
  expect(answer?.status).toBe(201);
}

/** Each leaf is known by the numbers of the branches that lead to it, which its unit is given. */
async function registerTree(leaf: object, bindings: object, maxConcurrency = WIDTH): Promise<void> {
  await register('leaf', leaf, bindings);
  const items = `[${Array.from({ length: WIDTH }, (_, index) => index).join(', ')}]`;
  for (const [id, workflowId] of [
    ['twig', 'leaf'],
    ['branch', 'twig'],
    ['root', 'branch'],
  ]) {
    const one = {
      id: 'one',
      uses: 'builtin.workflow',
      config: { workflowId },
      with: { token: "${{ input.token + '-' + string(index) }}" },
    };
    const flow = { type: 'foreach', items, do: 'one', maxConcurrency, collect: 'found' };
    await register(id!, { units: [one], flow });
  }
}

const work = { id: 'work', uses: 'acme.work', with: { token: '${{ input.token }}' } };

interface Address {
  readonly workflowId: string;
  readonly runId: string;
}

const pathOf = ({ workflowId, runId }: Address): string => `/workflows/${workflowId}/runs/${runId}`;

async function startRoot(): Promise<Address> {
  const answer = await client.post('/workflows/root/runs', { input: { token: 't' } }, { key: 'root' });
  return { workflowId: 'root', runId: answer!.body.runId! };
}

/** The root and all its descendants, each once, with the unit and the location that started it. */
async function familyOf(root: Address): Promise<readonly Address[]> {
  const found = [root];
  const seen = new Set([root.runId]);
  for (const run of found) {
    for (let next: number | null = 0; next !== null;) {
      const { body } = await client.get(`${pathOf(run)}/messages?afterSeq=${next}&limit=100`);
      for (const { type, workflowId, childRunId } of (body.messages ?? []) as readonly Message[]) {
        if (type !== 'child-started' || seen.has(childRunId as string)) continue;
        seen.add(childRunId as string);
        found.push({ workflowId: workflowId as string, runId: childRunId as string });
      }
      next = body.next ?? null;
    }
  }
  return found;
}

async function statusOf(run: Address): Promise<unknown> {
  return (await client.get(pathOf(run))).body.status;
}

/** Runs a process that is killed when so many more leaves have called, somewhere in its work or while it starts. */
async function killNext(): Promise<void> {
  if (choices.happens(0.1)) await delay(choices.between(0, 500));
  else {
    await service.listening;
    const enough = ledger.size + Math.ceil(LEAVES / (KILLS + 1));
    const giveUpAt = Date.now() + choices.between(200, LONGEST_LIFE_MS);
    while (ledger.size < enough && Date.now() < giveUpAt) await delay(5);
    await delay(choices.between(0, 60));
  }
  await service.kill();
  launch();
}

describe(`a tree of ${RUNS} runs in three levels below the root`, () => {
  it(
    `ends correctly over ${KILLS} kills: every leaf is one run, called once, and its result is found at the root`,
    async () => {
      // Two at once at each level: otherwise the first process would have called them all.
      await registerTree({ units: [work], flow: 'work' }, bound('work', units.url), 2);
      const root = await startRoot();
      const startedAt = Date.now();
      let atWork = 0;
      for (let kills = 0; kills < KILLS; kills += 1) {
        await killNext();
        if (ledger.size < LEAVES) atWork += 1;
      }
      const killedUntil = Date.now();
      // A unit that was in flight in successive crashes is paused until it is resumed, at the root.
      await until(
        async () => {
          const status = await statusOf(root);
          if (status === 'paused') await client.post(`${pathOf(root)}/resume`, {});
          return status === 'completed' || status === 'failed';
        },
        'the root ends',
        ENDS_WITHIN_MS,
      );
      const { body: record } = await client.get(pathOf(root));
      expect(record).toMatchObject({ status: 'completed' });
      process.stdout.write(
        `${RUNS} runs, ${KILLS} kills, ${atWork} before the last leaf was called, in ${killedUntil - startedAt} ms, ended ${Date.now() - killedUntil} ms after the last, ` +
          `${ledger.repeatedCalls} calls repeated\n`,
      );
      expect([...ledger.faults]).toEqual([]);
      expect(ledger.size).toBe(LEAVES);
      const found = new Set(JSON.stringify(record.result?.state).match(/"executionKey":"[^"]+"/g));
      expect(found.size).toBe(LEAVES);
      expect(record.result?.tokenUsage).toBe(LEAVES);
      const family = await familyOf(root);
      expect(family).toHaveLength(RUNS);
      const statuses = await Promise.all(family.map(statusOf));
      expect(new Set(statuses)).toEqual(new Set(['completed']));
    },
    120_000 + KILLS * 8_000 + ENDS_WITHIN_MS,
  );

  it(
    'ends as a whole when its root is cancelled, through a kill, and every leaf cleans up once',
    async () => {
      const wait = { id: 'wait', uses: 'builtin.wait', config: { duration: 'P1D' } };
      const undo = { id: 'undo', uses: 'acme.undo', with: { token: '${{ input.token }}' } };
      await registerTree(
        {
          units: [work, wait, undo],
          flow: { type: 'sequential', order: ['work', 'wait'] },
          onCancel: ['undo'],
        },
        { ...bound('work', units.url), ...bound('undo', units.url) },
      );
      const root = await startRoot();
      await until(() => ledger.size === LEAVES, 'every leaf has begun', ENDS_WITHIN_MS);
      const family = await familyOf(root);
      expect(family).toHaveLength(RUNS);

      const cancelledAt = Date.now();
      const cancelled = client.post(`${pathOf(root)}/cancel`, { by: 'ann' }, { key: 'cancel' });
      const enough = LEAVES + choices.between(1, LEAVES / 2);
      await until(() => ledger.size >= enough, 'some leaves clean up', ENDS_WITHIN_MS);
      await service.kill();
      launch();
      expect((await cancelled)?.body).toMatchObject({ error: 'Cancelled by ann' });
      let left = family;
      await until(
        async () => {
          const statuses = await Promise.all(left.map(statusOf));
          left = left.filter((_, index) => statuses[index] !== 'failed');
          return left.length === 0;
        },
        'all of it is cancelled',
        ENDS_WITHIN_MS,
      );
      process.stdout.write(`${RUNS} runs cancelled within ${Date.now() - cancelledAt} ms, through a kill\n`);
      expect([...ledger.faults]).toEqual([]);
      const leaves = family.filter(({ workflowId }) => workflowId === 'leaf');
      const cleanUps = leaves.map(({ runId }) => ledger.executionsOf({ runId, unitId: 'undo' }));
      expect(new Set(cleanUps)).toEqual(new Set([1]));
      expect(ledger.size).toBe(2 * LEAVES);
    },
    120_000 + 2 * ENDS_WITHIN_MS,
  );
});
