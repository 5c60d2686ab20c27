import type { CallMark, CrashJournal } from '../../../ports/store/crash-journal.js';

/** Marks of calls that ended are sent with the next calls that begin; above this many they are sent on their own. */
const MAX_ENDED = 1_000;

const NOTHING: readonly CallMark[] = [];

/** What is called. Its mark is only read where the store keeps marks. */
export interface Call {
  readonly mark: CallMark;
}

/**
 * Marks calls in the store, and only then begins them: if the process dies of one, the next start knows which had been
 * called. The calls that many runs begin after one commit are marked together. A store that does not outlive the process
 * keeps no marks, and calls begin at once.
 */
export class CallLauncher {
  private begun: { readonly mark: CallMark; readonly begin: () => void }[] = [];
  private ended: CallMark[] = [];
  private isScheduled = false;

  constructor(private readonly store: Pick<CrashJournal, 'markCalls' | 'keepsMarks'>) {}

  launch(call: Call, begin: () => void): void {
    if (this.store.keepsMarks === false) return begin();
    this.begun.push({ mark: call.mark, begin });
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => this.flush());
  }

  /** Marks a call that begins at once, by itself: whatever it does to the process is put down to it. */
  beginNow(call: Call): void {
    if (this.store.keepsMarks === false) return;
    // Those that ended before they began are left to the flush that says that they begin.
    const ended = this.isScheduled ? NOTHING : this.ended;
    if (!this.isScheduled) this.ended = [];
    this.store.markCalls({ begun: [call.mark], ended });
  }

  /** The call ended, or was given up: it can no longer be what the process dies of. */
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
