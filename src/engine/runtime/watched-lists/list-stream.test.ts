import { ManualClock } from '../../testing/manual-clock.js';
import { ListStream, type WatchedList } from './list-stream.js';
import { ListWatcher } from './list-watcher.js';

interface Item {
  readonly runId: string;
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
const until = async (holds: () => boolean) => {
  while (!holds()) await settled();
};

/** Streams of lists, each of one item with the name of its list; their pages are read when the test says so. */
function streams() {
  const watchers = new Set<ListWatcher>();
  const reads: { readonly name: string; readonly end: () => void; readonly fail: (error: Error) => void }[] =
    [];
  const inBackground: (() => void)[] = [];
  const clock = new ManualClock();
  const stream = new ListStream({
    notifier: {
      add: async (watcher) => void watchers.add(watcher),
      remove: (watcher) => void watchers.delete(watcher),
      close: () => {},
    },
    background: {
      run: (work) => new Promise<void>((resolve) => inBackground.push(resolve)).then(work),
    },
    clock,
  });
  const changed: string[] = [];
  const listOf = (name: string): WatchedList<Item> => ({
    watcher: new ListWatcher('default', () => true, null),
    key: name,
    page: () =>
      new Promise((resolve, reject) => {
        const end = () => resolve({ items: [{ runId: name }], next: null });
        reads.push({ name, end, fail: reject });
      }),
    runIdOf: ({ runId }) => runId,
    keyOf: () => '',
    changes: async ({ runId }) => {
      changed.push(runId);
      return [];
    },
  });
  /** A stream that is left by its signal, as by a client that has disconnected. */
  const watch = (name: string) => {
    const left = new AbortController();
    const changes = stream.watch(() => listOf(name), left.signal);
    return { next: changes.next(), changes, leave: () => left.abort() };
  };
  const names = () => reads.map(({ name }) => name);
  return { stream, watch, watchers, reads, names, atLeisure: inBackground, changed, clock };
}

const OVER = { done: true, value: undefined };

describe('a stream of a list that is left', () => {
  it('is over before its page is read, and its watcher is gone', async () => {
    const { watch, watchers, reads, names } = streams();
    const slow = ['one', 'two'].map(watch);
    await until(() => reads.length === 2);
    const waits = watch('three');
    await until(() => watchers.size === 3);
    waits.leave();
    expect(await waits.next).toEqual(OVER);
    expect(watchers.size).toBe(2);
    for (const { leave } of slow) leave();
    for (const { next } of slow) expect(await next).toEqual(OVER);
    expect([watchers.size, names()]).toEqual([0, ['one', 'two']]);
  });

  it('causes no read, however many such were opened: the next one waits for none of them', async () => {
    const { watch, watchers, reads, names } = streams();
    for (const name of ['one', 'two']) void watch(name);
    await until(() => reads.length === 2);
    for (let round = 0; round < 10; round += 1) {
      const opened = Array.from({ length: 200 }, (_, n) => watch(`left ${round} ${n}`));
      await until(() => watchers.size === 202);
      for (const { leave } of opened) leave();
      for (const { next } of opened) expect(await next).toEqual(OVER);
    }
    expect(watchers.size).toBe(2);
    const honest = watch('honest');
    reads[0]?.end();
    await until(() => reads.length > 2);
    expect(names()).toEqual(['one', 'two', 'honest']);
    reads[2]?.end();
    expect((await honest.next).value).toMatchObject({ type: 'snapshot', items: [{ runId: 'honest' }] });
  });

  it('is over while its page is read, also where that fails then', async () => {
    const { watch, watchers, reads } = streams();
    for (const end of ['end', 'fail'] as const) {
      const { next, leave } = watch(end);
      await until(() => reads.at(-1)?.name === end);
      leave();
      expect(await next).toEqual(OVER);
      reads.at(-1)?.[end](new Error('gone'));
      await settled();
    }
    expect(watchers.size).toBe(0);
  });

  it('is over while it waits to be notified of a change, which is no longer looked up', async () => {
    const { watch, watchers, reads, atLeisure: inBackground, changed, clock } = streams();
    const { next, changes, leave } = watch('list');
    await until(() => reads.length === 1);
    reads[0]?.end();
    await next;
    const change = changes.next();
    await clock.advance(250);
    const entry = { position: 1, runId: 'list', namespace: 'default', workflowId: 'w', definitionHash: 'h' };
    for (const watcher of watchers) void watcher.see({ ...entry, events: [], bytes: 0 }, 1);
    await until(() => inBackground.length === 1);
    leave();
    expect([await change, watchers.size]).toEqual([OVER, 0]);
    inBackground[0]?.();
    await settled();
    expect(changed).toEqual([]);
  });

  it('is over when all are closed, and one whose page cannot be read fails for a client that stays', async () => {
    const { stream, watch, watchers, reads } = streams();
    const fails = watch('fails');
    await until(() => reads.length === 1);
    reads[0]?.fail(new Error('The store is gone'));
    await expect(fails.next).rejects.toThrow('The store is gone');
    const waits = watch('waits');
    await until(() => watchers.size === 1);
    stream.close();
    expect([await waits.next, watchers.size]).toEqual([OVER, 0]);
  });
});
