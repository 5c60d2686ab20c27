import { messageOf } from '../../../../errors/flowgate-error.js';
import { StoreError } from '../../../../errors/service-errors.js';
import { sleep } from '../../../ports/clock.js';
import { doublingMs } from '../../doubling.js';
import { rejectAll, type InboxMessage } from '../inbox/inbox-message.js';
import type { RunShell } from '../../run-shell.js';
import { storableInstead } from './storable-instead.js';

/** How long to wait after the store failed before outcomes are offered to it again. */
const RETRY = { firstMs: 50, longestMs: 5_000 };

/**
 * Handles a batch that the store did not take: waiting callers are rejected, what must not be lost is offered again.
 *
 * 1. After a transient fault, outcomes of units are kept, and the store gets a break.
 * 2. After a permanent fault, the messages of the batch are stored sequentially, and the one at fault is replaced by
 *    something storable, or dropped and logged.
 */
export class StoreTrouble {
  /** Each message is stored by itself, to find the one that the store refuses permanently. */
  isSequential = false;

  constructor(
    private readonly runId: string,
    private readonly shell: Pick<RunShell, 'clock' | 'logger'>,
  ) {}

  /**
   * Resolves with the messages to offer again, when it is time to. `failures`: how many batches failed in a row;
   * `hasLeft`: this process does not own the run any more, so nothing is offered again.
   */
  async handle(
    batch: readonly InboxMessage[],
    error: unknown,
    { failures, hasLeft }: { readonly failures: number; readonly hasLeft: boolean },
  ): Promise<readonly InboxMessage[]> {
    if (error instanceof StoreError && error.permanent) return this.storeOtherwise(batch, error);
    for (const message of batch) rejectAll(message, error);
    if (hasLeft) return [];
    const kept = batch.filter(({ isKept }) => isKept).map((message) => ({ ...message, replies: [] }));
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

  private storeOtherwise(batch: readonly InboxMessage[], error: StoreError): readonly InboxMessage[] {
    const [message, ...others] = batch;
    if (message === undefined) return [];
    if (others.length > 0) {
      this.isSequential = true;
      return batch;
    }
    rejectAll(message, error);
    const { clock, logger } = this.shell;
    const instead = message.isKept ? storableInstead(message, error, clock.now()) : null;
    logger.error('Something of a run cannot be stored', {
      runId: this.runId,
      isDropped: instead === null,
      error: error.message,
    });
    return instead === null ? [] : [instead];
  }
}
