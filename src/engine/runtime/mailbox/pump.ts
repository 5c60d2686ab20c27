import type { RunStore } from '../../ports/run-store.js';
import { settleOrphan } from './known-keys.js';
import { withoutRepeats, type Mail } from './mail.js';
import type { MailInHand } from './mail-in-hand.js';
import type { StoreTrouble } from './store-trouble.js';

/** Something is to be waited for, or nothing. */
export type Waiting = Promise<void> | undefined;

/** The run that the mail is for. */
export interface Pumped {
  /** Somebody else may have written, or a write failed and may have happened all the same. */
  readonly isInDoubt: boolean;
  /** It is not this process's any more. */
  readonly hasLeft: boolean;
  /** Loads what was written by others, or by a write that failed. */
  reload(): Promise<unknown>;
  process(batch: readonly Mail[]): Waiting;
  /** A batch failed: nothing of it is known to be stored. */
  failed(): void;
  /** Nothing is left to decide for now. */
  rest(): void;
}

/** Never written to: whoever comes first makes a list of its own. */
const NOTHING: Mail[] = [];

/**
 * Hands a run its mail, batch after batch: what came while one was in hand makes up the next. As long as nothing has to
 * be waited for it goes on in one go, in a loop and never by calling itself, however long the run is; it is `Turns` that
 * makes it wait when others are to have the loop.
 */
export class Pump {
  private inbox = NOTHING;
  private isBusy = false;
  /** How often in a row a batch failed. */
  private failures = 0;

  constructor(
    private readonly run: Pumped,
    private readonly shell: { readonly store: RunStore; readonly inHand: MailInHand },
    private readonly trouble: StoreTrouble,
  ) {}

  get isIdle(): boolean {
    return !this.isBusy && this.inbox.length === 0;
  }

  get waiting(): number {
    return this.inbox.length;
  }

  post(mail: Mail): void {
    // The first in a list of its own: one that grows from nothing makes room for many.
    if (this.inbox === NOTHING) this.inbox = [mail];
    else this.inbox.push(mail);
    if (this.isBusy) return;
    this.isBusy = true;
    this.failures = 0;
    this.shell.inHand.begin();
    this.goOn();
  }

  /** Before everything that came meanwhile. */
  putBack(mails: readonly Mail[]): void {
    if (mails.length > 0) this.inbox = [...mails, ...this.inbox];
  }

  private goOn(): void {
    while (this.inbox.length > 0 || (this.run.isInDoubt && !this.run.hasLeft)) {
      const waiting = this.takeBatch();
      if (waiting === undefined) continue;
      void waiting.then(() => this.goOn());
      return;
    }
    this.isBusy = false;
    this.shell.inHand.end();
    this.run.rest();
  }

  /** Neither throws nor rejects: what fails is met. */
  private takeBatch(): Waiting {
    const { run } = this;
    // Here, so that a repetition that was refused is not among what is offered once more.
    const taken = this.takeInbox();
    const batch = taken.length < 2 ? taken : withoutRepeats(taken, (rival) => this.settleOrphan(rival));
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

  private takeInbox(): readonly Mail[] {
    const all = this.inbox;
    if (this.trouble.isOneByOne && all.length > 1) return all.splice(0, 1);
    this.inbox = NOTHING;
    return all;
  }

  private settleOrphan(mail: Mail): void {
    void settleOrphan(this.shell.store, mail, (again) => this.post(again));
  }

  private succeed(): undefined {
    this.failures = 0;
    if (this.inbox.length === 0) this.trouble.isOneByOne = false;
  }

  private async fail(batch: readonly Mail[], error: unknown): Promise<void> {
    this.failures++;
    this.run.failed();
    const { failures } = this;
    const again = await this.trouble.meet(batch, error, { failures, hasLeft: this.run.hasLeft });
    this.putBack(again);
  }
}
