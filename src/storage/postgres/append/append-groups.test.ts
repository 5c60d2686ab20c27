import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { AppendRequest } from '../../../engine/ports/store/append.js';
import {
  sampleAppend,
  sampleKey,
  sampleRow,
  sampleRunId,
} from '../../../engine/testing/contract/run-store/support/sample-run.js';
import { StoreError } from '../../../errors/service-errors.js';
import type { Columns, Database, Query } from '../database/database.js';
import { storeErrorOf, unreachedError } from '../database/postgres-fault.js';
import { AppendGroups } from './append-groups.js';
import { appendOf } from './append-rows.js';

/** A fault that PostgreSQL reports. */
const fault = (code: string): StoreError =>
  storeErrorOf({ kind: 'statement', code, message: 'refused', endsConnection: false });

const gone = new StoreError('The connection broke');

interface Call {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** The ids of runs that appends are of. */
  readonly runIds: readonly string[];
  answer(rows?: readonly Columns[]): Promise<void>;
  fail(error: StoreError): Promise<void>;
}

/** Answers when it is told to. */
class HeldDatabase implements Database {
  readonly base = 0;
  readonly calls: Call[] = [];

  readonly query: Query = (sql, values = []) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Columns[]>();
    const settled = async (): Promise<void> => {
      for (let rounds = 0; rounds < 4; rounds += 1) await setImmediate();
    };
    this.calls.push({
      sql,
      values,
      runIds: [...new Set(values.flatMap((value) => (Array.isArray(value) ? value : [])))].filter(
        (value): value is string => typeof value === 'string' && value.startsWith('01a0c3c5-'),
      ),
      answer: (rows = []) => {
        resolve(rows);
        return settled();
      },
      fail: (error) => {
        reject(error);
        return settled();
      },
    });
    return promise;
  };

  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return work(this.query);
  }

  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return work(this.query);
  }

  get last(): Call {
    return this.calls.at(-1)!;
  }

  get sizes(): readonly number[] {
    return this.calls.map(({ runIds }) => runIds.length);
  }
}

const ids = (count: number, first = 1): readonly string[] =>
  Array.from({ length: count }, (_, index) => sampleRunId(first + index));

const move = (runId: string): AppendRequest => sampleAppend(runId, { expectedSeq: 2 });

function begin() {
  const database = new HeldDatabase();
  const waits: number[] = [];
  const weeks = { made: async () => void waits.push(0) };
  const groups = new AppendGroups(database, weeks, async (ms) => void waits.push(ms));
  const commits: (readonly [number, boolean])[] = [];
  groups.notifyOfCommits((operations, _tookMs, isDurable) => commits.push([operations, isDurable]));
  const submit = (request: AppendRequest): Promise<unknown> =>
    groups.submit(appendOf(request)).catch((error: unknown) => error);
  return {
    database,
    groups,
    waits,
    commits,
    submit,
    submitAll: (runIds: readonly string[]) => runIds.map((id) => submit(move(id))),
  };
}

