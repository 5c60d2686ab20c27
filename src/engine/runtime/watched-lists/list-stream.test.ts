import { ManualClock } from '../../testing/manual-clock.js';
import type { NotifiedEntry } from '../streams/notified-entry.js';
import { Waiters } from '../waiters.js';
import { SILENT } from '../logger.js';
import { ListQueries } from './list-queries.js';
import { ListStream } from './list-stream.js';
import type { WatchedList } from './watched-list.js';

interface Item {
  readonly runId: string;
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
const until = async (holds: () => boolean) => {
  while (!holds()) await settled();
};

/** The end of a log in which one entry appears when the test says so, and those who read it. */
function tailOf(entry: NotifiedEntry) {
  const [readers, waiters] = [{ size: 0 }, new Waiters()];
  const log: NotifiedEntry[] = [];
  const tail = {
    join: async () => {
      readers.size += 1;
      return 0;
    },
    leave: () => void (readers.size -= 1),
    hasLost: () => false,
    end: 0,
    wait: (position: number, signal: AbortSignal) =>
      log.length > position ? Promise.resolve() : waiters.wait(signal),
    read: (position: number) => {
      const items = log.slice(position);
      return { items, position: log.length, isLast: items.length === 0, end: null };
    },
  };
  const append = () => {
    log.push(entry);
    waiters.wakeAll();
  };
  return { tail, readers, append };
}

/** Streams of lists, each of one item with the name of its list; their pages are read when the test says so. */
function streams() {
  const about = { runId: 'list', namespace: 'default', workflowId: 'w', definitionHash: 'h' };
  const { tail, readers, append } = tailOf({ position: 1, ...about, events: [], bytes: 0 });
  const reads: { readonly name: string; readonly end: () => void; readonly fail: (error: Error) => void }[] =
    [];
  const inBackground: (() => void)[] = [];
  const clock = new ManualClock();
  const background = {
    run: <Result>(work: () => Promise<Result>) =>
      new Promise<void>((resolve) => inBackground.push(resolve)).then(work),
  };
  const store = { lastPosition: async () => 0, readListed: async () => null };
  const queries = new ListQueries({ tail, store, background, clock, logger: SILENT });
  const stream = new ListStream({ queries, background, clock });
  const changed: string[] = [];
  const listOf = (name: string): WatchedList<Item> => ({
    key: name,
    namespace: 'default',
    keysIn: () => [''],
    page: () =>
      new Promise((resolve, reject) => {
        const end = () => resolve({ items: [{ runId: name }], next: null });
        reads.push({ name, end, fail: reject });
      }),
    runIdOf: ({ runId }) => runId,
    keyOf: () => '',
    removalOf: (runId) => ({ type: 'remove', runId }),
    mayHave: async () => true,
    itemsOf: async ({ runId }) => {
      const make = async () => {
        changed.push(runId);
        return { runId };
      };
      return { items: [{ key: '', version: 2, make }], areAll: true };
    },
  });
  /** A stream that is left by its signal, as by a client that has disconnected. */
  const watch = (name: string) => {
    const left = new AbortController();
    const changes = stream.watch(() => listOf(name), { signal: left.signal });
    return { next: changes.next(), changes, leave: () => left.abort() };
  };
  const names = () => reads.map(({ name }) => name);
  return { stream, watch, readers, append, reads, names, inBackground, changed, clock };
}

const OVER = { done: true, value: undefined };

describe('a stream of a list that is left', () => {
  it('is over before its page is read, and reads the log no more', async () => {
    const { watch, readers, reads, names } = streams();
    const slow = ['one', 'two'].map(watch);
    await until(() => reads.length === 2);
    const waits = watch('three');
    await until(() => readers.size === 3);
    waits.leave();
    expect(await waits.next).toEqual(OVER);
    expect(readers.size).toBe(2);
    for (const { leave } of slow) leave();
    for (const { next } of slow) expect(await next).toEqual(OVER);
    expect([readers.size, names()]).toEqual([0, ['one', 'two']]);
  });

  it('causes no read, however many such were opened: the next one waits for none of them', async () => {
    const { watch, readers, reads, names } = streams();
    for (const name of ['one', 'two']) void watch(name);
    await until(() => reads.length === 2);
    for (let round = 0; round < 10; round += 1) {
      const opened = Array.from({ length: 200 }, (_, n) => watch(`left ${round} ${n}`));
      await until(() => readers.size === 202);
      for (const { leave } of opened) leave();
      for (const { next } of opened) expect(await next).toEqual(OVER);
    }
    expect(readers.size).toBe(2);
    const honest = watch('honest');
    reads[0]?.end();
    await until(() => reads.length > 2);
    expect(names()).toEqual(['one', 'two', 'honest']);
    reads[2]?.end();
    expect((await honest.next).value).toMatchObject({ type: 'snapshot', items: [{ runId: 'honest' }] });
  });

  it('is over while its page is read, also where that fails then', async () => {
    const { watch, readers, reads } = streams();
    for (const end of ['end', 'fail'] as const) {
      const { next, leave } = watch(end);
      await until(() => reads.at(-1)?.name === end);
      leave();
      expect(await next).toEqual(OVER);
      reads.at(-1)?.[end](new Error('gone'));
      await settled();
    }
    expect(readers.size).toBe(0);
  });

  it('is over while it waits to be notified of a change, which is no longer looked up', async () => {
    const { watch, readers, append, reads, inBackground, changed, clock } = streams();
    const { next, changes, leave } = watch('list');
    await until(() => reads.length === 1);
    reads[0]?.end();
    await next;
    const change = changes.next();
    await clock.advance(250);
    append();
    await until(() => inBackground.length === 1);
    inBackground[0]?.();
    await until(() => inBackground.length === 2);
    leave();
    expect([await change, readers.size]).toEqual([OVER, 0]);
    inBackground[1]?.();
    await settled();
    expect(changed).toEqual([]);
  });

  it('is over when all are closed, and one whose page cannot be read fails for a client that stays', async () => {
    const { stream, watch, readers, reads } = streams();
    const fails = watch('fails');
    await until(() => reads.length === 1);
    reads[0]?.fail(new Error('The store is gone'));
    await expect(fails.next).rejects.toThrow('The store is gone');
    const waits = watch('waits');
    await until(() => readers.size === 1);
    stream.close();
    expect([await waits.next, readers.size]).toEqual([OVER, 0]);
  });
});
