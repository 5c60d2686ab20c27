import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { bound, gate, remote } from '../support/workflow-documents.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { Choices, printedSeed } from './support/choices.js';
import { ServiceProcess } from './support/service-process.js';
import { until } from './support/until.js';

/** 3 s on an idle machine; the service would never respond if the run were retried. */
const SERVES_WITHIN_MS = 15_000;
/** The service dies where a run is crash-looping: see `support/deadly.mjs`. */
const PRELOAD = new URL('support/deadly.mjs', import.meta.url).href;

let dataDir: string;
let service: ServiceProcess;
let units: UnitServer;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'flowgate-deadly-'));
  units = await startUnitServer((call, response) => {
    if (call.headers['x-flowgate-unit-id'] !== 'hangs') response.end(JSON.stringify({ output: 'done' }));
  });
});

afterEach(async () => {
  await service.kill();
  await units.close();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

function launch(deadly: 'turn' | 'load' | 'no'): ServiceProcess {
  service = new ServiceProcess({
    dataDir,
    environment: { NODE_OPTIONS: `--import=${PRELOAD}`, DEADLY: deadly, FLOWGATE_REGISTRY: 'durable' },
  });
  return service;
}

type Body = Readonly<Record<string, unknown>> & { readonly runId: string; readonly status: string };

async function post(path: string, body: object): Promise<Body> {
  const response = await fetch(`${await service.listening}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Body;
}

async function get(path: string): Promise<Body> {
  return (await (await fetch(`${await service.listening}${path}`)).json()) as Body;
}

async function memory(): Promise<{ readonly behind: number }> {
  return (await get('/health'))['memory'] as { readonly behind: number };
}

async function register(id: string, unitsOf: readonly Unit[], flow?: object) {
  const bindings = Object.assign({}, ...unitsOf.map(({ id: unitId }) => bound(unitId, units.url))) as object;
  const order = unitsOf.map((unit) => unit.id);
  const yaml = JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id },
    spec: { units: unitsOf, flow: flow ?? { type: 'sequential', order } },
  });
  const remotes = Object.fromEntries(Object.entries(bindings).filter(([uses]) => uses.startsWith('acme.')));
  await post('/workflows/from-yaml', { yaml, bindings: remotes });
}

interface Unit {
  readonly id: string;
  readonly uses: string;
  readonly config?: object;
}

/** A turn of many slices, which kills the process after the first one was stored. */
const LATE = "${{ (iteration > 20000 ? 'deadly ' : 'harmless ').trim() }}";
const crashingTurn = [{ id: 'set', uses: 'builtin.set', config: { values: { text: LATE } } }] as const;
const longLoop = { type: 'loop', do: 'set', maxIterations: 21_000 };

/** Registers the workflows, and starts one run that waits for an approval. */
async function innocent(): Promise<string> {
  await register('approved', [gate('agree')]);
  return (await post('/workflows/approved/runs', { sync: true })).runId;
}

async function diesAgain(deadly: 'turn' | 'load', times: number): Promise<void> {
  for (let deaths = 0; deaths < times; deaths += 1) {
    const { signal } = await launch(deadly).ended;
    expect(signal).toBe('SIGKILL');
  }
}

/** The last event of the run's log that the last process stored, read from a copy of its data. */
function storedSeq(runId: string): number {
  const copy = mkdtempSync(join(tmpdir(), 'flowgate-deadly-copy-'));
  cpSync(dataDir, copy, { recursive: true });
  const database = new DatabaseSync(join(copy, 'runs.db'));
  const row = database.prepare('SELECT MAX(last_seq) AS seq FROM log WHERE run_id = ?').get(runId);
  database.close();
  rmSync(copy, { recursive: true, force: true });
  return Number(row?.['seq']);
}

/** Starts processes until one continues without the run. Returns where each that died of it, and the one before, left it. */
async function crashesUntilQuarantined(deadly: 'turn' | 'load', runId: string): Promise<readonly number[]> {
  for (const storedSeqs = [storedSeq(runId)]; ; storedSeqs.push(storedSeq(runId))) {
    const life = launch(deadly);
    const isQuarantined = () => life.output.includes('crash-limit');
    const isOver = { is: false };
    void life.ended.then(() => (isOver.is = true));
    await until(async () => isOver.is || isQuarantined(), 'the process died, or set the run aside');
    if (isQuarantined()) return storedSeqs;
  }
}

/** Expects that the run is quarantined and that others are not affected. */
async function servesWithout(path: string, innocentRun: string): Promise<void> {
  const before = Date.now();
  await service.listening;
  expect(await get('/health')).toMatchObject({ ok: true });
  expect(Date.now() - before).toBeLessThan(SERVES_WITHIN_MS);
  const record = await get(path);
  expect(record.status).toBe('paused');
  expect(JSON.stringify(record)).toMatch(
    /Each of the last 3 times that the process worked on this run it died/,
  );
  const approved = await post(`/workflows/approved/runs/${innocentRun}/hitl`, { approved: true });
  expect(approved.status).toBe('completed');
}

it('a run that kills the process in its turn is quarantined after three crashes at one location, until it is resumed', async () => {
  await launch('turn').listening;
  const innocentRun = await innocent();
  await register('deadly', crashingTurn, longLoop);
  const { runId } = await post('/workflows/deadly/runs', {});
  expect((await service.ended).signal).toBe('SIGKILL');
  const storedSeqs = await crashesUntilQuarantined('turn', runId);
  // What the turn did before the point where it dies is stored slice by slice, as far as a process gets: the first
  // crashes are at other points. The process that got as far as the last may not have recorded it yet.
  const inTheLast = storedSeqs.filter((seq) => seq === storedSeqs.at(-1)).length;
  expect([3, 4]).toContain(inTheLast);
  const path = `/workflows/deadly/runs/${runId}`;
  await servesWithout(path, innocentRun);
  expect(service.output).toContain('crash-limit');

  // A resume retries the run once.
  await post(`${path}/resume`, {}).catch(() => undefined);
  expect((await service.ended).signal).toBe('SIGKILL');
  await launch('no').listening;
  expect((await get(path)).status).toBe('paused');
  await post(`${path}/resume`, {});
  await until(async () => (await get(path)).status === 'completed', 'the run is completed');
}, 120_000);

it('a run that cannot even be read is quarantined as well, and its call is made once it can be', async () => {
  await launch('no').listening;
  const innocentRun = await innocent();
  await register('large', [remote('hangs'), remote('answers')]);
  const input = { text: 'deadly load', padding: 'x'.repeat(2_000_000) };
  const { runId } = await post('/workflows/large/runs', { input });
  await until(async () => units.requests.length > 0, 'the unit is called');
  // Else the search would read the log again at the next start, which is not what kills here.
  await until(async () => (await memory()).behind === 0, 'the search has read the log');
  await service.kill();
  await diesAgain('load', 3);

  const before = Date.now();
  await launch('load').listening;
  expect(Date.now() - before).toBeLessThan(SERVES_WITHIN_MS);
  expect(service.output).toContain('crash-limit');
  await service.terminate();

  await launch('no').listening;
  const path = `/workflows/large/runs/${runId}`;
  await servesWithout(path, innocentRun);
  const calls = units.requests.length;
  await post(`${path}/resume`, {});
  await until(async () => units.requests.length > calls, 'the unit is called again');
  expect((await get(path)).status).toBe('running');
}, 120_000);

it('a long run that makes progress is never quarantined, however often the process is killed', async () => {
  const choices = new Choices(printedSeed('deadly runs'));
  await launch('no').listening;
  await register(
    'long',
    [{ id: 'set', uses: 'builtin.set', config: { values: { n: '${{ iteration }}' } } }],
    {
      type: 'loop',
      do: 'set',
      maxIterations: 200_000,
    },
  );
  const { runId } = await post('/workflows/long/runs', {
    input: { padding: 'x'.repeat(1_200_000) },
  });
  const path = `/workflows/long/runs/${runId}`;
  for (let kills = 0; kills < 8; kills += 1) {
    const { updatedAt } = await get(path);
    await until(async () => (await get(path)).updatedAt !== updatedAt, 'the run makes progress');
    await delay(choices.between(0, 200));
    await service.kill();
    await launch('no').listening;
  }
  // Up to 400,000 events are left: 100,000 at once, and then 5,000 in a second, since no unit takes part in them.
  await until(async () => (await get(path)).status === 'completed', 'the run is completed', 120_000);
  expect(service.output).not.toContain('crash-limit');
}, 240_000);
