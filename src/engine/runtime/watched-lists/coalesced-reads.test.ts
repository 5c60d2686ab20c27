import { Semaphore } from '../../scheduling/semaphore.js';
import { CoalescedReads } from './coalesced-reads.js';

const STAYS = new AbortController().signal;

/** Reads that are done when the test says so. */
function controlled(reads = new CoalescedReads((work) => work())) {
  const open: ((text: string) => void)[] = [];
  const read = () => new Promise<string>((resolve) => open.push(resolve));
  const ask = (key: string, onBegin = () => {}, signal = STAYS) => reads.read(key, { read, onBegin }, signal);
  return { reads, ask, open };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('coalesced reads', () => {
  it('are done once for all who ask before one begins, each of whom is notified that it does', async () => {
    const { ask, open } = controlled();
    const begun: string[] = [];
    const answers = ['ann', 'bob'].map((name) => ask('list', () => begun.push(name)));
    expect(begun).toEqual([]);
    await settled();
    expect(begun).toEqual(['ann', 'bob']);
    expect(open).toHaveLength(1);
    open[0]?.('page');
    expect(await Promise.all(answers)).toEqual(['page', 'page']);
  });

  it('never return what was read before it was requested, and are done sequentially', async () => {
    const { ask, open } = controlled();
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
    const { ask, open } = controlled();
    const answers = ['runs', 'gates'].map((key) => ask(key));
    await settled();
    open.forEach((answer, index) => answer(String(index)));
    expect(await Promise.all(answers)).toEqual(['0', '1']);
  });

  it('take a break between two of the same, and those who ask in the meantime share the next one', async () => {
    const rests: (() => void)[] = [];
    const resting = new CoalescedReads(
      (work) => work(),
      () => new Promise((resolve) => rests.push(resolve)),
    );
    const { ask, open } = controlled(resting);
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
    const reads = new CoalescedReads((work) => work());
    const onBegin = () => {};
    const failing = { read: () => Promise.reject(new Error('gone')), onBegin };
    const asked = ['ann', 'bob'].map(() => reads.read('list', failing, STAYS));
    for (const answer of asked) await expect(answer).rejects.toThrow('gone');
    const there = { read: () => Promise.resolve('there'), onBegin };
    await expect(reads.read('list', there, STAYS)).resolves.toBe('there');
  });
});

describe('a caller that asks for a coalesced read and leaves', () => {
  /** One slot for all reads, in the order in which they were requested. */
  const inQueue = () => {
    const slots = new Semaphore(1);
    return controlled(new CoalescedReads((work) => slots.run(work)));
  };

  it('is released at once, and what nobody waits for any more is not read', async () => {
    const { reads, ask, open } = inQueue();
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

  it('takes it from no other caller, and is not notified that it begins', async () => {
    const { ask, open } = controlled();
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

  it('may do so while it is read: the others get their result, and a fault goes nowhere if there are none', async () => {
    const { reads, ask, open } = controlled();
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
    for (let tick = 0; tick < 3; tick += 1) await settled();
    expect(reads.size).toBe(0);
  });

  it('leaves its slot to callers that ask the same before its time, so that many who come and go take one', async () => {
    const { reads, ask, open } = inQueue();
    const first = ask('first');
    await settled();
    for (let n = 0; n < 1_000; n += 1) {
      const caller = new AbortController();
      const left = ask('same', undefined, caller.signal);
      caller.abort();
      await expect(left).rejects.toBe(caller.signal.reason);
    }
    expect(reads.size).toBe(2);
    const stays = ask('same');
    open[0]?.('1');
    await settled();
    open[1]?.('2');
    expect(await Promise.all([first, stays])).toEqual(['1', '2']);
  });

  it('may have left before it asked', async () => {
    const { reads, ask, open } = controlled();
    await expect(ask('list', undefined, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    await settled();
    expect([reads.size, open.length]).toEqual([0, 0]);
  });

  it('is followed by no break where nothing was read', async () => {
    let rests = 0;
    const { ask, open, reads } = controlled(
      new CoalescedReads(
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
