import { messageOf } from '../../../errors/flowgate-error.js';
import { StoreError } from '../../../errors/service-errors.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { RunOwnership } from '../run-shell.js';
import type { CrashLoopingRuns } from './crash-looping-runs.js';

const AGAIN_MS = 5_000;

export interface WakerOptions {
  readonly live: LiveRuns;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly ownership: RunOwnership;
  readonly crashLooping: Pick<CrashLoopingRuns, 'alone'>;
  readonly isClosing: () => boolean;
}

/**
 * Makes happen what is due in a run. Never rejects: after a transient fault of the store the run is woken again. A run that
 * cannot be read at all is found due by every look into the store, and logged once.
 */
export function wakerOf(options: WakerOptions): (runId: string) => Promise<void> {
  const { live, clock, logger, ownership, crashLooping, isClosing } = options;
  const unreadable = new Set<string>();
  return async (runId) => {
    if (isClosing() || !ownership.owns(runId)) return;
    try {
      const wasLive = live.peek(runId) !== undefined;
      await crashLooping.alone(runId, () =>
        live.withRun(runId, async (run) => {
          run.woken();
          await run.deliver({ type: 'timer-due', at: clock.now() });
          // The last process may have died in the middle of a long turn.
          if (!wasLive || run.hasUnclaimedTurn) await run.deliver({ type: 'continue', at: clock.now() });
        }),
      );
      unreadable.delete(runId);
    } catch (error) {
      const isPassing = error instanceof StoreError && !error.permanent;
      if (isPassing && live.peek(runId) === undefined) ownership.wakeAt(runId, clock.now() + AGAIN_MS);
      if (!isPassing && unreadable.has(runId)) return;
      if (!isPassing) unreadable.add(runId);
      logger.error(isPassing ? 'A run could not be woken; it is tried again' : 'A run cannot be woken', {
        runId,
        error: messageOf(error),
      });
    }
  };
}
