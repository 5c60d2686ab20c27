import type { CallMark, RunStore } from '../../ports/run-store.js';

/** Marks of calls that are over wait for the next that begin; above this many they are told by themselves. */
const MAX_ENDED = 1_000;

/** What is called. Its mark is asked for only where somebody keeps it. */
export interface Call {
  readonly mark: CallMark;
}

/**
 * Tells the store which calls begin, and only then begins them: should the process die of one, the next start knows
 * which had been called. The calls that many runs begin after one commit are told together. Where the store goes with
 * the process there is nobody to tell, and calls begin at once.
 */
export class CallLauncher {
  private begun: { readonly mark: CallMark; readonly begin: () => void }[] = [];
  private ended: CallMark[] = [];
  private isScheduled = false;

  constructor(private readonly store: Pick<RunStore, 'markCalls' | 'keepsMarks'>) {}

  launch(call: Call, begin: () => void): void {
    if (this.store.keepsMarks === false) return begin();
    this.begun.push({ mark: call.mark, begin });
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => this.flush());
  }

  /** The call came to its end, or was given up: it is not what the process dies of. */
  end(call: Call): void {
    if (this.store.keepsMarks === false) return;
    this.ended.push(call.mark);
    if (this.ended.length >= MAX_ENDED && !this.isScheduled) this.flush();
  }

  private flush(): void {
    this.isScheduled = false;
    const { begun, ended } = this;
    this.begun = [];
    this.ended = [];
    this.store.markCalls({ begun: begun.map(({ mark }) => mark), ended });
    for (const { begin } of begun) begin();
  }
}
