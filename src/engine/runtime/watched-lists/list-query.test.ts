import { ManualClock } from '../../testing/manual-clock.js';
import type { BackgroundWork } from '../../scheduling/background-work.js';
import type { NotifiedEntry } from '../streams/notified-entry.js';
import { ListQuery, type ListFrame } from './list-query.js';
import type { WatchedList } from './watched-list.js';

interface Item {
  readonly runId: string;
  readonly version: number;
}

const STAYS = new AbortController().signal;
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A list of runs by id, each with its version; its page shows the first `limit` of them. */
function world(limit = 200, background: Pick<BackgroundWork, 'run'> = { run: (work) => work() }) {
  const runs = new Map<string, number>();
  const clock = new ManualClock();
  const reads = { pages: 0, runs: 0, isFailing: false, until: Promise.resolve() };
  /** What a read of a run that was made a moment ago says of it. */
  const earlier = new Map<string, number | undefined>();
  let position = 0;
  /** The newest entries, which are committed and not in the log yet: one of another process comes before them. */
  const hidden = { entries: 0 };
  const list: WatchedList<Item> = {
    key: 'list',
    namespace: 'default',
    keysIn: ({ workflowId }) => (workflowId === 'w' ? [''] : []),
    async page() {
      reads.pages += 1;
      const items = [...runs].slice(0, limit).map(([runId, version]) => ({ runId, version }));
      await reads.until;
      return { items, next: null };
    },
    runIdOf: ({ runId }) => runId,
    keyOf: () => '',
    removalOf: (runId) => ({ type: 'remove', runId }),
    async mayHave({ runId }) {
      if (reads.isFailing) throw new Error('the disk failed to read');
      return runs.has(runId);
    },
    async itemsOf({ runId }) {
      reads.runs += 1;
      const version = earlier.has(runId) ? earlier.get(runId) : runs.get(runId);
      const items =
        version === undefined ? [] : [{ key: '', version, make: async () => ({ runId, version }) }];
      return { items, areAll: true };
    },
  };
  const query = new ListQuery(list, {
    store: { lastPosition: async () => position - hidden.entries },
    clock,
    background,
    first: (work) => work(),
    takeBreak: async () => {},
    onIdle: () => {},
  });
  /** The run has changed; null: it is in the list no longer. */
  const append = (runId: string, version: number | null): NotifiedEntry => {
    if (version === null) runs.delete(runId);
    else runs.set(runId, version);
    position += 1;
    const about = { runId, namespace: 'default', workflowId: 'w', definitionHash: 'h' };
    return { position, ...about, events: [], bytes: 0 };
  };
  const see = async (entry: NotifiedEntry) => {
    await query.see(entry, { runId: entry.runId, listed: async () => null });
    await settled();
  };
  const change = (runId: string, version: number | null, more: Partial<NotifiedEntry> = {}) =>
    see({ ...append(runId, version), ...more });
  /** All frames after the one given, as far as they are ready within so many ticks. */
  const after = async (from: ListFrame<Item>, ticks: number) => {
    const frames: string[] = [];
    let at: ListFrame<Item> = from;
    for (let tick = 0; tick < ticks; tick += 1) {
      for (let next = query.after(at); next !== null; next = query.after(at)) {
        if (next === 'lost') return [...frames, 'lost'];
        at = next;
        // As a client does: the page has shown it.
        if (next.position <= from.position) continue;
        const { change: sent } = next;
        if (sent.type === 'upsert') frames.push(`${sent.item.runId} ${sent.item.version}`);
        else if (sent.type === 'remove') frames.push(`no ${sent.runId}`);
      }
      await clock.advance(250);
      await settled();
    }
    return frames;
  };
  return { query, runs, earlier, hidden, append, see, change, after, reads, clock };
}

