import { EMPTY_LIST, changed, showWaiting, withOlder, type WatchedList } from './watched-list.js';

interface Item {
  readonly runId: string;
  readonly status?: string;
}

const keyOf = (item: object): string => (item as Item).runId;
const item = (runId: string, status = 'running'): Item => ({ runId, status });
const snapshot = (...ids: readonly string[]) =>
  ({ type: 'snapshot', items: ids.map((id) => item(id)), next: null }) as const;
const idsOf = (items: readonly Item[]) => items.map(({ runId }) => runId);

function after(changes: readonly Parameters<typeof changed<Item>>[1][], holdsNew = false): WatchedList<Item> {
  return changes.reduce<WatchedList<Item>>(
    (list, change) => changed(list, change, { keyOf, holdsNew }),
    EMPTY_LIST,
  );
}

describe('a list that is watched', () => {
  it('shows the first page, and what is new before it', () => {
    const list = after([snapshot('b', 'a'), { type: 'upsert', item: item('c') }]);
    expect(idsOf(list.shown)).toEqual(['c', 'b', 'a']);
  });

  it('changes an item where it stands', () => {
    const list = after([snapshot('b', 'a'), { type: 'upsert', item: item('a', 'failed') }]);
    expect(list.shown).toEqual([item('b'), item('a', 'failed')]);
  });

  it('lets go of what no longer passes', () => {
    expect(idsOf(after([snapshot('b', 'a'), { type: 'remove', runId: 'b' }]).shown)).toEqual(['a']);
  });

  it('does not move what is under the pointer: new items wait until they are asked for', () => {
    const list = after(
      [snapshot('a'), { type: 'upsert', item: item('b') }, { type: 'upsert', item: item('c') }],
      true,
    );
    expect(idsOf(list.shown)).toEqual(['a']);
    expect(idsOf(list.waiting)).toEqual(['c', 'b']);
    expect(idsOf(showWaiting(list).shown)).toEqual(['c', 'b', 'a']);
  });

  it('keeps what is shown over a connection that was lost, and has the rest wait', () => {
    const list = after([snapshot('b', 'a'), snapshot('c', 'b')], true);
    expect(idsOf(list.shown)).toEqual(['b']);
    expect(idsOf(list.waiting)).toEqual(['c']);
  });

  it('forgets an item that waits and goes', () => {
    const list = after(
      [snapshot('a'), { type: 'upsert', item: item('b') }, { type: 'remove', runId: 'b' }],
      true,
    );
    expect(list.waiting).toEqual([]);
  });

  describe('of which older pages are shown', () => {
    const way = { keyOf, holdsNew: true, isOlder: (one: Item, other: Item) => one.runId < other.runId };
    const page = (ids: string, next: string | null) => ({ items: [...ids].map((id) => item(id)), next });
    const first = (ids: string, next: string | null) => ({ type: 'snapshot', ...page(ids, next) }) as const;
    const paged = withOlder(changed(EMPTY_LIST, first('hg', 'after g'), way), page('fe', 'after e'), way);

    it('has them after the rest, each once', () => {
      expect(idsOf(withOlder(paged, page('ed', null), way).shown).join('')).toBe('hgfed');
      expect(paged.next).toBe('after e');
    });

    it('keeps them over a new first page, which says nothing of them', () => {
      const list = changed(paged, first('ih', 'after h'), way);
      expect([idsOf(list.waiting).join(''), idsOf(list.shown).join(''), list.next]).toEqual([
        'i',
        'hgfe',
        'after e',
      ]);
    });

    it('lets go of those that a new first page would hold, and shows what is older without being asked', () => {
      const list = changed(paged, first('hed', 'after d'), way);
      expect([idsOf(list.waiting).join(''), idsOf(list.shown).join(''), list.next]).toEqual([
        '',
        'hed',
        'after d',
      ]);
    });

    it('keeps none of them where a new first page is all there is', () => {
      expect(idsOf(changed(paged, first('h', null), way).shown)).toEqual(['h']);
    });
  });
});
