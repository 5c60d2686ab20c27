import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres, type PostgresServer } from '../../tools/postgres/server.mjs';
import { createEngine } from '../../src/engine/index.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import {
  endedRow,
  NOON,
  sampleAppend,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { postgres } from '../../src/postgres.js';
import { inSequence } from '../support/engine.js';
import { until } from '../support/eventually.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';
import { postgresProgram, psql } from './support/programs.js';
import { sharedUrl } from './support/server.js';

/** The server that the dump comes from has had more transactions than one that is new. */
const TRANSACTIONS = 20_000;

let started: StartedDatabase;
let elsewhere: PostgresServer;
/** A database of that server which has nothing in it. */
let target: string;
let targets = 0;

beforeAll(async () => {
  elsewhere = await startPostgres();
}, 60_000);
afterAll(() => elsewhere?.stop());
beforeEach(async () => {
  started = await startedDatabase();
  targets += 1;
  target = elsewhere.url({ database: `target_${targets}` });
  await elsewhere.createDatabase(`target_${targets}`);
});
afterEach(() => started.dispose());

const dump = (): Promise<string> =>
  postgresProgram('pg_dump', ['--schema', started.schema, '--no-owner', '-d', sharedUrl()]);

async function restored(): Promise<RunStore> {
  await psql(target, await dump());
  const { store } = postgres({ url: target, schema: started.schema });
  await store.open();
  return store;
}

it('followers of a dump that is restored elsewhere miss nothing that is written there, and see nothing again', async () => {
  await psql(
    sharedUrl(),
    `DO $$ BEGIN FOR i IN 1..${TRANSACTIONS} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$;`,
  );
  const { store } = started;
  await store.open();
  for (let index = 0; index < 5; index += 1) await store.append(sampleAppend(sampleRunId(index)));
  const before = await store.readAll({ afterPosition: 0, limit: 99 });
  const cursor = before.at(-1)!.position;
  await store.writeCursor({ name: 'follower', position: cursor });

  const there = await restored();
  try {
    // What the dump holds is read at once, as it was.
    expect(await there.readAll({ afterPosition: 0, limit: 99 })).toEqual(before);
    expect(await there.readCursor({ name: 'follower' })).toBe(cursor);
    expect(await there.readAll({ afterPosition: cursor, limit: 99 })).toEqual([]);
    expect(await there.lastPosition()).toBe(cursor);
    for (let index = 5; index < 10; index += 1) await there.append(sampleAppend(sampleRunId(index)));
    const after = await there.readAll({ afterPosition: cursor, limit: 99 });
    expect(after.map(({ runId }) => runId)).toEqual([5, 6, 7, 8, 9].map((index) => sampleRunId(index)));
    expect(await there.lastPosition()).toBe(after.at(-1)?.position);
    expect(await there.countAfter({ position: cursor, atMost: 99 })).toBe(5);
    // A tombstone comes behind them all, too.
    const first = sampleRunId(0);
    await there.append(sampleAppend(first, { expectedSeq: 2, row: endedRow(first, NOON) }));
    expect(await there.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 9 })).toEqual([
      first,
    ]);
    const last = (await there.readAll({ afterPosition: after.at(-1)!.position, limit: 9 })).at(-1);
    expect(last).toMatchObject({ kind: 'purged', runId: first });
  } finally {
    await there.close();
  }
}, 120_000);

it('a database that is restored twice, back and forth, keeps its order', async () => {
  const { store } = started;
  await store.open();
  await store.append(sampleAppend(sampleRunId(1)));
  const there = await restored();
  await there.append(sampleAppend(sampleRunId(2)));
  await there.close();
  const script = await postgresProgram('pg_dump', ['--schema', started.schema, '--no-owner', '-d', target]);
  // The administrator stops the service, removes the schema and restores what the other server has.
  await store.close();
  await started.sql(`DROP SCHEMA "${started.schema}" CASCADE`);
  await psql(sharedUrl(), script);
  const { store: again } = started.replica();
  await again.open();
  try {
    await again.append(sampleAppend(sampleRunId(3)));
    const entries = await again.readAll({ afterPosition: 0, limit: 9 });
    expect(entries.map(({ runId }) => runId)).toEqual([1, 2, 3].map((index) => sampleRunId(index)));
    const positions = entries.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  } finally {
    await again.close();
  }
}, 120_000);

it('a dump that is made under load stops nobody, and is a backup: its runs go on elsewhere', async () => {
  const engineOn = (url: string) => {
    const engine = createEngine({
      ...postgres({ url, schema: started.schema }),
      shutdownGraceMs: 1_000,
      sameInstantMs: 0,
    });
    engine.registerUnit('work', async ({ input, context }) => {
      await delay(5);
      return `${String((input as { readonly word?: string }).word)} ${context.unitId}`;
    });
    return engine;
  };
  const engine = engineOn(started.url);
  await engine.open();
  const yaml = inSequence('w', [
    { id: 'a', uses: 'work' },
    { id: 'gate', uses: 'builtin.approval' },
    { id: 'b', uses: 'work' },
  ]);
  await engine.workflows.register({ yaml });
  const paused = await Promise.all(
    Array.from({ length: 5 }, () =>
      engine.runs.start({ workflowId: 'w', input: { word: 'zebras' }, sync: true }),
    ),
  );
  const over = new AbortController();
  let ended = 0;
  let longestMs = 0;
  const load = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) {
      const before = performance.now();
      const { runId } = await engine.runs.start({ workflowId: 'w', input: { word: 'others' }, sync: true });
      await engine.gates.respond({ workflowId: 'w', runId, approved: true, responder: 'ann' });
      longestMs = Math.max(longestMs, performance.now() - before);
      ended += 1;
    }
  });
  await delay(200);
  const before = ended;
  const script = await dump();
  const meanwhile = ended - before;
  over.abort();
  await Promise.all(load);
  expect(meanwhile).toBeGreaterThan(0);
  expect(longestMs).toBeLessThan(5_000);
  await engine.close();

  await psql(target, script);
  const there = engineOn(target);
  await there.open();
  try {
    expect((await there.workflows.list()).map(({ workflowId }) => workflowId)).toEqual(['w']);
    for (const { runId } of paused) {
      const address = { workflowId: 'w', runId };
      expect((await there.runs.get(address)).status).toBe('paused');
      const decided = await there.gates.respond({ ...address, approved: true, responder: 'ann' });
      expect(decided.result?.completedUnits).toEqual(['a', 'gate', 'b']);
    }
    // The search follows what happens there, from where the dump was.
    const ids = new Set(paused.map(({ runId }) => runId));
    const found = async () => {
      const hits = await there.memory.search({ query: 'zebras', topK: 100 });
      return hits.filter(({ metadata }) => metadata['unitId'] === 'b' && ids.has(String(metadata['runId'])))
        .length;
    };
    await until(async () => (await found()) === ids.size, 'the search knows the outputs');
  } finally {
    await there.close();
  }
}, 120_000);
