import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres, type PostgresServer } from '../../tools/postgres/server.mjs';
import { Choices, printedSeed } from '../crash/support/choices.js';
import { counted } from './support/counts.js';
import { newSchema } from './support/database.js';
import { startProxy, type Proxy } from './support/proxy.js';
import { startSteadyReplicas, type SteadyReplicas } from './support/steady-replicas.js';
import { allCalledAgainAfter, inFlightAtEach } from './support/taken-up.js';

const SERVES_WITHIN_MS = 2_000;
const TIMES = counted(10);
const NOWHERE = 9;

const choices = new Choices(printedSeed('server restarts'));
let server: PostgresServer;
let standby: PostgresServer | null = null;
let proxy: Proxy | null = null;
let steady: SteadyReplicas | null = null;

beforeEach(async () => {
  server = await startPostgres({ settings: { max_connections: '200' } });
}, 60_000);
afterEach(async () => {
  await steady?.close();
  await proxy?.close();
  await standby?.stop();
  await server.stop();
  [steady, proxy, standby] = [null, null, null];
});

/** How long after the instant a start is acknowledged, by whichever replica. */
async function startAcknowledgedAfter({ replicas }: SteadyReplicas, instant: number): Promise<number> {
  const key = `start-${choices.between(0, 2 ** 31)}`;
  const runs = '/workflows/steady/runs';
  const answer = await replicas.client().post(runs, { input: { token: key } }, { key });
  expect(answer?.status).toBe(202);
  return Date.now() - instant;
}

it(
  `after an immediate restart of the server starts are served within ${SERVES_WITHIN_MS} ms, and so is what was in flight`,
  async () => {
    const database = { url: server.url(), schema: newSchema() };
    steady = await startSteadyReplicas({ choices, database });
    const { replicas, ledger } = steady;
    const load = steady.load();
    for (let times = 0; times < TIMES; times += 1) {
      const keys = await inFlightAtEach(ledger, replicas.names);
      const instant = Date.now();
      const [started, takenUp] = await replicas.disturbed(replicas.all, async () => {
        await server.restartImmediately();
        const serves = Date.now();
        return Promise.all([
          startAcknowledgedAfter(steady as SteadyReplicas, serves),
          allCalledAgainAfter(ledger, keys, instant).then((after) => instant + after - serves),
        ]);
      });
      process.stdout.write(`after it serves: a start ${started} ms, taken up ${takenUp} ms\n`);
      expect(started).toBeLessThanOrEqual(SERVES_WITHIN_MS);
      expect(takenUp).toBeLessThanOrEqual(SERVES_WITHIN_MS);
      await Promise.all(replicas.all.map((replica) => replicas.hasJoined(replica)));
      await delay(2_000);
    }
    await load.stop();
    expect([...load.faults, ...ledger.faults]).toEqual([]);
    expect(load.ended).toBeGreaterThan(TIMES);
    for (const { url } of replicas.all)
      expect(await (await fetch(`${url}/health/ready`)).json()).toEqual({ ok: true });
  },
  120_000 + TIMES * 20_000,
);

it(`a synchronous standby that is promoted behind the same address has all that was acknowledged, and serves within ${SERVES_WITHIN_MS} ms`, async () => {
  proxy = await startProxy(server.port);
  standby = await server.standby();
  const database = { url: proxy.through(server.url()), schema: newSchema() };
  steady = await startSteadyReplicas({ choices, database });
  const { replicas, ledger } = steady;
  const load = steady.load();
  const keys = await inFlightAtEach(ledger, replicas.names);
  const instant = Date.now();
  const [started, takenUp] = await replicas.disturbed(replicas.all, async () => {
    await server.kill();
    proxy?.leadTo(NOWHERE);
    proxy?.cut();
    await standby?.promote();
    proxy?.leadTo(standby?.port ?? NOWHERE);
    const serves = Date.now();
    return Promise.all([
      startAcknowledgedAfter(steady as SteadyReplicas, serves),
      allCalledAgainAfter(ledger, keys, instant).then((after) => instant + after - serves),
    ]);
  });
  process.stdout.write(`after it is promoted: a start ${started} ms, taken up ${takenUp} ms\n`);
  await delay(3_000);
  await load.stop();
  expect(started).toBeLessThanOrEqual(SERVES_WITHIN_MS);
  expect(takenUp).toBeLessThanOrEqual(SERVES_WITHIN_MS);
  // Each run of the load was acknowledged, and ended right.
  expect([...load.faults, ...ledger.faults]).toEqual([]);
  expect(load.ended).toBeGreaterThan(10);
}, 180_000);

it('while there is no server everything is 503 with Retry-After, nothing is called, and all goes on once it is back', async () => {
  const database = { url: server.url(), schema: newSchema() };
  steady = await startSteadyReplicas({ choices, database, count: 1, unitMs: [5, 10] });
  const { replicas, ledger } = steady;
  const [replica] = replicas.all;
  const load = steady.load(4);
  await inFlightAtEach(ledger, replicas.names);
  await replicas.disturbed(replicas.all, async () => {
    await server.kill();
    // Until it has noticed, what is under way may still be answered.
    await delay(4_000);
    const callsBefore = ledger.callsBy(replica!.name);
    for (let requests = 0; requests < 5; requests += 1) {
      const response = await fetch(`${replica!.url}/workflows/steady/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: {} }),
      });
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await fetch(`${replica!.url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${replica!.url}/health/live`)).status).toBe(200);
    expect(ledger.callsBy(replica!.name)).toBe(callsBefore);
    await server.start();
    const before = load.ended;
    while (load.ended === before && load.faults.length === 0) await delay(20);
  });
  await load.stop();
  expect([...load.faults, ...ledger.faults]).toEqual([]);
  // Nothing of where the database is, and by which password, was written anywhere.
  expect(replica!.service.output).not.toMatch(/postgres(ql)?:\/\//);
}, 120_000);
