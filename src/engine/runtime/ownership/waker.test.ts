import { StoreError } from '../../../errors/service-errors.js';
import type { Signal } from '../../core/signal.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import { wakerOf } from './waker.js';

/** A waker, and the signals and wake-ups of its runs. */
function waking(options: { readonly isLive?: boolean; readonly fault?: Error } = {}) {
  const clock = new ManualClock(1_000);
  const logger = new RecordingLogger();
  const told: Signal[] = [];
  const alarms: unknown[] = [];
  const is = { owner: true, closing: false };
  const run = {
    woken: () => undefined,
    deliver: async (signal: Signal) => {
      told.push(signal);
      if (options.fault !== undefined) throw options.fault;
      return true;
    },
  } as unknown as LiveRun;
  const live: Pick<LiveRuns, 'peek' | 'withRun'> = {
    peek: () => (options.isLive === true ? run : undefined),
    withRun: (_runId, use) => use(run),
  };
  const wake = wakerOf({
    live: live as LiveRuns,
    clock,
    logger,
    ownership: {
      owns: () => is.owner,
      nudge: () => undefined,
      followsDeath: () => false,
      tenure: () => null,
      isBarred: () => false,
      wakeAt: (runId, at) => void alarms.push([runId, at]),
    },
    crashLooping: { alone: (_runId, work) => work() },
    isClosing: () => is.closing,
  });
  return { logger, told, alarms, is, wake };
}

describe('a run that is due', () => {
  it('is woken, and continues a turn that the last process may have left', async () => {
    const { told, wake } = waking();
    await wake('run');
    expect(told).toEqual([
      { type: 'timer-due', at: 1_000 },
      { type: 'continue', at: 1_000 },
    ]);
  });

  it('gets only the due signal when it is in memory', async () => {
    const { told, wake } = waking({ isLive: true });
    await wake('run');
    expect(told).toEqual([{ type: 'timer-due', at: 1_000 }]);
  });

  it('is left alone by a process that does not own it, or that ends', async () => {
    const { told, is, wake } = waking();
    is.owner = false;
    await wake('run');
    is.owner = true;
    is.closing = true;
    await wake('run');
    expect(told).toEqual([]);
  });

  it('is woken again after five seconds when the store failed', async () => {
    const { logger, alarms, wake } = waking({ fault: new StoreError('the disk is busy') });
    await wake('run');
    expect(alarms).toEqual([['run', 6_000]]);
    expect(logger.said).toEqual([
      {
        level: 'error',
        message: 'A run could not be woken; it is tried again',
        fields: { runId: 'run', error: 'the disk is busy' },
      },
    ]);
  });

  it('that is in memory is not woken again for that: it offers its messages again by itself', async () => {
    const { alarms, wake } = waking({ isLive: true, fault: new StoreError('the disk is busy') });
    await wake('run');
    expect(alarms).toEqual([]);
  });

  it.each([new Error('a newer version wrote it'), new StoreError('damaged', { permanent: true })])(
    'and that cannot be read for good is not tried again, and it is said: %s',
    async (fault) => {
      const { logger, alarms, wake } = waking({ fault });
      await wake('run');
      expect(alarms).toEqual([]);
      expect(logger.said).toEqual([
        {
          level: 'error',
          message: 'A run cannot be woken',
          fields: { runId: 'run', error: fault.message },
        },
      ]);
    },
  );
});
