import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sampleAppend, sampleRunId } from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { RunsAtRisk } from '../../src/storage/sqlite/marks/runs-at-risk.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { killAfter, linesOf, startChild } from './support/child.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const file = (): string => join(folder.path, 'risks.log');

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(() => folder.remove());

describe('the runs in which a process died (promise 7)', () => {
  const openedStore = async (): Promise<SqliteRunStore> => {
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    return store;
  };
  const found = async (): Promise<unknown> => {
    const store = await openedStore();
    const left = await store.deathsLeftBehind({ shards: null });
    await store.close();
    return left;
  };
  const die = (seq = '4') => killAfter(startChild('mark-at-risk.mjs', [folder.path, 'die', seq]), 2);

  it('are counted, crash after crash, while nothing of them is appended', async () => {
    await die();
    const [second] = await die();
    expect(JSON.parse(second!)).toEqual([{ runId: 'died in', lastSeq: 4, deaths: 1 }]);
    await die();
    expect(await found()).toEqual([{ runId: 'died in', lastSeq: 4, deaths: 3 }]);
  });

  it('are handed over by their shards, and once; the next death is counted all the same', async () => {
    await die();
    const store = await openedStore();
    const counted = [{ runId: 'died in', lastSeq: 4, deaths: 1 }];
    await expect(store.deathsLeftBehind({ shards: { count: 2, lanes: [1] } })).resolves.toEqual([]);
    await expect(store.deathsLeftBehind({ shards: { count: 2, lanes: [0] } })).resolves.toEqual(counted);
    await expect(store.deathsLeftBehind({ shards: null })).resolves.toEqual([]);
    store.markAtRisk({ runId: 'died in', doing: 'turn', lastSeq: 4 });
    expect(new RunsAtRisk(file()).leftBehind()).toEqual([{ ...counted[0], deaths: 2 }]);
    await store.close();
  });

  it('begin again when something of the run was appended in between', async () => {
    for (const seq of ['4', '4', '7']) await die(seq);
    expect(await found()).toEqual([{ runId: 'died in', lastSeq: 7, deaths: 1 }]);
  });

  it('are forgotten by a clean close', async () => {
    await die();
    await linesOf(startChild('mark-at-risk.mjs', [folder.path, 'close']), 2);
    expect(existsSync(file())).toBe(false);
    expect(await found()).toEqual([]);
  });

  it('show in a deep check when they cannot be written, and stop nobody', async () => {
    const store = await openedStore();
    mkdirSync(`${file()}.new`);
    store.markAtRisk({ runId: 'run', doing: 'turn', lastSeq: 1 });
    await expect(store.check({ deep: true })).rejects.toThrow(
      'risks.log in the data folder could not be used',
    );
    rmSync(`${file()}.new`, { recursive: true });
    await expect(store.check({ deep: true })).resolves.toBeUndefined();
    await store.close();
  });

  it('are those that were being read, when that is much; reading little leaves no mark', async () => {
    const store = await openedStore();
    const append = sampleAppend(sampleRunId(1));
    await store.append(append);
    const { parse } = JSON;
    const marks: unknown[] = [];
    JSON.parse = (text: string): unknown => {
      marks.push(new RunsAtRisk(file()).leftBehind());
      return parse(text);
    };
    try {
      await store.load({ runId: append.runId, atSeq: null });
      const [first] = append.events;
      const padded = { ...first!, seq: append.row.lastSeq + 1, padding: 'x'.repeat(2_000_000) };
      await store.append({
        ...append,
        expectedSeq: append.row.lastSeq,
        events: [padded],
        row: { ...append.row, lastSeq: append.row.lastSeq + 1 },
        idempotency: [],
        labels: null,
        storedState: null,
      });
      marks.length = 0;
      await store.load({ runId: append.runId, atSeq: null });
    } finally {
      JSON.parse = parse;
    }
    expect(marks).toContainEqual([{ runId: append.runId, lastSeq: append.row.lastSeq + 1, deaths: 1 }]);
    expect(new RunsAtRisk(file()).leftBehind()).toEqual([]);
    await store.close();
  });
});

describe('the file of runs at risk', () => {
  const died = (risks: RunsAtRisk, runId = 'run') =>
    risks.leftBehind().find((deaths) => deaths.runId === runId)?.deaths ?? 0;

  it('counts nothing after the machine was restarted', () => {
    const risks = new RunsAtRisk(file(), 'this boot');
    risks.begin('turn', 'run', 1);
    risks.release();
    expect(died(new RunsAtRisk(file(), 'this boot'))).toBe(1);
    expect(died(new RunsAtRisk(file(), 'another'))).toBe(0);
  });

  it('keeps a count while the run is only read, and drops it when its turn comes to an end', () => {
    const first = new RunsAtRisk(file());
    first.begin('turn', 'run', 1);
    const second = new RunsAtRisk(file());
    second.startOver(second.leftBehind());
    second.begin('load', 'run', 1);
    second.end('load', 'run');
    expect(died(second)).toBe(1);
    second.begin('turn', 'run', 1);
    expect(died(second)).toBe(2);
    second.end('turn', 'run');
    expect(died(second)).toBe(0);
    second.forget();
    first.release();
  });
});
