import { setTimeout as delay } from 'node:timers/promises';
import { Choices, printedSeed } from '../crash/support/choices.js';
import { until } from '../support/eventually.js';
import { watch } from '../support/event-stream.js';
import { counted } from './support/counts.js';
import { ask, GATED, pausedRun } from './support/gated.js';
import { startProxy, type Proxy } from './support/proxy.js';
import type { Replica } from './support/replicas.js';
import { onConnection, sharedServer } from './support/server.js';
import { startSteadyReplicas, type SteadyReplicas } from './support/steady-replicas.js';
import { allCalledAgainAfter, inFlightAtEach } from './support/taken-up.js';

/** The owner looks every 5 s for what it was not notified of. */
const NOTICED_WITHIN_MS = 6_000;
/** A waiter looks every second. */
const TOLD_WITHIN_MS = 1_500;
const TOLD_AT_THE_MEDIAN_MS = 50;

const choices = new Choices(printedSeed('lost notifications'));
const proxies: Proxy[] = [];
let steady: SteadyReplicas;
afterEach(async () => {
  await steady?.close();
  for (const proxy of proxies.splice(0)) await proxy.close();
});

/** Two replicas, each by a way on which notifications can be dropped. */
async function two(): Promise<readonly [Replica, Replica]> {
  steady = await startSteadyReplicas({ choices, workflows: [GATED], count: 0, unitMs: [0, 5] });
  const { replicas, database } = steady;
  const started: Replica[] = [];
  for (let count = 0; count < 2; count += 1) {
    const proxy = await startProxy(sharedServer().port);
    proxies.push(proxy);
    started.push(await replicas.start({ through: proxy.through(database!.url) }));
  }
  await replicas.registerAll();
  // What begins at one of them is its own from now on.
  for (const replica of started) await replicas.owns(replica, 32);
  return started as [Replica, Replica];
}

/** How long after its decision at one replica the unit of each run was called, which another one owns. */
async function calledAfter(decideAt: Replica, paths: readonly string[]): Promise<readonly number[]> {
  const { ledger } = steady;
  return Promise.all(
    paths.map(async (path) => {
      const runId = path.split('/').at(-1) ?? '';
      const instant = Date.now();
      // It waits for the run to stop again: whether it is told in time is another matter.
      const deciding = ask(decideAt.url, `${path}/hitl`, { approved: true, responder: 'ann' });
      const isCalled = (): boolean => ledger.ledger.executionsOf({ runId, unitId: 'after' }) > 0;
      await until(isCalled, 'the next unit is called', 30_000);
      const after = Date.now() - instant;
      expect((await deciding).body.status).toBe('completed');
      return after;
    }),
  );
}

it(`an owner that is notified of nothing acts upon a decision within ${NOTICED_WITHIN_MS} ms, and at once when it is`, async () => {
  const [owner, other] = await two();
  const paths = await Promise.all(Array.from({ length: counted(100) }, () => pausedRun(owner.url)));
  const half = Math.ceil(paths.length / 2);
  const atOnce = await calledAfter(other, paths.slice(0, half));
  for (const proxy of proxies) proxy.dropsNotifications = true;
  const late = await calledAfter(other, paths.slice(half));
  process.stdout.write(
    `notified: at most ${Math.max(...atOnce)} ms; not notified: at most ${Math.max(...late)} ms\n`,
  );
  expect(Math.max(...atOnce)).toBeLessThan(1_000);
  expect(Math.max(...late)).toBeLessThanOrEqual(NOTICED_WITHIN_MS);
  // It was without notifications: else nothing was tried here.
  expect(Math.max(...late)).toBeGreaterThan(Math.max(...atOnce));
  expect([steady.ledger.faults, steady.ledger.ledger.repeatedCalls]).toEqual([[], 0]);
}, 120_000);

