import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { ServiceProcess } from '../crash/support/service-process.js';
import { until } from '../support/eventually.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, remote } from '../support/workflow-documents.js';
import { counted } from './support/counts.js';
import { newSchema } from './support/database.js';
import { ask } from './support/gated.js';
import { onConnection, sharedUrl } from './support/server.js';

const WITHIN_MS = 200;
const BY_ITSELF_MS = 2_000;
const RUNS = counted(100);
const SHIFT_MS = 60_000;
/** Until the first timer, and between two: in this time runs are begun, one timer apart from the other. */
const AHEAD_MS = 3_000;
const APART_MS = 50;
const RESTS_MS = 1_000;
const PRELOAD = pathToFileURL(resolve('test/postgres/support/shifted-clock.mjs')).href;

let unit: UnitServer;
let schema: string;
/** When each unit of each run was called, by the clock of this machine, which is the database's. */
let calls: Map<string, number>;
const services: ServiceProcess[] = [];

beforeEach(async () => {
  schema = newSchema();
  calls = new Map();
  unit = await startUnitServer(({ body }) => {
    const { runId, unitId } = (JSON.parse(body) as { context: { runId: string; unitId: string } }).context;
    calls.set(`${runId} ${unitId}`, Date.now());
    return { body: { content: 'done' } };
  });
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.kill();
  await unit.close();
  await onConnection(({ query }) => query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`));
});

async function start(shiftMs: number): Promise<string> {
  const service = new ServiceProcess({
    dataDir: '',
    environment: {
      LOG_LEVEL: 'info',
      FLOWGATE_STORE: 'postgres',
      FLOWGATE_DATABASE_URL: sharedUrl(),
      FLOWGATE_DATABASE_SCHEMA: schema,
      NODE_OPTIONS: `--import=${PRELOAD}`,
      SHIFTED_CLOCK_MS: String(shiftMs),
    },
  });
  services.push(service);
  const url = await service.listening;
  // Its clock is off indeed: its log says so.
  const said = Number(/"timestamp":(\d+)/.exec(service.output)?.[1]);
  expect(Math.abs(said - Date.now() - shiftMs)).toBeLessThan(10_000);
  await until(
    async () => /^flowgate_shards [1-9]/m.test(await (await fetch(`${url}/metrics`)).text()),
    'it owns shards',
  );
  return url;
}

const TIMED = document('timed', [
  { id: 'until', uses: 'builtin.wait', config: { until: '${{ input.at }}' } },
  remote('first'),
  { id: 'rest', uses: 'builtin.wait', config: { durationMs: RESTS_MS } },
  remote('second'),
]);

it.each([SHIFT_MS, -SHIFT_MS])(
  `timers come within ${WITHIN_MS} ms of the database's time at a replica whose clock is %d ms off, and at one beside it`,
  async (shiftMs) => {
    const urls = [await start(shiftMs), await start(0)];
    await ask(urls[1] ?? '', '/workflows/from-yaml', {
      yaml: TIMED,
      bindings: { ...bound('first', unit.url), ...bound('second', unit.url) },
    });
    // The first call of each replica opens its connections.
    for (const url of urls) await ask(url, '/workflows/timed/runs', { input: { at: 0 }, sync: true });
    calls.clear();
    const from = Date.now() + AHEAD_MS;
    const due = new Map<string, number>();
    for (let begun = 0; begun < RUNS; begun += 1) {
      for (const [index, url] of urls.entries()) {
        const at = from + (begun * urls.length + index) * APART_MS;
        const { status, body } = await ask(url, '/workflows/timed/runs', { input: { at } });
        expect(status).toBe(202);
        due.set(body.runId, at);
      }
    }
    await until(() => calls.size === 2 * due.size, 'all timers have come', 30_000);
    const late = [...due].map(([runId, at]) => (calls.get(`${runId} first`) ?? 0) - at);
    const rested = [...due.keys()].map(
      (runId) => (calls.get(`${runId} second`) ?? 0) - (calls.get(`${runId} first`) ?? 0) - RESTS_MS,
    );
    process.stdout.write(`late by ${Math.min(...late)} to ${Math.max(...late)} ms\n`);
    const all = [...late, ...rested].toSorted((one, next) => one - next);
    // A way to the database and back is what two clocks may differ by.
    expect(all[0]).toBeGreaterThan(-20);
    // On a machine with other work a process may be late by itself: a few of them, and never by what a clock is off.
    expect(all[Math.floor(all.length * 0.9)]).toBeLessThan(WITHIN_MS);
    expect(all.at(-1)).toBeLessThan(BY_ITSELF_MS);
    // Whatever is written down has the database's time, too.
    const [runId = ''] = due.keys();
    const { body } = await ask(urls[0] ?? '', `/workflows/timed/runs/${runId}`);
    const { createdAt } = body as unknown as { readonly createdAt: number };
    expect(from - createdAt).toBeGreaterThan(0);
    expect(from - createdAt).toBeLessThan(AHEAD_MS + WITHIN_MS);
  },
  90_000,
);
