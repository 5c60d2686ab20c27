import { setTimeout as delay } from 'node:timers/promises';
import type { LogEntry } from '../../src/engine/ports/store/commit-log.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import {
  NOON,
  endedRow,
  sampleAppend,
  sampleDefinition,
  sampleRow,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import type { Database } from '../../src/storage/postgres/database/database.js';
import { LEAST_ID } from '../../src/storage/postgres/lists/run-ids.js';
import { purgePiece } from '../../src/storage/postgres/purge/purge-ended.js';
import { Choices, printedSeed } from '../crash/support/choices.js';
import { counted } from './support/counts.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';

const ROUNDS = counted(2_000);
/** A statement takes about a millisecond: within this the two meet in every way. */
const APART_MS = 3;

const choices = new Choices(printedSeed('purge races'));
let started: StartedDatabase;
/** Two replicas, each with connections of its own. */
let one: RunStore;
let other: RunStore;

beforeEach(async () => {
  started = await startedDatabase();
  [one, other] = [started.replica().store, started.replica().store];
  await Promise.all([one.open(), other.open()]);
});
afterEach(async () => {
  await one.close();
  await other.close();
  await started.dispose();
});

/** Does both, one of them a little later. */
async function race<A, B>(first: () => Promise<A>, second: () => Promise<B>): Promise<readonly [A, B]> {
  const late = choices.fraction() * APART_MS;
  const isFirstLate = choices.happens(0.5);
  const after = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
    if (ms > 0) await delay(ms);
    return work();
  };
  return Promise.all([after(isFirstLate ? late : 0, first), after(isFirstLate ? 0 : late, second)]);
}

const purge = (store: RunStore): Promise<readonly string[]> =>
  store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 10 });

it(`a run is purged, or has a fork, and never both: ${ROUNDS} times`, async () => {
  const outcomes = { purged: 0, forked: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const [source, fork] = [sampleRunId(2 * round), sampleRunId(2 * round + 1)];
    await one.append(sampleAppend(source, { row: endedRow(source, NOON) }));
    const origin = { origin: 'fork', forkedFrom: source } as const;
    const row = sampleRow(fork, origin);
    const [purged, appended] = await race(
      () => purge(one),
      async () => other.append(sampleAppend(fork, { row })),
    );
    const isPurged = purged.includes(source);
    // The fork is refused where its source is gone; where it was taken, its source is there, with all of its log.
    expect([round, appended]).toEqual([round, isPurged ? 'stale' : 'appended']);
    const events = await one.readEvents({ runId: source, afterSeq: 0, limit: 9 });
    expect([round, events.length]).toEqual([round, isPurged ? 0 : 2]);
    expect((await one.readRow({ runId: fork })) === null).toBe(isPurged);
    if (isPurged) outcomes.purged += 1;
    else outcomes.forked += 1;
    // Neither of them is in the way of the rounds to come.
    await other.append(sampleAppend(fork, { expectedSeq: 2, row: endedRow(fork, NOON, origin) }));
    await purge(one);
    await purge(one);
  }
  process.stdout.write(`${outcomes.purged} purged, ${outcomes.forked} forked\n`);
  // Both were first at times: else nothing was tried here.
  expect(Math.min(outcomes.purged, outcomes.forked)).toBeGreaterThan(0);
}, 300_000);

it(`a run that has begun has its definition, whoever sweeps unused ones meanwhile: ${ROUNDS} times`, async () => {
  const outcomes = { appended: 0, stale: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const workflowId = `w-${round}`;
    const definition = sampleDefinition({ workflowId, hash: `old-${round}` });
    const next = sampleDefinition({ workflowId, hash: `new-${round}` });
    await one.register({ definition, opening: 'o' });
    const runId = sampleRunId(round);
    const row = sampleRow(runId, { workflowId, definitionHash: definition.hash });
    const startedFrom = { hash: definition.hash, opening: null };
    const [, result] = await race(
      async () => {
        await one.register({ definition: next, opening: 'o' });
        return one.removeUnusedDefinitions({ opening: null, limit: 100 });
      },
      async () => other.append(sampleAppend(runId, { row, startedFrom })),
    );
    // As if the sweep came once more, when the race is over.
    await one.removeUnusedDefinitions({ opening: null, limit: 100 });
    const kept = await one.readDefinition({ namespace: 'default', hash: definition.hash });
    expect([round, result, kept?.hash ?? null]).toEqual(
      result === 'appended' ? [round, 'appended', definition.hash] : [round, 'stale', null],
    );
    outcomes[result === 'appended' ? 'appended' : 'stale'] += 1;
  }
  process.stdout.write(`${outcomes.appended} begun, ${outcomes.stale} refused\n`);
  expect(Math.min(outcomes.appended, outcomes.stale)).toBeGreaterThan(0);
}, 300_000);

