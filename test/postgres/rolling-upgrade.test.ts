import { VERSION } from '../../src/config/version.js';
import { DatabaseClock } from '../../src/engine/drivers/postgres/database-clock.js';
import { PostgresDriver } from '../../src/engine/drivers/postgres/postgres-driver.js';
import { PostgresRunWatch } from '../../src/engine/drivers/postgres/watch/postgres-run-watch.js';
import { LOG_REVISION } from '../../src/engine/core/log/event-codec.js';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { LazyDatabase } from '../../src/postgres/lazy-database.js';
import { PostgresMemoryIndex } from '../../src/storage/postgres/postgres-memory-index.js';
import { PostgresRunStore } from '../../src/storage/postgres/postgres-run-store.js';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { Choices, printedSeed } from '../crash/support/choices.js';
import { until } from '../support/eventually.js';
import { document, gate, mock } from '../support/workflow-documents.js';
import { openedDatabase, type StartedDatabase } from './support/database.js';
import { ask } from './support/gated.js';
import type { Replica } from './support/replicas.js';
import { startSteadyReplicas, type SteadyReplicas } from './support/steady-replicas.js';

const SHARDS = 64;
/** A few beats, in which whatever is free would have been taken. */
const SETTLED_MS = 2_500;

/** One that waits for a person, and then has a unit to call. */
const WAITING = {
  id: 'waiting',
  yaml: document('waiting', [gate('agree'), mock('after')]),
  bindings: () => ({}),
};

const choices = new Choices(printedSeed('rolling upgrade'));
let steady: SteadyReplicas;
const newer: Newer[] = [];
afterEach(async () => {
  for (const { engine } of newer.splice(0)) await engine.close();
  await steady?.close();
});

/** A replica of a build that may write what the service of this one cannot read. */
interface Newer {
  readonly engine: Engine;
  readonly driver: PostgresDriver;
}

async function startNewer({ url, schema }: StartedDatabase): Promise<Newer> {
  const database = new LazyDatabase(() => openedDatabase({ url, schema }));
  const clock = new DatabaseClock();
  const logger = new RecordingLogger();
  const driver = new PostgresDriver({ database, clock, logger, logRevision: LOG_REVISION + 1 });
  const store = new PostgresRunStore({ database });
  const engine = createEngine({
    store,
    memory: new PostgresMemoryIndex({ database }),
    driver,
    watch: new PostgresRunWatch({ driver, database, lastPosition: () => store.lastPosition(), logger }),
    clock,
    registry: 'durable',
    shutdownGraceMs: 1_000,
  });
  await engine.open();
  const started = { engine, driver };
  newer.push(started);
  return started;
}

async function stopNewer(started: Newer): Promise<void> {
  newer.splice(newer.indexOf(started), 1);
  await started.engine.close();
}

const owned = ({ driver }: Newer): number => driver.figures().shardsOwned;

async function ownedByService({ url }: Replica): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^flowgate_shards (\d+)$/m.exec(text)?.[1]);
}

/** Each shard has an owner, and no more than one can have it. */
function allOwned(services: readonly Replica[]): Promise<void> {
  return until(
    async () => {
      const each = await Promise.all(services.map(ownedByService));
      return [...each, ...newer.map(owned)].reduce((sum, count) => sum + count, 0) === SHARDS;
    },
    'every shard has an owner',
    20_000,
  );
}

async function pausedAt(engine: Engine): Promise<string> {
  const { runId, status } = await engine.runs.start({ workflowId: 'waiting', sync: true });
  expect(status).toBe('paused');
  return runId;
}

const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLED_MS));

it(`what ${VERSION} shares with a newer build goes to that, never back, and no shard is left alone`, async () => {
  steady = await startSteadyReplicas({ choices, workflows: [WAITING], count: 2 });
  const { replicas, database } = steady;
  const olds = replicas.all;
  const own = await ask(olds[0]!.url, '/workflows/waiting/runs', { sync: true });
  expect(own.body.status).toBe('paused');

  // One is upgraded.
  await replicas.terminate(olds[0]!);
  const first = await startNewer(database!);
  await until(() => owned(first) > 0, 'it is given shards');
  await allOwned([olds[1]!]);
  const runId = await pausedAt(first.engine);
  const path = `/workflows/waiting/runs/${runId}`;

  // The other one knows that it may not know what is in that run.
  await until(async () => (await ask(olds[1]!.url, path)).status === 503, 'the older one has seen it');
  const decision = { approved: true, responder: 'ann' };
  for (const [suffix, body] of [
    ['', undefined],
    ['/hitl', decision],
    ['/messages', undefined],
  ] as const) {
    const response = await fetch(`${olds[1]!.url}${path}${suffix}`, {
      ...(body !== undefined && {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    expect([suffix, response.status]).toEqual([suffix, 503]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }

  // It restarts, for whatever reason: meanwhile the newer one has had all.
  await replicas.kill(olds[1]!);
  await until(() => owned(first) === SHARDS, 'the newer one owns all');
  const again = await replicas.start();
  const second = await startNewer(database!);
  await allOwned([again]);
  await settle();
  await allOwned([again]);
  expect(await ownedByService(again)).toBe(0);
  expect([owned(first), owned(second)]).toEqual([SHARDS / 2, SHARDS / 2]);
  // There is no shard in which it could begin one.
  expect((await ask(again.url, '/workflows/waiting/runs', { input: {} })).status).toBe(503);

  // All of the newer ones are gone: rather nobody has the shards than one that may not understand them.
  await stopNewer(first);
  await stopNewer(second);
  await settle();
  expect(await ownedByService(again)).toBe(0);
  expect((await ask(again.url, path)).status).toBe(503);

  const third = await startNewer(database!);
  await until(() => owned(third) === SHARDS, 'a newer one owns all');
  for (const each of [runId, own.body.runId]) {
    const decided = await third.engine.gates.respond({ workflowId: 'waiting', runId: each, ...decision });
    expect(decided.status).toBe('completed');
  }
}, 120_000);