describe('the groups in which appends go to the database', () => {
  it('begin at the end of the tick, and have all that came until then', async () => {
    const { database, commits, submitAll } = begin();
    const results = submitAll(ids(3));
    expect(database.calls).toEqual([]);
    await setImmediate();
    expect(database.sizes).toEqual([3]);
    await database.last.answer();
    await expect(Promise.all(results)).resolves.toEqual(['appended', 'appended', 'appended']);
    expect(commits).toEqual([[3, true]]);
  });

  it('have what came while the database was busy, one group at a time', async () => {
    const { database, submitAll } = begin();
    submitAll(ids(1));
    await setImmediate();
    submitAll(ids(40, 10));
    await setImmediate();
    expect(database.sizes).toEqual([1]);
    await database.last.answer();
    expect(database.sizes).toEqual([1, 40]);
  });

  it('are two while a full one waits', async () => {
    const { database, submitAll } = begin();
    submitAll(ids(1));
    await setImmediate();
    submitAll(ids(1_500, 10));
    await setImmediate();
    expect(database.sizes).toEqual([1, 512]);
    await database.calls[0]!.answer();
    expect(database.sizes).toEqual([1, 512, 512]);
    await database.calls[1]!.answer();
    expect(database.sizes).toEqual([1, 512, 512]);
    await database.calls[2]!.answer();
    expect(database.sizes).toEqual([1, 512, 512, 476]);
  });

  it('let a large append pass next to the small ones, one at a time', async () => {
    const { database, submit, submitAll } = begin();
    const event = { v: 1, seq: 3, at: 1, type: 'x'.repeat(2_000_000) };
    const large = (runId: string) => submit(sampleAppend(runId, { expectedSeq: 2, events: [event] }));
    submitAll(ids(2));
    void large(sampleRunId(50));
    void large(sampleRunId(51));
    await setImmediate();
    expect(database.calls.map(({ runIds }) => [...runIds])).toEqual([[sampleRunId(50)], ids(2)]);
    await database.calls[0]!.answer();
    expect(database.last.runIds).toEqual([sampleRunId(51)]);
  });

  it('say of each append what became of it', async () => {
    const { database, submit } = begin();
    const results = [move(sampleRunId(1)), sampleAppend(sampleRunId(2)), move(sampleRunId(3))].map(submit);
    await setImmediate();
    await database.last.answer([
      { run_id: sampleRunId(1), refusal: 'conflict' },
      { run_id: sampleRunId(2), refusal: 'stale' },
    ]);
    await expect(Promise.all(results)).resolves.toEqual(['conflict', 'stale', 'appended']);
  });

  it('are waited for when the store is closed', async () => {
    const { database, groups, submitAll } = begin();
    await expect(groups.drained()).resolves.toBeUndefined();
    submitAll(ids(1));
    let isDrained = false;
    const drained = groups.drained().then(() => (isDrained = true));
    await setImmediate();
    submitAll(ids(1, 2));
    await database.last.answer();
    expect(isDrained).toBe(false);
    await database.last.answer();
    await drained;
  });
});

describe('a group that fails', () => {
  it.each([
    ['values that one of them has', '22021'],
    ['a deadlock', '40P01'],
    ['a damaged page', 'XX001'],
    ['a trigger of somebody', 'P0001'],
    ['more memory than there is', '53200'],
  ])('for %s is written again in halves, so that only that one fails', async (_what, code) => {
    const { database, submitAll } = begin();
    const results = submitAll(ids(4));
    await setImmediate();
    const bad = sampleRunId(3);
    for (let round = 0; round < 20 && database.calls.length > round; round += 1) {
      const call = database.calls[round]!;
      if (call.runIds.includes(bad)) await call.fail(fault(code));
      else await call.answer();
    }
    const settled = await Promise.all(results);
    expect(settled.map((result) => (result instanceof StoreError ? 'failed' : result))).toEqual([
      'appended',
      'appended',
      'failed',
      'appended',
    ]);
  });

  it.each(['53100', '57014', '25006', '55P03'])(
    'for what has nothing to do with its members (%s) fails as a whole',
    async (code) => {
      const { database, submitAll } = begin();
      const results = submitAll(ids(4));
      await setImmediate();
      await database.last.fail(fault(code));
      // PostgreSQL says that nothing was written: nobody has to look.
      expect(database.calls).toHaveLength(1);
      const settled = await Promise.all(results);
      expect(settled.map((result) => result instanceof StoreError && result.permanent)).toEqual(
        Array.from({ length: 4 }, () => false),
      );
    },
  );

  it('that was never sent fails without a look', async () => {
    const { database, groups, submitAll } = begin();
    const results = submitAll(ids(2));
    await setImmediate();
    const crowded = unreachedError(new Error('timeout exceeded when trying to connect'));
    await database.last.fail(crowded);
    await expect(Promise.all(results)).resolves.toEqual([crowded, crowded]);
    expect(database.calls).toHaveLength(1);
    expect(groups.hasFailed).toBe(true);
  });

  it.each([
    ['40P01', [50, 50]],
    // Here, what is missing is made first.
    ['23514', [0, 50, 0, 50]],
  ])('for something of the moment (%s) is tried again a little later', async (code, waited) => {
    const { database, waits, submit } = begin();
    const results = [submit(move(sampleRunId(1))), submit(sampleAppend(sampleRunId(2)))];
    await setImmediate();
    await database.last.fail(fault(code));
    for (const runId of [sampleRunId(1), sampleRunId(2)]) {
      await database.last.fail(fault(code));
      expect(database.last.runIds).toContain(runId);
      await database.last.answer();
    }
    await expect(Promise.all(results)).resolves.toEqual(['appended', 'appended']);
    expect(waits).toEqual(waited);
  });

  it('for an index that has something of a run already, and no key, is no conflict, which would be tried for ever', async () => {
    const { database, submitAll } = begin();
    const [result] = submitAll(ids(1));
    await setImmediate();
    await database.last.fail(fault('23505'));
    await expect(result).resolves.toBeInstanceOf(StoreError);
  });

  it('for a key that another replica has written is a conflict of that append alone', async () => {
    const { database, submit } = begin();
    const results = ids(2).map((runId, index) =>
      submit(sampleAppend(runId, { expectedSeq: 2, idempotency: [sampleKey(runId, { key: `${index}` })] })),
    );
    await setImmediate();
    await database.last.fail(fault('23505'));
    expect(database.last.runIds).toEqual([sampleRunId(1)]);
    await database.last.answer();
    expect(database.last.runIds).toEqual([sampleRunId(2)]);
    await database.last.fail(fault('23505'));
    await expect(Promise.all(results)).resolves.toEqual(['appended', 'conflict']);
  });

  it('without an answer is looked up: what is stored was appended, the others may be tried again', async () => {
    const { database, groups, commits, submitAll } = begin();
    const results = submitAll(ids(2));
    await setImmediate();
    await database.last.fail(gone);
    const [runIds, firstSeqs, lastSeqs, digests] = database.last.values;
    expect([runIds, firstSeqs, lastSeqs]).toEqual([ids(2), [3, 3], [4, 4]]);
    const { events } = move(sampleRunId(1));
    expect(digests).toContain(createHash('sha256').update(JSON.stringify(events)).digest('hex'));
    await database.last.answer([{ run_id: sampleRunId(2) }]);
    await expect(Promise.all(results)).resolves.toEqual([gone, 'appended']);
    expect(commits).toEqual([
      [1, true],
      [1, false],
    ]);
    expect(groups.hasFailed).toBe(true);
  });

  it('without an answer fails, where that cannot be looked up either', async () => {
    const { database, submitAll } = begin();
    const results = submitAll(ids(2));
    await setImmediate();
    await database.last.fail(gone);
    await database.last.fail(new StoreError('still gone'));
    await expect(Promise.all(results)).resolves.toEqual([gone, gone]);
  });
});

