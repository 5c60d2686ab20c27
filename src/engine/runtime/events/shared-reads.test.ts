import { AtMost } from '../children/at-most.js';
import { SharedReads } from './shared-reads.js';

const STAYS = new AbortController().signal;

/** Reads that are done when the test says so. */
function held(reads = new SharedReads((work) => work())) {
  const open: ((text: string) => void)[] = [];
  const read = () => new Promise<string>((resolve) => open.push(resolve));
  const ask = (key: string, onBegin = () => {}, signal = STAYS) => reads.read(key, { read, onBegin }, signal);
  return { reads, ask, open };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('reads that are shared', () => {
  it('are done once for all who ask before one begins, each of whom is told that it does', async () => {
    const { ask, open } = held();
    const begun: string[] = [];
    const answers = ['ann', 'bob'].map((name) => ask('list', () => begun.push(name)));
    expect(begun).toEqual([]);
    await settled();
    expect(begun).toEqual(['ann', 'bob']);
    expect(open).toHaveLength(1);
    open[0]?.('page');
    expect(await Promise.all(answers)).toEqual(['page', 'page']);
  });

  it('never answer with what was read before it was asked for, and are done one after the other', async () => {
    const { ask, open } = held();
    const early = ask('list');
    await settled();
    const late = ['ann', 'bob'].map(() => ask('list'));
    await settled();
    expect(open).toHaveLength(1);
    open[0]?.('old');
    await settled();
    expect(open).toHaveLength(2);
    open[1]?.('new');
    expect(await Promise.all([early, ...late])).toEqual(['old', 'new', 'new']);
  });

  it('are not shared by those who ask something else', async () => {
    const { ask, open } = held();
    const answers = ['runs', 'gates'].map((key) => ask(key));
    await settled();
    open.forEach((answer, index) => answer(String(index)));
    expect(await Promise.all(answers)).toEqual(['0', '1']);
  });

  it('rest between two of the same, and those who ask meanwhile are answered together', async () => {
    const rests: (() => void)[] = [];
    const resting = new SharedReads(
      (work) => work(),
      () => new Promise((resolve) => rests.push(resolve)),
    );
    const { ask, open } = held(resting);
    const first = ask('list');
    await settled();
    open[0]?.('first');
    expect(await first).toBe('first');
    const meanwhile = [ask('list')];
    await settled();
    meanwhile.push(ask('list'));
    expect(open).toHaveLength(1);
    rests[0]?.();
    await settled();
    expect(open).toHaveLength(2);
    open[1]?.('second');
    expect(await Promise.all(meanwhile)).toEqual(['second', 'second']);
  });

  it('fail for those who asked, and are tried again by the next', async () => {
    const reads = new SharedReads((work) => work());
    const onBegin = () => {};
    const failing = { read: () => Promise.reject(new Error('gone')), onBegin };
    const asked = ['ann', 'bob'].map(() => reads.read('list', failing, STAYS));
    for (const answer of asked) await expect(answer).rejects.toThrow('gone');
    const there = { read: () => Promise.resolve('there'), onBegin };
    await expect(reads.read('list', there, STAYS)).resolves.toBe('there');
  });
});

describe('whoever asks for a shared read and leaves', () => {
  /** One place for all reads, in the order in which they were asked for. */
  const inLine = () => {
    const places = new AtMost(1);
    return held(new SharedReads((work) => places.run(work)));
  };

  it('is let go of at once, and what nobody waits for any more is not read', async () => {
    const { reads, ask, open } = inLine();
    const first = ask('first');
    await settled();
    const begun: string[] = [];
    const ann = new AbortController();
    const left = ask('second', () => begun.push('ann'), ann.signal);
    const third = ask('third', () => begun.push('bob'));
    await settled();
    ann.abort();
    await expect(left).rejects.toBe(ann.signal.reason);
    expect(open).toHaveLength(1);
    open[0]?.('1');
    await settled();
    open[1]?.('3');
    expect(await Promise.all([first, third])).toEqual(['1', '3']);
    await settled();
    expect([open.length, begun, reads.size]).toEqual([2, ['bob'], 0]);
  });

  it('takes it from nobody else, and is not told that it begins', async () => {
    const { ask, open } = held();
    const begun: string[] = [];
    const ann = new AbortController();
    const left = ask('list', () => begun.push('ann'), ann.signal);
    const stays = ask('list', () => begun.push('bob'));
    ann.abort();
    await expect(left).rejects.toBe(ann.signal.reason);
    await settled();
    open[0]?.('page');
    expect([await stays, begun, open.length]).toEqual(['page', ['bob'], 1]);
  });

  it('may do so while it is read: the others are answered, and nobody hears of a fault if there are none', async () => {
    const { reads, ask, open } = held();
    const ann = new AbortController();
    const left = ask('list', undefined, ann.signal);
    const stays = ask('list');
    await settled();
    ann.abort();
    await expect(left).rejects.toBe(ann.signal.reason);
    open[0]?.('page');
    expect(await stays).toBe('page');
    await settled();
    const bob = new AbortController();
    const failing = {
      read: () => settled().then(() => Promise.reject(new Error('gone'))),
      onBegin: () => {},
    };
    const alone = reads.read('list', failing, bob.signal);
    await Promise.resolve().then(() => Promise.resolve());
    bob.abort();
    await expect(alone).rejects.toBe(bob.signal.reason);
    for (let turn = 0; turn < 3; turn += 1) await settled();
    expect(reads.size).toBe(0);
  });

  it('gives his place to whoever asks the same before its turn, so that many who come and go take one', async () => {
    const { reads, ask, open } = inLine();
    const first = ask('first');
    await settled();
    for (let n = 0; n < 1_000; n += 1) {
      const visitor = new AbortController();
      const left = ask('same', undefined, visitor.signal);
      visitor.abort();
      await expect(left).rejects.toBe(visitor.signal.reason);
    }
    expect(reads.size).toBe(2);
    const stays = ask('same');
    open[0]?.('1');
    await settled();
    open[1]?.('2');
    expect(await Promise.all([first, stays])).toEqual(['1', '2']);
  });

  it('may have left before he asked', async () => {
    const { reads, ask, open } = held();
    await expect(ask('list', undefined, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    await settled();
    expect([reads.size, open.length]).toEqual([0, 0]);
  });

  it('is followed by no rest where nothing was read', async () => {
    let rests = 0;
    const { ask, open, reads } = held(
      new SharedReads(
        (work) => work(),
        async () => {
          rests += 1;
        },
      ),
    );
    const ann = new AbortController();
    const left = ask('list', undefined, ann.signal);
    ann.abort();
    await expect(left).rejects.toBe(ann.signal.reason);
    await settled();
    expect([open.length, rests, reads.size]).toEqual([0, 0, 0]);
  });
});
