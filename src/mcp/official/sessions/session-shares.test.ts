import { sessionToRelease, type SharedSession } from './session-shares.js';

const unused = { pending: 0, isListenedTo: false, asksSince: null };
const listened = { ...unused, isListenedTo: true };
const atWork = { ...unused, pending: 1 };
const asks = (asksSince: number) => ({ ...atWork, asksSince });

type Named = SharedSession & { readonly name: string };

/**
 * The session that makes room for one more of `caller`; sessions as `caller: [what they do]`, in the order of their
 * last use.
 */
function released(caller: string, ...given: readonly [string, SharedSession['transport']][]): string | null {
  const sessions = given.map(([who, transport], n): Named => ({
    caller: who,
    transport,
    name: `${who}${n}`,
  }));
  return sessionToRelease(sessions, caller)?.name ?? null;
}

describe('room for one more session is made', () => {
  it('by the one unused longest, whichever caller has it', () => {
    expect(released('b', ['a', atWork], ['a', asks(1)], ['b', unused], ['a', unused])).toBe('b2');
  });

  it('else by the oldest question of the caller that has most', () => {
    expect(
      released('b', ['a', asks(3)], ['c', asks(1)], ['a', asks(2)], ['c', asks(0)], ['a', asks(4)]),
    ).toBe('a2');
    expect(released('d', ['b', asks(2)], ['a', asks(3)], ['a', atWork], ['c', asks(0)])).toBe('a1');
  });

  it('by their own where they would have most themselves', () => {
    expect(released('a', ['b', asks(1)], ['a', asks(3)], ['a', asks(2)], ['c', asks(0)])).toBe('a2');
    expect(released('a', ['b', asks(1)], ['a', asks(3)])).toBe('a1');
    expect(released('a', ['b', asks(1)], ['b', asks(2)], ['a', asks(3)])).toBe('a2');
  });

  it('by what is only listened to before a question', () => {
    expect(released('b', ['a', asks(1)], ['a', listened], ['c', listened])).toBe('a1');
  });

  it('without open questions, by calls of another caller that has more', () => {
    expect(released('b', ['a', atWork], ['a', atWork], ['b', atWork])).toBe(null);
    expect(released('b', ['a', atWork], ['a', atWork], ['c', atWork])).toBe('a0');
  });

  it('never by the calls of those who have no more, nor by their own', () => {
    expect(released('a', ['a', atWork])).toBe(null);
    expect(released('b', ['a', atWork])).toBe(null);
    expect(released('a', ['a', atWork], ['a', atWork], ['b', asks(1)])).toBe(null);
  });

  it('by the namespace that has most, however few each of its owners has', () => {
    const [ann, bob, cy] = ['a\nann', 'a\nbob', 'b\ncy'];
    expect(released(cy, [ann, atWork], [bob, atWork], [cy, atWork])).toBe(null);
    expect(released(cy, [ann, atWork], [bob, atWork], ['a\ndan', atWork], [cy, atWork])).toBe('a\nann0');
    expect(released(ann, [bob, asks(1)], [bob, asks(2)], [cy, asks(0)])).toBe('a\nbob0');
    // Three in one namespace: an owner with fewer than another of the same one takes nothing from the other namespace.
    expect(released(ann, [bob, atWork], [bob, atWork], [cy, atWork])).toBe('a\nbob0');
  });
});
