import { messageOf } from '../../../errors/flowgate-error.js';
import { StoreError } from '../../../errors/service-errors.js';
import { sleep } from '../../ports/clock.js';
import { doublingMs } from '../doubling.js';
import { rejectAll, type Mail } from './mail.js';
import type { RunShell } from './run-shell.js';
import { storableInstead } from './storable-instead.js';

/** How long a store that failed is left alone before results are offered to it again. */
const RETRY = { firstMs: 50, longestMs: 5_000 };

/**
 * What becomes of a batch that the store did not take: whoever waits is told, what must not be lost is offered again.
 *
 * 1. A fault that passes: results of units are kept, and the store is left alone for a while.
 * 2. A fault that comes again for the same request: the mails of the batch go one by one, and the one that is at fault
 *    is recorded otherwise, or dropped and said.
 */
export class StoreTrouble {
  /** Which mail the store refuses for good shows when each is stored by itself. */
  isOneByOne = false;

  constructor(
    private readonly runId: string,
    private readonly shell: Pick<RunShell, 'clock' | 'logger'>,
  ) {}

  /**
   * Resolves with what is to be offered again, when it is time for it. `failures`: how often in a row by now;
   * `hasLeft`: the run is not this process's any more, so nothing is.
   */
  async meet(
    batch: readonly Mail[],
    error: unknown,
    { failures, hasLeft }: { readonly failures: number; readonly hasLeft: boolean },
  ): Promise<readonly Mail[]> {
    if (error instanceof StoreError && error.permanent) return this.storeOtherwise(batch, error);
    for (const mail of batch) rejectAll(mail, error);
    if (hasLeft) return [];
    const kept = batch.filter(({ isKept }) => isKept).map((mail) => ({ ...mail, replies: [] }));
    const { clock, logger } = this.shell;
    if (kept.length > 0 && failures === 1) {
      logger.warn('A run could not be stored; its results are kept and offered again', {
        runId: this.runId,
        results: kept.length,
        error: messageOf(error),
      });
    }
    await sleep(clock, doublingMs(failures, RETRY));
    return kept;
  }

  private storeOtherwise(batch: readonly Mail[], error: StoreError): readonly Mail[] {
    const [mail, ...others] = batch;
    if (mail === undefined) return [];
    if (others.length > 0) {
      this.isOneByOne = true;
      return batch;
    }
    rejectAll(mail, error);
    const { clock, logger } = this.shell;
    const instead = mail.isKept ? storableInstead(mail, error, clock.now()) : null;
    logger.error('Something of a run cannot be stored', {
      runId: this.runId,
      isDropped: instead === null,
      error: error.message,
    });
    return instead === null ? [] : [instead];
  }
}
