import { ANN } from '../../../../test/support/simulated-run.js';
import type { StoredEvent } from '../../ports/store/append.js';
import { RunLogPages } from './run-log-pages.js';

const LENGTH = 10_000;

/** A log of large events: the store never gives more than two of them at once. */
function largeLog(eventAt: (seq: number) => object = () => ({ type: 'request-noted', request: 'hitl' })) {
  const reads: number[] = [];
  const readEvents = async ({ afterSeq, limit }: { afterSeq: number; limit: number }) => {
    reads.push(afterSeq);
    const count = Math.min(2, limit, LENGTH - afterSeq);
    return Array.from({ length: count }, (_, i): StoredEvent => {
      const seq = afterSeq + i + 1;
      return { v: 1, seq, at: 1, ...eventAt(seq) } as StoredEvent;
    });
  };
  return { log: new RunLogPages({ readEvents }), reads };
}

describe('the log of a run, looked through for one request', () => {
  it('is looked at up to a bound, and from there by the next request', async () => {
    const { log, reads } = largeLog();
    const seen: number[] = [];
    const see = ({ seq }: { readonly seq: number }) => {
      seen.push(seq);
      return false;
    };
    const next = await log.walk('run', 0, see);
    expect(next).toBe(seen.length);
    expect([next, reads.length]).toEqual([40, 20]);
    expect(await log.walk('run', 40, see)).toBe(80);
    expect(seen).toEqual(Array.from({ length: 80 }, (_, i) => i + 1));
    expect(await log.walk('run', LENGTH - 3, see)).toBeNull();
  });

  it('yields to the event loop between two pages', async () => {
    const { log } = largeLog();
    let turns = 0;
    let counting = setImmediate(function count() {
      turns++;
      counting = setImmediate(count);
    });
    await log.walk('run', 0, () => false);
    clearImmediate(counting);
    expect(turns).toBeGreaterThanOrEqual(15);
  });

  it('ends where the reader has enough', async () => {
    const { log, reads } = largeLog();
    expect(await log.walk('run', 0, ({ seq }) => seq === 5)).toBe(5);
    expect(reads).toEqual([0, 2, 4]);
  });

  it('is read from its end for the newest messages, and no further than these', async () => {
    const skipped = { type: 'unit-skipped', unitId: 'u', scope: '', path: '' };
    const { log, reads } = largeLog(() => skipped);
    const messages = await log.newestMessages('run', LENGTH);
    expect(messages).toHaveLength(1_000);
    expect(Math.min(...reads)).toBe(LENGTH - 1_000);
    expect(await log.newestMessages('run', 3)).toHaveLength(3);
    expect(await log.newestMessages('run', 0)).toEqual([]);
  });

  it('shows why a run failed from its last events, or not at all', async () => {
    const failed = largeLog((seq) =>
      seq === LENGTH - 20 ? { type: 'run-failed', error: 'no' } : { type: 'request-noted', request: 'hitl' },
    );
    const row = { runId: 'run', lastSeq: LENGTH } as Parameters<RunLogPages['failure']>[0];
    expect(await failed.log.failure(row)).toEqual({ error: 'no', isCancelled: false });
    expect(failed.reads.length).toBeLessThan(20);
    const cancelled = largeLog((seq) =>
      seq === LENGTH ? { v: 2, type: 'run-cancelled', by: ANN } : { type: 'request-noted', request: 'hitl' },
    );
    expect(await cancelled.log.failure(row)).toEqual({ error: 'Cancelled by ann', isCancelled: true });
    expect(cancelled.reads).toEqual([LENGTH - 1]);
    const { log, reads } = largeLog();
    expect(await log.failure(row)).toBeNull();
    expect(reads.length).toBeLessThan(100);
  });
});
