import { Semaphore } from '../../scheduling/semaphore.js';
import { CoalescedRead, type CoalescedReadOptions } from './coalesced-read.js';

const STAYS = new AbortController().signal;

const AT_ONCE: CoalescedReadOptions = {
  schedule: (work) => work(),
  takeBreak: async () => {},
  onIdle: () => {},
};

/** Reads that are done when the test says so. */
function controlled(options: Partial<CoalescedReadOptions> = {}) {
  const open: ((text: string) => void)[] = [];
  const read = () => new Promise<string>((resolve) => open.push(resolve));
  const reads = new CoalescedRead(read, { ...AT_ONCE, ...options });
  return { reads, ask: (signal = STAYS) => reads.next(signal), open };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('coalesced reads', () => {
  it('are done once for all who ask before one begins', async () => {
    const { ask, open } = controlled();
    const answers = [ask(), ask()];
    expect(open).toHaveLength(0);
    await settled();
    expect(open).toHaveLength(1);
    open[0]?.('page');
    expect(await Promise.all(answers)).toEqual(['page', 'page']);
  });

  it('never return what was read before it was requested, and are done sequentially', async () => {
    const { ask, open } = controlled();
    const early = ask();
    await settled();
    const late = ['ann', 'bob'].map(() => ask());
    await settled();
    expect(open).toHaveLength(1);
    open[0]?.('old');
    await settled();
    expect(open).toHaveLength(2);
    open[1]?.('new');
    expect(await Promise.all([early, ...late])).toEqual(['old', 'new', 'new']);
  });

  it('take a break between two of the same, and those who ask in the meantime share the next one', async () => {
    const rests: (() => void)[] = [];
    const { ask, open } = controlled({ takeBreak: () => new Promise((resolve) => rests.push(resolve)) });
    const first = ask();
    await settled();
    open[0]?.('first');
    expect(await first).toBe('first');
    const meanwhile = [ask()];
    await settled();
    meanwhile.push(ask());
    expect(open).toHaveLength(1);
    rests[0]?.();
    await settled();
    expect(open).toHaveLength(2);
    open[1]?.('second');
    expect(await Promise.all(meanwhile)).toEqual(['second', 'second']);
  });

  it('fail for those who asked, and are tried again by the next', async () => {
    let isGone = true;
    const read = () => (isGone ? Promise.reject(new Error('gone')) : Promise.resolve('there'));
    const reads = new CoalescedRead(read, AT_ONCE);
    const asked = [reads.next(STAYS), reads.next(STAYS)];
    for (const answer of asked) await expect(answer).rejects.toThrow('gone');
    isGone = false;
    await expect(reads.next(STAYS)).resolves.toBe('there');
  });
});

describe('a caller that asks for a coalesced read and leaves', () => {
  /** One slot for the reads of several, in the order in which they were requested. */
  const inQueue = () => {
    const slots = new Semaphore(1);
    const one = () => controlled({ schedule: (work) => slots.run(work) });
    return { first: one(), second: one(), third: one() };
  };

  it('is released at once, and what nobody waits for any more is not read', async () => {
    const { first, second, third } = inQueue();
    const before = first.ask();
    await settled();
    const ann = new AbortController();
    const left = second.ask(ann.signal);
    const after = third.ask();
    await settled();
    ann.abort();
    await expect(left).rejects.toBe(ann.signal.reason);
    first.open[0]?.('1');
    await settled();
    third.open[0]?.('3');
    expect(await Promise.all([before, after])).toEqual(['1', '3']);
    await settled();
    expect([second.open.length, second.reads.isIdle, third.reads.isIdle]).toEqual([0, true, true]);
  });

  it('takes it from no other caller', async () => {
    const { ask, open } = controlled();
    const ann = new AbortController();
    const left = ask(ann.signal);
    const stays = ask();
    ann.abort();
    await expect(left).rejects.toBe(ann.signal.reason);
    await settled();
    open[0]?.('page');
    expect([await stays, open.length]).toEqual(['page', 1]);
  });

  it('may do so while it is read: the others get their result, and a fault goes nowhere if there are none', async () => {
    const { ask, open } = controlled();
    const ann = new AbortController();
    const left = ask(ann.signal);
    const stays = ask();
    await settled();
    ann.abort();
    await expect(left).rejects.toBe(ann.signal.reason);
    open[0]?.('page');
    expect(await stays).toBe('page');
    const bob = new AbortController();
    const failing = new CoalescedRead(() => settled().then(() => Promise.reject(new Error('gone'))), AT_ONCE);
    const alone = failing.next(bob.signal);
    await Promise.resolve().then(() => Promise.resolve());
    bob.abort();
    await expect(alone).rejects.toBe(bob.signal.reason);
    for (let tick = 0; tick < 3; tick += 1) await settled();
    expect(failing.isIdle).toBe(true);
  });

  it('leaves its slot to callers that ask again before its time, so that many who come and go take one', async () => {
    const { first, second } = inQueue();
    const before = first.ask();
    await settled();
    for (let n = 0; n < 1_000; n += 1) {
      const caller = new AbortController();
      const left = second.ask(caller.signal);
      caller.abort();
      await expect(left).rejects.toBe(caller.signal.reason);
    }
    const stays = second.ask();
    first.open[0]?.('1');
    await settled();
    second.open[0]?.('2');
    expect(await Promise.all([before, stays])).toEqual(['1', '2']);
    expect(second.open).toHaveLength(1);
  });

  it('may have left before it asked', async () => {
    const { reads, ask, open } = controlled();
    await expect(ask(AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    await settled();
    expect([reads.isIdle, open.length]).toEqual([true, 0]);
  });

  it('is followed by no break where nothing was read, and says that it is idle', async () => {
    const said: string[] = [];
    const { ask, open, reads } = controlled({
      takeBreak: async () => void said.push('break'),
      onIdle: () => void said.push('idle'),
    });
    const ann = new AbortController();
    const left = ask(ann.signal);
    ann.abort();
    await expect(left).rejects.toBe(ann.signal.reason);
    await settled();
    expect([open.length, said, reads.isIdle]).toEqual([0, ['idle'], true]);
  });
});