describe('a first append of a run whose log remains from a purge', () => {
  it('is written by itself, after that was deleted, and does not hold the others up', async () => {
    const { database, submit } = begin();
    const [again, other] = [submit(sampleAppend(sampleRunId(1))), submit(move(sampleRunId(2)))];
    await setImmediate();
    await database.last.answer([{ run_id: sampleRunId(1), refusal: 'remains' }]);
    await expect(other).resolves.toBe('appended');
    for (const table of ['log', 'states']) {
      expect(database.last.sql).toContain(`DELETE FROM @.${table} `);
      await database.last.answer();
    }
    await database.last.answer();
    await expect(again).resolves.toBe('appended');
  });
});

describe('a first append by itself', () => {
  it('is tried again after something of the moment', async () => {
    const { database, waits, submit } = begin();
    const again = submit(sampleAppend(sampleRunId(1)));
    await setImmediate();
    await database.last.answer([{ run_id: sampleRunId(1), refusal: 'remains' }]);
    await database.last.fail(fault('40P01'));
    expect(waits).toEqual([50]);
    for (let rounds = 0; rounds < 3; rounds += 1) await database.last.answer();
    await expect(again).resolves.toBe('appended');
  });
});

describe('a long import', () => {
  it('is written piece by piece, in one transaction', async () => {
    const { database, submit } = begin();
    const events = Array.from({ length: 90 }, (_, index) => ({
      v: 1,
      seq: index + 1,
      at: 1,
      type: 'x'.repeat(100_000),
    }));
    const row = sampleRow(sampleRunId(1), { origin: 'import' });
    const result = submit(sampleAppend(sampleRunId(1), { events, row }));
    await setImmediate();
    const texts: string[] = [];
    for (let round = 0; round < 20 && database.calls.length > round; round += 1) {
      const { sql, values } = database.calls[round]!;
      const list = values.at(-1);
      if (sql.includes('INSERT INTO @.log') && !sql.includes('written') && Array.isArray(list))
        texts.push(...(list as string[]));
      await database.calls[round]!.answer();
    }
    await expect(result).resolves.toBe('appended');
    const written = texts.flatMap((text) => JSON.parse(text) as unknown[]);
    expect(written.length).toBeGreaterThan(80);
    expect(written).toEqual(events.slice(0, written.length));
    expect(database.calls.length).toBeGreaterThan(4);
  });
});