describe('a list that is watched', () => {
  it('shows each change once, of what is in it and of what is not any more, in four frames a second', async () => {
    const { query, runs, change, after } = world();
    runs.set('a', 1);
    const page = await query.first.next(STAYS);
    await change('a', 2);
    await change('b', 1);
    await change('never there', null);
    await change('of another workflow', 1, { workflowId: 'v' });
    await change('of another namespace', 1, { namespace: 'else' });
    await change('a', null);
    expect(await after(page, 1)).toEqual(['a 2']);
    expect(await after(page, 9)).toEqual(['a 2', 'b 1', 'no a']);
  });

  it('shows a run that is not on the page when it changes, and only its present state of what happened in between', async () => {
    const { query, runs, change, after } = world(1);
    runs.set('first', 1).set('second', 1);
    const page = await query.first.next(STAYS);
    await change('first', 2);
    for (const version of [2, 3, 4]) await change('second', version);
    expect(await after(page, 9)).toEqual(['first 2', 'second 4']);
  });

  it('shows nothing of a run that came and went before its frame, and takes back one that went after it', async () => {
    const { query, change, after, clock } = world();
    const page = await query.first.next(STAYS);
    await change('first', 1);
    await change('comes and goes', 1);
    await change('comes and goes', null);
    expect(await after(page, 3)).toEqual(['first 1']);
    await change('stays a while', 1);
    expect(await after(page, 1)).toEqual(['first 1', 'stays a while 1']);
    await change('stays a while', null);
    await clock.advance(250);
    await settled();
    expect(await after(page, 3)).toEqual(['first 1', 'no stays a while']);
  });

  it('takes back a run that leaves it while the page with it is read', async () => {
    const { query, runs, change, after, reads } = world();
    runs.set('a', 1);
    let isRead = (): void => undefined;
    reads.until = new Promise((resolve) => (isRead = resolve));
    const page = query.first.next(STAYS);
    await settled();
    await change('a', null);
    isRead();
    expect((await page).change).toMatchObject({ items: [{ runId: 'a' }] });
    expect(await after(await page, 3)).toEqual(['no a']);
  });

  it('takes back a run of a page that was read while an older change of it waited for its frame', async () => {
    const pieces: (() => void)[] = [];
    const background = {
      run: <Result>(work: () => Promise<Result>) =>
        new Promise<Result>((resolve, reject) => pieces.push(() => void work().then(resolve, reject))),
    };
    for (const isReadBefore of [false, true]) {
      const { query, runs, earlier, append, see, change, after } = world(200, background);
      runs.set('a', 1);
      const first = await query.first.next(STAYS);
      await change('a', null);
      if (isReadBefore) earlier.set('a', undefined);
      const isThereAgain = append('a', 2);
      const second = await query.first.next(STAYS);
      const busy = setInterval(() => pieces.shift()?.(), 0);
      await settled();
      await settled();
      earlier.clear();
      const isGone = append('a', null);
      await see(isThereAgain);
      await see(isGone);
      expect((await after(second, 3)).at(-1)).toBe('no a');
      expect((await after(first, 3)).at(-1)).toBe('no a');
      clearInterval(busy);
    }
  });

  it('shows a client what its page did not, also where that was read together with what the page did show', async () => {
    const { query, runs, see, append, after } = world();
    runs.set('a', 1);
    await query.first.next(STAYS);
    const early = append('a', 2);
    const page = await query.first.next(STAYS);
    const late = append('a', 3);
    await see(early);
    await see(late);
    expect(await after(page, 3)).toEqual(['a 3']);
  });

  it('shows a client what was stored after its page, also where others were shown it before it was in the log', async () => {
    const { query, runs, hidden, append, see, after } = world();
    runs.set('a', 1);
    await query.first.next(STAYS);
    const early = append('a', 2);
    const page = await query.first.next(STAYS);
    const late = append('a', 3);
    hidden.entries = 1;
    await see(early);
    hidden.entries = 0;
    await see(late);
    expect(await after(page, 3)).toEqual(['a 3']);
  });

  it('has its clients shown the page again where they may know more than 2,000 runs', async () => {
    const { query, runs, change, after } = world(2_001);
    for (let n = 0; n < 2_000; n += 1) runs.set(`r${n}`, 1);
    const page = await query.first.next(STAYS);
    await change('r7', 2);
    expect(await after(page, 1)).toEqual(['r7 2']);
    await change('another', 1);
    expect(await after(page, 3)).toEqual(['lost']);
  });

  it('reads what has changed once for all clients, and a page once for all who wait for it', async () => {
    const { query, change, after, reads } = world();
    const pages = await Promise.all([1, 2, 3].map(() => query.first.next(STAYS)));
    expect(reads.pages).toBe(1);
    await change('a', 1);
    for (const page of pages) expect(await after(page, 3)).toEqual(['a 1']);
    expect(reads.runs).toBe(1);
  });

  it('has its clients shown the page again where more than eight runs have changed, and looks at nothing until then', async () => {
    const { query, change, after, reads } = world();
    const page = await query.first.next(STAYS);
    for (let n = 0; n < 10; n += 1) await change(`r${n}`, 1);
    expect(await after(page, 1)).toEqual(['lost']);
    const looked = reads.runs;
    await change('r1', 2);
    expect(reads.runs).toBe(looked);
    const again = await query.anew.next(STAYS);
    await change('r1', 3);
    expect(await after(again, 3)).toEqual(['r1 3']);
  });

  it('has them shown the page again where changes were missed, and sees a change again that could not be read', async () => {
    const { query, change, after, reads } = world();
    const page = await query.first.next(STAYS);
    query.loseAll();
    expect(await after(page, 1)).toEqual(['lost']);
    const again = await query.anew.next(STAYS);
    reads.isFailing = true;
    await expect(change('a', 1)).rejects.toThrow('the disk failed to read');
    reads.isFailing = false;
    await change('a', 2);
    expect(await after(again, 3)).toEqual(['a 2']);
  });

  it('wakes those who wait for the next frame', async () => {
    const { query, change } = world();
    const { version } = await query.first.next(STAYS);
    const notified = query.wait(version, STAYS);
    await change('a', 1);
    await notified;
    await query.wait(version + 100, AbortSignal.abort());
  });
});