it(`a key that is used again while its run is purged means one run: ${counted(500)} times`, async () => {
  for (let round = 0; round < counted(500); round += 1) {
    const [before, after] = [sampleRunId(2 * round), sampleRunId(2 * round + 1)];
    const key = { scope: 'start:invoices', key: `key-${round}`, fingerprint: 'f' };
    await one.append(
      sampleAppend(before, { row: endedRow(before, NOON), idempotency: [{ ...key, runId: before }] }),
    );
    const [purged, result] = await race(
      () => purge(one),
      async () => other.append(sampleAppend(after, { idempotency: [{ ...key, runId: after }] })),
    );
    const isPurged = purged.includes(before);
    const known = await one.readIdempotency(key);
    const there = await Promise.all([before, after].map((runId) => one.readRow({ runId })));
    // Taken only once the first run is gone. A conflict sends the caller to look, who finds the first, or nobody and tries again.
    if (result === 'appended') expect([isPurged, known?.runId, there[0]]).toEqual([true, after, null]);
    else expect([result, there[1], known?.runId ?? before]).toEqual(['conflict', null, before]);
    if (!isPurged) await purge(one);
  }
}, 120_000);

it('a chain of forks goes in a transaction of few statements, which followers wait for', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => sampleRunId(index));
  for (const [index, runId] of ids.entries()) {
    const row = endedRow(
      runId,
      NOON,
      index === 0 ? {} : { origin: 'fork', forkedFrom: ids[index - 1] ?? null },
    );
    await one.append(sampleAppend(runId, { row }));
  }
  let statements = 0;
  const { database } = started;
  const counting: Database = {
    base: database.base,
    query: database.query,
    snapshot: (work) => database.snapshot(work),
    transaction: (work) =>
      database.transaction((query) =>
        work((sql, values) => {
          statements += 1;
          return query(sql, values);
        }),
      ),
  };
  const piece = { after: { endedAt: 0, runId: LEAST_ID }, atMost: 100, limit: 100 };
  const { ids: purged } = await purgePiece(counting, {
    endedBefore: NOON + 1,
    throughPosition: null,
    ...piece,
  });
  expect(purged).toEqual(ids.toReversed());
  expect(statements).toBe(3);
}, 60_000);

it('several replicas that purge at once delete each run once, and leave a tombstone for each', async () => {
  const ids = Array.from({ length: counted(3_000) }, (_, index) => sampleRunId(index));
  await Promise.all(
    ids.map(async (runId) => one.append(sampleAppend(runId, { row: endedRow(runId, NOON) }))),
  );
  const purged: string[] = [];
  await Promise.all(
    [one, other, one, other].map(async (store) => {
      for (let idle = 0; idle < 3;) {
        const some = await store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 20 });
        purged.push(...some);
        // Rows that another one holds are left out.
        idle = some.length === 0 ? idle + 1 : 0;
      }
    }),
  );
  purged.push(...(await one.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 10_000 })));
  expect(purged.toSorted()).toEqual(ids.toSorted());
  // A page may be shorter than it was asked to be.
  const entries: LogEntry[] = [];
  for (let page = await one.readAll({ afterPosition: 0, limit: 10_000 }); page.length > 0;) {
    entries.push(...page);
    page = await one.readAll({ afterPosition: page.at(-1)!.position, limit: 10_000 });
  }
  expect(entries.map(({ kind, runId }) => `${kind} ${runId}`).toSorted()).toEqual(
    ids.map((runId) => `purged ${runId}`).toSorted(),
  );
}, 60_000);
