import { setTimeout as delay } from 'node:timers/promises';
import { createEngine, type Engine } from '../../src/engine/index.js';
import type { RunDriver } from '../../src/engine/ports/run-driver.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { until } from '../support/eventually.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, remote } from '../support/workflow-documents.js';
import { counted } from './support/counts.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';

const MINUTE = 60_000;
const LIMIT = 60;
const MINUTES = counted(30);
/** So many runs wait at each replica that none of them ever lacks a call to make. */
const AT_EACH = LIMIT * (MINUTES + 2);
/** Calls that may be made are made well within this. */
const SETTLED_AFTER_MS = 400;

interface Replica {
  readonly engine: Engine;
  readonly driver: RunDriver;
}

let database: StartedDatabase;
let unit: UnitServer;
let clock: ManualClock;
const replicas: Replica[] = [];
/** When each call arrived, by the clock of the engines, which stands still meanwhile. */
let calls: number[];

beforeEach(async () => {
  database = await startedDatabase();
  clock = new ManualClock();
  calls = [];
  unit = await startUnitServer(() => {
    calls.push(clock.now());
    return { body: { content: 'done' } };
  });
});
afterEach(async () => {
  for (const { engine } of replicas.splice(0)) await engine.close();
  await unit.close();
  await database.dispose();
});

/** Their windows are measured by one clock, which the test moves; how many they are, they tell by the database as ever. */
async function startReplicas(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    const parts = database.replica();
    const engine = createEngine({ ...parts, clock, shutdownGraceMs: 0 });
    replicas.push({ engine, driver: parts.driver });
    await engine.open();
  }
  await areThere(count);
}

function areThere(count: number): Promise<void> {
  return until(
    () => replicas.every(({ driver }) => driver.replicaCount === count && driver.figures!().shardsOwned > 0),
    `each replica sees ${count}`,
  );
}

/** Resolves once the replicas have made the calls that they may make now. */
async function settled(): Promise<void> {
  for (let before = -1; before !== calls.length;) {
    before = calls.length;
    await delay(SETTLED_AFTER_MS);
  }
}

/** Most calls within any minute: from one on, up to the same instant of the next one. */
function mostInAMinute(): number {
  return Math.max(...calls.map((from) => calls.filter((at) => at >= from && at < from + MINUTE).length));
}

const callsSince = (instant: number): number => calls.filter((at) => at >= instant).length;

async function registerLimited(): Promise<void> {
  const policy = { rateLimit: { maxRequestsPerMinute: LIMIT }, timeout: { workflowMs: 100 * MINUTE } };
  await replicas[0]!.engine.workflows.register({
    yaml: document('limited', [remote('a')], { policy }),
    bindings: bound('a', unit.url) as never,
  });
}

/** Each replica has the runs that were started at it. */
async function startRuns(): Promise<void> {
  for (const { engine } of replicas) {
    const start = () => engine.runs.start({ workflowId: 'limited' });
    for (let begun = 0; begun < AT_EACH; begun += 20) await Promise.all(Array.from({ length: 20 }, start));
  }
  await settled();
}

it(`an endpoint that may be called ${LIMIT} times a minute is never called more often by three replicas together`, async () => {
  await startReplicas(3);
  await registerLimited();
  const begun = clock.now();
  await startRuns();
  expect(calls).toHaveLength(LIMIT);
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    for (const ms of [MINUTE / 2, MINUTE / 2 - 1, 1]) {
      await clock.advance(ms);
      await settled();
    }
    // What may be called is called, too.
    expect([minute, callsSince(begun)]).toEqual([minute, LIMIT * (minute + 1)]);
  }
  expect(mostInAMinute()).toBe(LIMIT);
}, 120_000);

it('a replica that leaves gives its part to the others, once the minute is over in which it may have used it', async () => {
  await startReplicas(3);
  await registerLimited();
  await startRuns();
  expect(calls).toHaveLength(LIMIT);
  const left = replicas.pop()!;
  await left.engine.close();
  await areThere(2);
  await settled();
  // The others have taken its runs over, and have used up their parts.
  expect(calls).toHaveLength(LIMIT);
  const leftAt = clock.now();
  await clock.advance(MINUTE);
  await settled();
  await clock.advance(MINUTE);
  await settled();
  expect(mostInAMinute()).toBe(LIMIT);
  expect(callsSince(leftAt + 2 * MINUTE)).toBe(LIMIT);
}, 120_000);
