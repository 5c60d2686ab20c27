import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../src/errors/service-errors.js';
import { sampleRunId } from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { BegunCalls } from '../../src/storage/sqlite/marks/begun-calls.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { killAfter, linesOf, startChild } from './support/child.js';

const LEFT = [
  { runId: 'run 1', executionId: 1, attempt: 1 },
  { runId: 'run 1', executionId: 2, attempt: 2 },
];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(() => folder.remove());

describe('the calls that had begun when a process died (promise 6)', () => {
  const openAndClose = async (): Promise<unknown> => {
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    const left = await store.callsLeftBehind({ shards: null });
    await store.close();
    return left;
  };

  it('are known to the next, and only to that', async () => {
    await killAfter(startChild('mark-calls.mjs', [folder.path]), 2);
    await expect(openAndClose()).resolves.toEqual(LEFT);
    await expect(openAndClose()).resolves.toEqual([]);
  });

  it('are those of the last process, not of the one before', async () => {
    await killAfter(startChild('mark-calls.mjs', [folder.path]), 2);
    const [found] = await killAfter(startChild('mark-calls.mjs', [folder.path]), 2);
    expect(JSON.parse(found!)).toEqual(LEFT);
    await expect(openAndClose()).resolves.toEqual(LEFT);
  });

  it('are handed over by the shards of their runs, and once', async () => {
    await killAfter(startChild('mark-calls.mjs', [folder.path]), 2);
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    // An id that ends in no byte is one of byte 0.
    await expect(store.callsLeftBehind({ shards: { count: 4, lanes: [1, 2, 3] } })).resolves.toEqual([]);
    await expect(store.callsLeftBehind({ shards: { count: 4, lanes: [0] } })).resolves.toEqual(LEFT);
    await expect(store.callsLeftBehind({ shards: { count: 4, lanes: [0] } })).resolves.toEqual([]);
    await expect(store.callsLeftBehind({ shards: null })).resolves.toEqual([]);
    await store.close();
  });

  it('are forgotten by a clean close', async () => {
    await linesOf(startChild('mark-calls.mjs', [folder.path, 'close']), 2);
    expect(existsSync(join(folder.path, 'calls.log'))).toBe(false);
    await expect(openAndClose()).resolves.toEqual([]);
  });

  it('are not taken by a boot that fails', async () => {
    await killAfter(startChild('mark-calls.mjs', [folder.path]), 2);
    const store = new SqliteRunStore({
      folder: folder.path,
      workers: new URL('./missing/', import.meta.url),
    });
    await expect(store.open()).rejects.toThrow(StoreError);
    await expect(openAndClose()).resolves.toEqual(LEFT);
  });

  it('show in a deep check, and nowhere else, when they cannot be written', async () => {
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    await store.open();
    const obstacle = join(folder.path, 'calls.log.new');
    mkdirSync(obstacle);
    store.markCalls({ begun: LEFT, ended: [] });
    await expect(store.check({ deep: false })).resolves.toBeUndefined();
    await expect(store.check({ deep: true })).rejects.toThrow(
      'calls.log in the data folder could not be used',
    );
    rmSync(obstacle, { recursive: true });
    await expect(store.check({ deep: true })).resolves.toBeUndefined();
    expect(readFileSync(join(folder.path, 'calls.log'), 'utf8')).toBe('+1 1 run 1\n+2 2 run 1\n');
    await store.close();
  });
});

describe('the file of begun calls', () => {
  const call = (executionId: number): (typeof LEFT)[number] => ({
    runId: sampleRunId(executionId),
    executionId,
    attempt: 1,
  });
  const file = (): string => join(folder.path, 'calls.log');
  const left = (): readonly unknown[] => new BegunCalls(file()).leftBehind();

  it('is made by the first mark, for its owner alone', () => {
    const calls = new BegunCalls(file());
    calls.mark({ begun: [], ended: [call(1)] });
    expect(existsSync(file())).toBe(false);
    calls.mark({ begun: [call(1)], ended: [] });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    calls.release();
  });

  it('loses a last line that its writer did not finish, and nothing else', () => {
    const calls = new BegunCalls(file());
    calls.mark({ begun: [call(1), call(2)], ended: [] });
    calls.release();
    appendFileSync(file(), `-1 1 ${sampleRunId(1)}`);
    expect(left()).toEqual([call(1), call(2)]);
    writeFileSync(file(), `+1 1 a\nwhat is this\n\n+x 1 b\n+2 1 c\n`);
    expect(left()).toEqual([
      { runId: 'a', executionId: 1, attempt: 1 },
      { runId: 'c', executionId: 2, attempt: 1 },
    ]);
  });

  it('stays short while calls come and go', () => {
    const calls = new BegunCalls(file());
    calls.mark({ begun: [call(0)], ended: [] });
    let longest = 0;
    for (let index = 1; index < 20_000; index += 1) {
      calls.mark({ begun: [call(index)], ended: [call(index - 1)] });
      if (index % 100 === 0) longest = Math.max(longest, statSync(file()).size);
    }
    expect(longest).toBeGreaterThan(200_000);
    expect(longest).toBeLessThan(300_000);
    expect(left()).toEqual([call(19_999)]);
    calls.forget();
  });

  it('is whole again after a fault', () => {
    const calls = new BegunCalls(file());
    mkdirSync(`${file()}.new`);
    calls.mark({ begun: [call(1)], ended: [] });
    expect(() => calls.verify()).toThrow(StoreError);
    rmSync(`${file()}.new`, { recursive: true });
    calls.mark({ begun: [call(2)], ended: [] });
    expect(() => calls.verify()).not.toThrow();
    expect(left()).toEqual([call(1), call(2)]);
    calls.forget();
    expect(left()).toEqual([]);
  });

  it('that cannot be read is an error that says so', () => {
    mkdirSync(file());
    expect(left).toThrow('calls.log in the data folder cannot be read: give this user access');
    chmodSync(file(), 0o700);
  });
});