it(`what lost its LISTEN is taken up within ${NOTICED_WITHIN_MS} ms, and nothing acknowledged is lost`, async () => {
  steady = await startSteadyReplicas({ choices });
  const { replicas, ledger } = steady;
  const load = steady.load();
  for (let times = 0; times < counted(10); times += 1) {
    await Promise.all(replicas.all.map((replica) => replicas.hasJoined(replica)));
    const after = await onConnection(async ({ query }) => {
      const keys = await inFlightAtEach(ledger, replicas.names);
      const instant = Date.now();
      return replicas.disturbed(replicas.all, async () => {
        // An administrator ends the sessions that listen, and hold the locks.
        const ended = await query(
          `SELECT pg_terminate_backend(pid) AS is_ended
           FROM (SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND granted) AS holder`,
        );
        expect(ended.length).toBeGreaterThanOrEqual(3);
        return allCalledAgainAfter(ledger, keys, instant);
      });
    });
    process.stdout.write(`LISTEN ended: taken up after ${after} ms\n`);
    expect(after).toBeLessThanOrEqual(NOTICED_WITHIN_MS);
    await delay(1_000);
  }
  await load.stop();
  expect([...load.faults, ...ledger.faults]).toEqual([]);
}, 180_000);

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity;

it(
  `who waits elsewhere, for a response or on a stream, is told within ${TOLD_AT_THE_MEDIAN_MS} ms at the median, and within ` +
    `${TOLD_WITHIN_MS} ms without a notification`,
  async () => {
    const [owner, other] = await two();
    const { ledger } = steady;
    const toldOfOne = async () => {
      const path = await pausedRun(owner.url);
      const runId = path.split('/').at(-1) ?? '';
      const stream = await watch(`${other.url}${path}/events`);
      await stream.until((events) => events.length > 0);
      // The owner is asked, and the run goes on there; both wait at the other one.
      const deciding = ask(other.url, `${path}/hitl`, { approved: true, responder: 'ann' });
      const isOver = stream
        .until((events) => events.some(({ data }) => data?.type === 'run.completed'))
        .then(() => Date.now());
      const isAnswered = deciding.then(() => Date.now());
      await until(
        () => ledger.lastAnswerOf({ runId, unitId: 'after' }) !== null,
        'the unit has answered',
        30_000,
      );
      const since = ledger.lastAnswerOf({ runId, unitId: 'after' }) ?? 0;
      const times = { response: (await isAnswered) - since, stream: (await isOver) - since };
      stream.leave();
      return times;
    };
    const timesOf = (all: readonly Awaited<ReturnType<typeof toldOfOne>>[]) => ({
      response: all.map(({ response }) => response),
      stream: all.map(({ stream }) => stream),
    });
    const each: Awaited<ReturnType<typeof toldOfOne>>[] = [];
    for (let index = 0; index < counted(200); index += 1) each.push(await toldOfOne());
    const notified = timesOf(each);
    for (const proxy of proxies) proxy.dropsNotifications = true;
    // Each waits some seconds until the owner looks: all of them for the same ones.
    const unnotified = timesOf(await Promise.all(Array.from({ length: counted(30) }, toldOfOne)));
    const shown = [notified.response, notified.stream, unnotified.response, unnotified.stream].map(
      (times) => `${median(times)} (at most ${Math.max(...times)})`,
    );
    process.stdout.write(`told after, in ms, at the median: ${shown.join(', ')}\n`);
    expect(median(notified.response)).toBeLessThanOrEqual(TOLD_AT_THE_MEDIAN_MS);
    expect(median(notified.stream)).toBeLessThanOrEqual(TOLD_AT_THE_MEDIAN_MS);
    // Beyond the time until the owner has looked, which was measured above, and is before the unit.
    expect(Math.max(...unnotified.response)).toBeLessThanOrEqual(TOLD_WITHIN_MS);
    expect(Math.max(...unnotified.stream)).toBeLessThanOrEqual(TOLD_WITHIN_MS);
  },
  180_000,
);
