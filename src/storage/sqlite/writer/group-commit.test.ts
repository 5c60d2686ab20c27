import { setImmediate } from 'node:timers/promises';
import { StoreError } from '../../../errors/service-errors.js';
import type { WorkerThread } from '../threads/worker-thread.js';
import { GroupCommit } from './group-commit.js';
import type { WriterResult } from './group-writer.js';
import { WRITE_CURSOR, type FlatValue } from '../operations/operation.js';

const LARGE = 'x'.repeat(2 * 1024 * 1024);

interface Call {
  /** The names of the operations. */
  readonly names: readonly string[];
  answer(): Promise<void>;
  fail(): Promise<void>;
}

/** A writer that sends its results on demand. */
class HeldWriter {
  readonly calls: Call[] = [];

  call(group: readonly FlatValue[]): Promise<readonly WriterResult[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly WriterResult[]>();
    const names = group.filter((value): value is string => typeof value === 'string');
    this.calls.push({
      names: names.map((name) => name.slice(0, 10)),
      answer: async () => {
        resolve(names.map(() => true));
        await setImmediate();
        await setImmediate();
      },
      fail: async () => {
        reject(new StoreError('the disk is full'));
        await setImmediate();
      },
    });
    return promise;
  }

  get sizes(): readonly number[] {
    return this.calls.map(({ names }) => names.length);
  }
}

function begin() {
  const writer = new HeldWriter();
  const thread = writer as unknown as WorkerThread<readonly FlatValue[], readonly WriterResult[]>;
  const commits = new GroupCommit(thread, 'runs.db', () => undefined);
  const write = (name: string): Promise<unknown> => commits.submit([WRITE_CURSOR, name, 1]);
  const writeMany = (count: number, name = 'one'): readonly Promise<unknown>[] =>
    Array.from({ length: count }, () => write(name));
  return { writer, commits, write, writeMany };
}

describe('the groups that are handed to the writer', () => {
  it('close at the end of the tick', async () => {
    const { writer, writeMany } = begin();
    writeMany(3);
    await Promise.resolve();
    expect(writer.sizes).toEqual([]);
    await setImmediate();
    expect(writer.sizes).toEqual([3]);
  });

  it('close before it once there is enough for the writer to do', async () => {
    const { writer, writeMany } = begin();
    writeMany(40);
    expect(writer.sizes).toEqual([16, 16]);
    await setImmediate();
    expect(writer.sizes).toEqual([16, 16, 8]);
  });

  it('are handed over while the writer is busy, and resolved as they come', async () => {
    const { writer, write } = begin();
    const first = write('first');
    await setImmediate();
    let isSecondDone = false;
    const second = write('second').then(() => (isSecondDone = true));
    await setImmediate();
    expect(writer.calls.map(({ names }) => names)).toEqual([['first'], ['second']]);
    await writer.calls[0]!.answer();
    await expect(first).resolves.toBe(true);
    expect(isSecondDone).toBe(false);
    await writer.calls[1]!.answer();
    await second;
  });

  it('are no more than one full one at a time: what is more is shared among the workflows in rounds', async () => {
    const { writer, writeMany } = begin();
    writeMany(1_500);
    await setImmediate();
    expect(writer.sizes.reduce((sum, size) => sum + size, 0)).toBe(1_024);
    await writer.calls[0]!.answer();
    expect(writer.sizes.at(-1)).toBe(476);
  });

  it('are no more than some MB at a time', async () => {
    const { writer, writeMany } = begin();
    writeMany(40, 'x'.repeat(1024 * 1024));
    await setImmediate();
    expect(writer.sizes).toEqual([8]);
    await writer.calls[0]!.answer();
    expect(writer.sizes).toEqual([8, 8]);
  });

  it('have a large operation alone, with nothing else at the writer', async () => {
    const { writer, write } = begin();
    write('small');
    await setImmediate();
    write(LARGE);
    write('behind');
    await setImmediate();
    expect(writer.sizes).toEqual([1]);
    await writer.calls[0]!.answer();
    expect(writer.calls.map(({ names }) => names)).toEqual([['small'], ['xxxxxxxxxx']]);
    await writer.calls[1]!.answer();
    expect(writer.calls[2]?.names).toEqual(['behind']);
  });

  it('fail separately: what was handed over after one that failed has its own result', async () => {
    const { writer, write } = begin();
    const first = write('first').catch((error: unknown) => error);
    await setImmediate();
    const second = write('second');
    await setImmediate();
    await writer.calls[0]!.fail();
    await expect(first).resolves.toBeInstanceOf(StoreError);
    await writer.calls[1]!.answer();
    await expect(second).resolves.toBe(true);
  });

  it('are all waited for when the store is closed', async () => {
    const { writer, commits, write } = begin();
    await expect(commits.drained()).resolves.toBeUndefined();
    write('first');
    await setImmediate();
    write('second');
    let isDrained = false;
    const drained = commits.drained().then(() => (isDrained = true));
    await setImmediate();
    await writer.calls[0]!.answer();
    expect(isDrained).toBe(false);
    await writer.calls[1]!.answer();
    await drained;
  });
});
