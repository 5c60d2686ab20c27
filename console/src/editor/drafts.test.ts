import { Drafts } from './drafts.js';

/** As a browser has it, with room for so many characters. */
function storageOf(room = Infinity) {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      entries.set(key, value);
    },
    removeItem: (key: string) => void entries.delete(key),
    key: (index: number) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size;
    },
  };
}

const OF = { namespace: null, workflowId: 'pay' };
const draft = (text: string, savedAt = 1) => ({ text, base: null, savedAt });

describe('a draft', () => {
  it('is kept over reloads, by workflow and namespace', () => {
    const storage = storageOf();
    expect(new Drafts(() => storage).keep(OF, draft('a'))).toBe(true);
    const reloaded = new Drafts(() => storage);
    expect(reloaded.read(OF)).toEqual(draft('a'));
    expect(reloaded.read({ ...OF, namespace: 'other' })).toBeNull();
    expect(reloaded.read({ ...OF, workflowId: '' })).toBeNull();
    reloaded.drop(OF);
    expect(reloaded.read(OF)).toBeNull();
  });

  it('lives as long as the page where the browser keeps nothing', () => {
    const drafts = new Drafts(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect(drafts.keep(OF, draft('a'))).toBe(false);
    expect(drafts.read(OF)).toEqual(draft('a'));
    drafts.drop(OF);
    expect(drafts.read(OF)).toBeNull();
  });

  it('that has no room is not taken for the older one that had', () => {
    const storage = storageOf(100);
    const drafts = new Drafts(() => storage);
    drafts.keep(OF, draft('short'));
    expect(drafts.keep(OF, draft('x'.repeat(200)))).toBe(false);
    expect(drafts.read(OF)?.text).toHaveLength(200);
  });

  it('makes room: the oldest goes when there are more than twenty', () => {
    const storage = storageOf();
    const drafts = new Drafts(() => storage);
    for (let count = 0; count < 25; count++)
      drafts.keep({ ...OF, workflowId: `w${count}` }, draft('a', count));
    expect(storage.length).toBe(20);
    expect(drafts.read({ ...OF, workflowId: 'w4' })).toBeNull();
    expect(drafts.read({ ...OF, workflowId: 'w5' })).not.toBeNull();
  });

  it('that somebody else wrote into the storage is none', () => {
    const storage = storageOf();
    const drafts = new Drafts(() => storage);
    drafts.keep(OF, draft('a'));
    const key = storage.key(0) ?? '';
    for (const other of ['null', '1', '{"text":1}', 'no JSON']) {
      storage.setItem(key, other);
      expect(drafts.read(OF)).toBeNull();
    }
  });
});

describe('a draft of two tabs', () => {
  /** Both have the editor open, and have seen that there is no draft yet. */
  function twoTabs() {
    const storage = storageOf();
    const [one, other] = [new Drafts(() => storage), new Drafts(() => storage)];
    for (const tab of [one, other]) tab.read(OF);
    return { storage, one, other };
  }

  it('is not replaced by that of a tab which has not seen it, and the text of that tab stays with it', () => {
    const { storage, one, other } = twoTabs();
    one.keep(OF, draft('first', 1));
    one.keep(OF, draft('first, again', 2));
    expect(other.keep(OF, draft('second', 3))).toBe(false);
    expect(other.foreign(OF)).toEqual(draft('first, again', 2));
    expect(other.read(OF)).toEqual(draft('second', 3));
    expect(other.foreign(OF)).toEqual(draft('first, again', 2));
    expect(new Drafts(() => storage).read(OF)).toEqual(draft('first, again', 2));
  });

  it('is replaced once that tab has seen it, and then stays from the first one', () => {
    const { one, other } = twoTabs();
    one.keep(OF, draft('first', 1));
    other.see(OF, draft('first', 1));
    expect(other.foreign(OF)).toBeNull();
    expect(other.keep(OF, draft('second', 2))).toBe(true);
    expect(one.keep(OF, draft('first, again', 3))).toBe(false);
    expect(one.foreign(OF)).toEqual(draft('second', 2));
  });

  it('that was written on since it was seen is another one', () => {
    const { one, other } = twoTabs();
    one.keep(OF, draft('first', 1));
    const seen = other.foreign(OF) ?? draft('none');
    one.keep(OF, draft('first, again', 2));
    other.see(OF, seen);
    expect(other.keep(OF, draft('second', 3))).toBe(false);
    expect(other.foreign(OF)).toEqual(draft('first, again', 2));
  });

  it('is dropped by nobody who has not seen it, and is no hindrance once it is dropped', () => {
    const { one, other } = twoTabs();
    one.keep(OF, draft('first', 1));
    other.drop(OF);
    expect(one.read(OF)).toEqual(draft('first', 1));
    one.drop(OF);
    expect(other.keep(OF, draft('second', 2))).toBe(true);
  });
});
