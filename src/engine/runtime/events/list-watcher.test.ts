import { ListWatcher } from './list-watcher.js';
import type { ToldEntry } from './log-tail.js';

const entry = (runId: string, more: Partial<ToldEntry> = {}): ToldEntry => ({
  position: 1,
  runId,
  namespace: 'default',
  workflowId: 'w',
  definitionHash: 'h',
  isPurged: false,
  events: [],
  bytes: 0,
  ...more,
});

const pageOf = (runs: Record<string, string[]>) =>
  new Map(Object.entries(runs).map(([runId, keys]) => [runId, new Set(keys)]));

/** Of a list that has those runs, as they are named at the moment. */
function watcherOf(listed: Set<string>): ListWatcher {
  return new ListWatcher(
    'default',
    ({ workflowId }) => workflowId === 'w',
    async ({ runId }) => listed.has(runId),
  );
}

describe('one who watches a list', () => {
  it('hears of what is in it, of what he was told of, and of nothing else', async () => {
    const listed = new Set(['a']);
    const watcher = watcherOf(listed);
    watcher.learn('known', '', null);
    await watcher.see(entry('a'), 1);
    await watcher.see(entry('other'), 2);
    await watcher.see(entry('known', { isPurged: true }), 3);
    await watcher.see(entry('gone', { isPurged: true }), 4);
    await watcher.see(entry('a', { namespace: 'else', runId: 'b' }), 5);
    await watcher.see(entry('a', { workflowId: 'v', runId: 'c' }), 6);
    expect([watcher.take(), watcher.take(), watcher.take()]).toEqual([
      { runId: 'a', tick: 1 },
      { runId: 'known', tick: 3 },
      null,
    ]);
  });

  it('hears how it goes on with what he is about to be told of, even if it is in the list no more', async () => {
    const listed = new Set(['a']);
    const watcher = watcherOf(listed);
    await watcher.see(entry('a'), 1);
    listed.delete('a');
    await watcher.see(entry('a'), 2);
    expect(watcher.take()).toEqual({ runId: 'a', tick: 2 });
    // It is being told, and he will know of it then.
    await watcher.see(entry('a'), 3);
    expect(watcher.take()).toEqual({ runId: 'a', tick: 3 });
    expect(watcher.take()).toBe(null);
    await watcher.see(entry('a'), 4);
    expect(watcher.take()).toBe(null);
  });

  it('hears of what happens while his page is read once it is there', async () => {
    const listed = new Set(['new']);
    const watcher = watcherOf(listed);
    watcher.beginAnew();
    for (const runId of ['on the page', 'new', 'neither']) await watcher.see(entry(runId), 1);
    expect(watcher.hasNews).toBe(false);
    await watcher.hasBegun(pageOf({ 'on the page': [''] }));
    expect([watcher.take()?.runId, watcher.take()?.runId, watcher.take()]).toEqual([
      'on the page',
      'new',
      null,
    ]);
  });

  it.each([
    [
      'more than eight things wait to be told',
      async (watcher: ListWatcher, listed: Set<string>) => {
        for (let n = 0; n < 9; n += 1) {
          listed.add(`r${n}`);
          await watcher.see(entry(`r${n}`), n);
        }
      },
    ],
    [
      'more than two hundred things happen while his page is read',
      async (watcher: ListWatcher) => {
        watcher.beginAnew();
        for (let n = 0; n < 201; n += 1) await watcher.see(entry(`r${n}`), n);
        await watcher.hasBegun(pageOf({}));
      },
    ],
    [
      'he was told of more than two thousand',
      async (watcher: ListWatcher) => {
        for (let n = 0; n < 2_001; n += 1) watcher.learn(`r${n}`, '', null);
      },
    ],
    ['the reader has fallen behind', async (watcher: ListWatcher) => watcher.showAnew()],
  ])('is shown all of it anew when %s, and keeps nothing until then', async (_when, make) => {
    const listed = new Set<string>();
    const watcher = watcherOf(listed);
    await make(watcher, listed);
    expect([watcher.isDue, watcher.hasNews, watcher.take()]).toEqual([true, true, null]);
    await watcher.see(entry('r1'), 1);
    expect(watcher.take()).toBe(null);
    watcher.beginAnew();
    await watcher.hasBegun(pageOf({}));
    expect([watcher.isDue, watcher.hasNews]).toEqual([false, false]);
  });

  it('knows what is on the page that he was shown, and what he was told since', async () => {
    const page = pageOf({ r: ['1', '2'], s: ['1'] });
    const [ann, bob] = [watcherOf(new Set()), watcherOf(new Set())];
    for (const watcher of [ann, bob]) {
      watcher.beginAnew();
      await watcher.hasBegun(page);
    }
    expect([...ann.knownOf('r')]).toEqual(['1', '2']);
    ann.unlearn('r', '1');
    ann.learn('r', '3', 7);
    ann.unlearn('s', '1');
    expect([[...ann.knownOf('r')], [...ann.knownOf('s')]]).toEqual([['2', '3'], []]);
    expect([ann.versionOf('r', '2'), ann.versionOf('r', '3')]).toEqual([null, 7]);
    // What is there no more is none of his, and to those who share the page nothing has happened.
    await ann.see(entry('s', { workflowId: 'v' }), 1);
    expect(ann.hasNews).toBe(false);
    expect([[...bob.knownOf('r')], [...bob.knownOf('s')]]).toEqual([['1', '2'], ['1']]);
    await bob.see(entry('s', { workflowId: 'v' }), 1);
    expect(bob.take()).toEqual({ runId: 's', tick: 1 });
  });

  it('is woken by what he hears', async () => {
    const watcher = watcherOf(new Set(['a']));
    const news = watcher.news(new AbortController().signal);
    await watcher.see(entry('a'), 1);
    await news;
    await watcher.news(AbortSignal.abort());
  });
});
