import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/eventually.js';
import type { Body } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';
import { Choices, printedSeed } from './support/choices.js';
import { ServiceProcess } from './support/service-process.js';

const KILLS = Number(process.env['FLOWGATE_CRASH_KILLS'] ?? 4);
const WRITERS = 4;
/** Longer than the follower collects, so that it is killed before, while and after it tells. */
const LONGEST_LIFE_MS = 700;

const BOOTSTRAP = randomBytes(32).toString('base64');
const choices = new Choices(printedSeed('audit'));

let dataDir: string;
let service: ServiceProcess;
let address: string;
let key: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'flowgate-data-'));
  await start();
  const grants = [{ namespace: '*', roles: ['admin'] }];
  const made = await call('POST', '/keys', { owner: 'ada', grants }, BOOTSTRAP);
  key = made['secret'] as string;
  await call('POST', '/workflows/from-yaml', { yaml: document('plain', [mock('a', 1)]) });
});
afterEach(async () => {
  await service.kill();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

async function start(): Promise<void> {
  service = new ServiceProcess({
    dataDir,
    environment: {
      FLOWGATE_REGISTRY: 'durable',
      FLOWGATE_AUTH: 'keys',
      FLOWGATE_BOOTSTRAP_KEY_SHA256: createHash('sha256').update(BOOTSTRAP).digest('hex'),
    },
  });
  address = await service.listening;
}

async function call(method: string, path: string, body?: unknown, bearer = key): Promise<Body> {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as Body;
}

async function all(path: string): Promise<readonly Body[]> {
  const items: Body[] = [];
  for (let cursor = ''; ;) {
    const page = await call('GET', `${path}${cursor}`);
    items.push(...(page['items'] as Body[]));
    if (page['next'] === null) return items;
    cursor = `&cursor=${page['next'] as string}`;
  }
}

/** Starts runs until the process is gone. */
async function writeUntilDeath(): Promise<void> {
  for (;;) {
    try {
      await call('POST', '/workflows/plain/runs', {});
    } catch {
      return;
    }
  }
}

it('a process that is killed while it tells leaves no act out, and none is told twice', async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const writing = Promise.all(Array.from({ length: WRITERS }, writeUntilDeath));
    await delay(choices.between(10, LONGEST_LIFE_MS));
    await service.kill();
    await writing;
    await start();
  }
  const runs = (await all('/runs?limit=200')).map(({ runId }) => runId as string).sort();
  const told = async (): Promise<readonly string[]> =>
    (await all('/audit?limit=200&action=run.start')).map(({ runId }) => runId as string).sort();
  await until(async () => (await told()).length >= runs.length, 'each run is told of');
  expect(await told()).toEqual(runs);
  expect(runs.length).toBeGreaterThan(KILLS);
  const starts = await all('/audit?limit=200&action=service.start');
  expect(starts).toHaveLength(KILLS + 1);
}, 240_000);
