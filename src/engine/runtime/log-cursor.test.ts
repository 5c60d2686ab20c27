import { LogCursor, type CursorLog } from './log-cursor.js';
import { Waiters } from './waiters.js';

/** A log of numbers, of which each page shows at most two; it ends with the number 9. */
function numbers(...given: number[]) {
  const log = [...given];
  const waiters = new Waiters();
  const looked: string[] = [];
  const of: CursorLog<number, string> = {
    wait(position, signal) {
      looked.push(`wait ${position}`);
      return log.length > position ? Promise.resolve() : waiters.wait(signal);
    },
    async read(position) {
      looked.push(`read ${position}`);
      const items = log.slice(position, position + 2);
      const isLast = position + items.length === log.length;
      return { items, position: position + items.length, isLast, end: log.includes(9) ? 'nine' : null };
    },
  };
  const append = (...more: number[]) => {
    log.push(...more);
    waiters.wakeAll();
  };
  return { of, append, waiters, looked };
}

const STAYS = new AbortController().signal;

describe('a cursor into a log', () => {
  it('gives what is there in pages, then what comes, and says how the log ended', async () => {
    const { of, append } = numbers(1, 2, 3);
    const pages = new LogCursor(of, 0).pages(STAYS);
    expect([(await pages.next()).value, (await pages.next()).value]).toEqual([[1, 2], [3]]);
    const next = pages.next();
    append(4, 9);
    expect(await next).toEqual({ done: false, value: [4, 9] });
    expect(await pages.next()).toEqual({ done: true, value: 'nine' });
  });

  it('begins to wait before it looks, and looks once for each time that it was woken', async () => {
    const { of, append, looked } = numbers();
    const next = new LogCursor(of, 0).pages(STAYS).next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(looked).toEqual(['wait 0', 'read 0']);
    append(1);
    await next;
    expect(looked).toEqual(['wait 0', 'read 0', 'wait 0', 'read 0']);
  });

  it('reads no page that its reader has not come back for, and gives one again to a reader that failed', async () => {
    const { of, looked } = numbers(1, 2, 3);
    const cursor = new LogCursor(of, 0);
    const failing = async () => {
      for await (const page of cursor.pages(STAYS)) throw new Error(`not ${page.join()}`);
    };
    await expect(failing()).rejects.toThrow('not 1,2');
    expect(looked.filter((what) => what.startsWith('read'))).toEqual(['read 0']);
    expect((await cursor.pages(STAYS).next()).value).toEqual([1, 2]);
  });

  it('ends at its signal, whatever it waits for, and leaves nobody waiting', async () => {
    const { of, waiters } = numbers();
    const left = new AbortController();
    const next = new LogCursor(of, 0).pages(left.signal).next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(waiters.size).toBe(1);
    left.abort();
    expect([await next, waiters.size]).toEqual([{ done: true, value: null }, 0]);
    expect(await new LogCursor(of, 0).pages(left.signal).next()).toEqual({ done: true, value: null });
  });
});
