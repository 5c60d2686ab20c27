import type { RunLog } from '../../../ports/store/run-log.js';
import { settleUnresolved } from './known-keys.js';
import { withoutRepeats, type InboxMessage } from './inbox-message.js';
import type { InboxBatch } from './inbox-batch.js';
import type { StoreTrouble } from '../appending/store-trouble.js';

/** A promise to wait for, or undefined if there is nothing to wait for. */
export type Waiting = Promise<void> | undefined;

/** The run that the messages are for. */
export interface Drainable {
  /** Another process may have written, or a failed write may have happened all the same. */
  readonly isInDoubt: boolean;
  /** This process does not own it any more. */
  readonly hasLeft: boolean;
  /** Loads what was written by others, or by a write that failed. */
  reload(): Promise<unknown>;
  process(batch: readonly InboxMessage[]): Waiting;
  /** A batch failed: nothing of it is known to be stored. True: it is offered again as it is, and decided otherwise. */
  failed(error: unknown): boolean;
  /** Nothing is left to decide for now. */
  drained(): void;
}

/** Never written to: the first message makes a list of its own. */
const NOTHING: InboxMessage[] = [];

/**
 * Hands a run its messages, batch after batch: what arrives during one batch makes up the next. As long as nothing has to
 * be waited for it continues synchronously, in a loop and without recursion, however long the run is; `SliceScheduler` makes it
 * wait when it has to yield to the event loop.
 */
export class Drain {
  private inbox = NOTHING;
  private isBusy = false;
  /** How many batches failed in a row. */
  private failures = 0;

  constructor(
    private readonly run: Drainable,
    private readonly shell: {
      readonly store: Pick<RunLog, 'readIdempotency'>;
      readonly inboxBatch: InboxBatch;
    },
    private readonly trouble: StoreTrouble,
  ) {}

  get isIdle(): boolean {
    return !this.isBusy && this.inbox.length === 0;
  }

  get waiting(): number {
    return this.inbox.length;
  }

  post(message: InboxMessage): void {
    // The first message gets a literal list: one that grows from empty allocates space for many.
    if (this.inbox === NOTHING) this.inbox = [message];
    else this.inbox.push(message);
    if (this.isBusy) return;
    this.isBusy = true;
    this.failures = 0;
    this.shell.inboxBatch.begin();
    this.proceed();
  }

  /** Puts messages before everything that arrived in the meantime. */
  requeue(messages: readonly InboxMessage[]): void {
    if (messages.length > 0) this.inbox = [...messages, ...this.inbox];
  }

  private proceed(): void {
    while (this.inbox.length > 0 || (this.run.isInDoubt && !this.run.hasLeft)) {
      const waiting = this.takeBatch();
      if (waiting === undefined) continue;
      void waiting.then(() => this.proceed());
      return;
    }
    this.isBusy = false;
    this.shell.inboxBatch.end();
    this.run.drained();
  }

  /** Neither throws nor rejects: failures are handled. */
  private takeBatch(): Waiting {
    const { run } = this;
    // Removed here, so that a repetition that was refused is not among the messages that are offered again.
    const taken = this.takeInbox();
    const batch = taken.length < 2 ? taken : withoutRepeats(taken, (rival) => this.settleUnresolved(rival));
    try {
      const waiting = run.isInDoubt ? run.reload().then(() => run.process(batch)) : run.process(batch);
      if (waiting === undefined) return this.succeed();
      return waiting.then(
        () => this.succeed(),
        (error: unknown) => this.fail(batch, error),
      );
    } catch (error) {
      return this.fail(batch, error);
    }
  }

  private takeInbox(): readonly InboxMessage[] {
    const all = this.inbox;
    if (this.trouble.isSequential && all.length > 1) return all.splice(0, 1);
    this.inbox = NOTHING;
    return all;
  }

  private settleUnresolved(message: InboxMessage): void {
    void settleUnresolved(this.shell.store, message, (again) => this.post(again));
  }

  private succeed(): undefined {
    this.failures = 0;
    if (this.inbox.length === 0) this.trouble.isSequential = false;
  }

  private async fail(batch: readonly InboxMessage[], error: unknown): Promise<void> {
    const isDecidedOtherwise = this.run.failed(error);
    if (isDecidedOtherwise) return this.requeue(batch);
    this.failures++;
    const { failures } = this;
    const again = await this.trouble.handle(batch, error, { failures, hasLeft: this.run.hasLeft });
    this.requeue(again);
  }
}
