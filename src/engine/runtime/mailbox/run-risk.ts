import type { RunState } from '../../core/state/state.js';
import type { CrashJournal } from '../../ports/store/crash-journal.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { InboxMessage } from './inbox/inbox-message.js';

/** A turn on less than this that is not preempted cannot exhaust the memory. */
const LARGE_CHARS = 1_048_576;

/**
 * Marks in the store that a turn of a run begins that may kill the process: one on a large state or log, one that
 * continues after it was preempted, and the one with which the run is taken over. Any other turn costs nothing.
 */
export class RunRisk {
  private wasPreempted = false;
  private isMarked = false;

  constructor(
    private readonly runId: string,
    private readonly store: Pick<CrashJournal, 'markAtRisk'>,
  ) {}

  /** A turn was preempted, here or in the previous process, and has not continued yet. */
  get isPreempted(): boolean {
    return this.wasPreempted;
  }

  loaded(row: RunRow): void {
    // `appendRequest` makes a run with a preempted turn due at once.
    this.wasPreempted = row.wakeAt !== null && row.wakeAt <= row.updatedAt;
  }

  /**
   * Called before the messages are decided; again for each append of a turn that continues. A promise is to be awaited before that:
   * it is only there where the store takes a while to record what it is told. `hasBacklog`: units are executed even if no message
   * brings anything.
   */
  begin(state: RunState, messages: readonly InboxMessage[], hasBacklog: boolean): void | Promise<void> {
    // Who only looks at what another process has appended decides nothing, and finds such a run due at once like a preempted one.
    if (!hasBacklog && messages.every(({ signals }) => signals.length === 0)) return;
    const isLarge = state.logChars > LARGE_CHARS || state.stateChars > LARGE_CHARS;
    if (!isLarge && !this.wasPreempted && !brings(messages, 'recover')) return;
    // A run that is not stored yet leaves nothing behind that could be tried again.
    if (state.seq === 0) return;
    this.isMarked = true;
    return this.store.markAtRisk({ runId: this.runId, doing: 'turn', lastSeq: state.seq });
  }

  /** The messages were decided; `isPreempted`: not completely. */
  decided(messages: readonly InboxMessage[], isPreempted: boolean): void {
    if (isPreempted) this.wasPreempted = true;
    else if (this.wasPreempted && (brings(messages, 'continue') || brings(messages, 'recover')))
      this.wasPreempted = false;
  }

  /** Nothing is left to decide for now. */
  drained(): void {
    if (!this.wasPreempted) this.unmark();
  }

  /**
   * The run leaves this process. Also one with a turn to continue: whoever continues it marks it again. A run that another process made
   * due at once looks like one, and nothing else would ever remove its mark.
   */
  left(): void {
    this.unmark();
  }

  private unmark(): void {
    if (!this.isMarked) return;
    this.isMarked = false;
    void this.store.markAtRisk({ runId: this.runId, doing: 'turn', lastSeq: null });
  }
}

function brings(messages: readonly InboxMessage[], type: 'continue' | 'recover'): boolean {
  return messages.some(({ signals }) => signals.some((signal) => signal.type === type));
}
