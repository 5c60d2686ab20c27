import { messageOf } from '../../errors/flowgate-error.js';
import { sleep, type Clock } from '../ports/clock.js';
import type { EngineLogger } from '../ports/logger.js';
import type { DefinitionStore } from '../ports/store/definition-store.js';

const EVERY_MS = 3_600_000;
const BATCH = 200;
/** The pause between two batches, so that a large clean-up takes only a share of the store's time. */
const PAUSE_MS = 50;

export interface DefinitionSweepOptions {
  readonly store: Pick<DefinitionStore, 'removeUnusedDefinitions'>;
  readonly clock: Clock;
  readonly logger: Pick<EngineLogger, 'warn'>;
}

/** Removes definitions that neither a stored run nor a registration names any more, every hour and in small batches. */
export class DefinitionSweep {
  constructor(private readonly options: DefinitionSweepOptions) {}

  /** The work of its role: it runs until the signal fires. */
  async work(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.options;
    for (;;) {
      await sleep(clock, EVERY_MS, signal);
      if (signal.aborted) return;
      try {
        await this.sweep(signal);
      } catch (error) {
        if (signal.aborted) return;
        logger.warn('Definitions that nobody needs could not be removed; the next hour tries again', {
          error: messageOf(error),
        });
      }
    }
  }

  private async sweep(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.options;
    while ((await store.removeUnusedDefinitions({ opening: null, limit: BATCH })) === BATCH) {
      await sleep(clock, PAUSE_MS, signal);
      if (signal.aborted) return;
    }
  }
}
