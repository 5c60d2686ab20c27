import { EMPTY_LIST, changed, showWaiting, type WatchedList } from './watched-list.js';

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
});
