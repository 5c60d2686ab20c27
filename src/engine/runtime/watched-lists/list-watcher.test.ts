import { ListWatcher } from './list-watcher.js';
import type { NotifiedEntry } from '../streams/notified-entry.js';

const entry = (runId: string, more: Partial<NotifiedEntry> = {}): NotifiedEntry => ({
  position: 1,
  runId,
  namespace: 'default',
  workflowId: 'w',
  definitionHash: 'h',
  events: [],
  bytes: 0,
  ...more,
});

const pageOf = (runs: Record<string, string[]>) =>
  new Map(Object.entries(runs).map(([runId, keys]) => [runId, new Set(keys)]));

/** The watcher of a list that has the runs that are named at the moment. */
function watcherOf(listed: Set<string>): ListWatcher {
  return new ListWatcher(
    'default',
    ({ workflowId }) => workflowId === 'w',
    async ({ runId }) => listed.has(runId),
  );
}

describe('the watcher of a list', () => {
  it('is notified of what is in it, of what its client knows, and of nothing else', async () => {
    const listed = new Set(['a']);
    const watcher = watcherOf(listed);
    watcher.learn('known', '', null);
    await watcher.see(entry('a'), 1);
    await watcher.see(entry('other'), 2);
    await watcher.see(entry('known', { definitionHash: null }), 3);
    await watcher.see(entry('gone', { definitionHash: null }), 4);
    await watcher.see(entry('a', { namespace: 'else', runId: 'b' }), 5);
    await watcher.see(entry('a', { workflowId: 'v', runId: 'c' }), 6);
    expect([watcher.take(), watcher.take(), watcher.take()]).toEqual([
      { runId: 'a', tick: 1 },
      { runId: 'known', tick: 3 },
      null,
    ]);
  });

  it('is notified of what follows for a run that is about to be sent, even if that is no longer in the list', async () => {
    const listed = new Set(['a']);
    const watcher = watcherOf(listed);
    await watcher.see(entry('a'), 1);
    listed.delete('a');
    await watcher.see(entry('a'), 2);
    expect(watcher.take()).toEqual({ runId: 'a', tick: 2 });
    // The run is being sent, and the client will know it then.
    await watcher.see(entry('a'), 3);
    expect(watcher.take()).toEqual({ runId: 'a', tick: 3 });
    expect(watcher.take()).toBe(null);
    await watcher.see(entry('a'), 4);
    expect(watcher.take()).toBe(null);
  });

  it('is notified of what happens while its page is read once that is there', async () => {
    const listed = new Set(['new']);
    const watcher = watcherOf(listed);
    watcher.beginAnew();
    for (const runId of ['on the page', 'new', 'neither']) await watcher.see(entry(runId), 1);
    expect(watcher.hasNotifications).toBe(false);
    await watcher.hasBegun(pageOf({ 'on the page': [''] }));
    expect([watcher.take()?.runId, watcher.take()?.runId, watcher.take()]).toEqual([
      'on the page',
      'new',
      null,
    ]);
  });

  it.each([
    [
      'more than eight changes wait to be sent',
      async (watcher: ListWatcher, listed: Set<string>) => {
        for (let n = 0; n < 9; n += 1) {
          listed.add(`r${n}`);
          await watcher.see(entry(`r${n}`), n);
        }
      },
    ],
    [
      'more than two hundred things happen while its page is read',
      async (watcher: ListWatcher) => {
        watcher.beginAnew();
        for (let n = 0; n < 201; n += 1) await watcher.see(entry(`r${n}`), n);
        await watcher.hasBegun(pageOf({}));
      },
    ],
    [
      'its client knows more than two thousand items',
      async (watcher: ListWatcher) => {
        for (let n = 0; n < 2_001; n += 1) watcher.learn(`r${n}`, '', null);
      },
    ],
    ['the reader has fallen behind', async (watcher: ListWatcher) => watcher.showAnew()],
  ])('is shown all of it again when %s, and keeps nothing until then', async (_when, make) => {
    const listed = new Set<string>();
    const watcher = watcherOf(listed);
    await make(watcher, listed);
    expect([watcher.isDue, watcher.hasNotifications, watcher.take()]).toEqual([true, true, null]);
    await watcher.see(entry('r1'), 1);
    expect(watcher.take()).toBe(null);
    watcher.beginAnew();
    await watcher.hasBegun(pageOf({}));
    expect([watcher.isDue, watcher.hasNotifications]).toEqual([false, false]);
  });

  it('knows what is on the page that was shown, and what was sent since', async () => {
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
    // What is no longer there does not concern the watcher, and for others that share the page nothing has happened.
    await ann.see(entry('s', { workflowId: 'v' }), 1);
    expect(ann.hasNotifications).toBe(false);
    expect([[...bob.knownOf('r')], [...bob.knownOf('s')]]).toEqual([['1', '2'], ['1']]);
    await bob.see(entry('s', { workflowId: 'v' }), 1);
    expect(bob.take()).toEqual({ runId: 's', tick: 1 });
  });

  it('is woken by a notification', async () => {
    const watcher = watcherOf(new Set(['a']));
    const notification = watcher.notification(new AbortController().signal);
    await watcher.see(entry('a'), 1);
    await notification;
    await watcher.notification(AbortSignal.abort());
  });
});
