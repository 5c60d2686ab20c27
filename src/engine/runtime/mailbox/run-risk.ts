import type { RunState } from '../../core/state/state.js';
import type { RunRow, RunStore } from '../../ports/run-store.js';
import type { Mail } from './mail.js';

/** A turn on less than this, that comes to its end at once, takes nobody's memory. */
const LARGE_CHARS = 1_048_576;

/**
 * Tells the store when a turn of a run begins that may kill the process: one on a state or a log that is large, one that
 * was cut short and goes on, and the one with which the run is taken over. Any other says nothing and costs nothing.
 */
export class RunRisk {
  /** A turn was cut short, by us or by the process before, and did not go on yet. */
  private isCutShort = false;
  private isMarked = false;

  constructor(
    private readonly runId: string,
    private readonly store: Pick<RunStore, 'markAtRisk'>,
  ) {}

  loaded(row: RunRow): void {
    // As `appendRequest` says it: due at once.
    this.isCutShort = row.wakeAt !== null && row.wakeAt <= row.updatedAt;
  }

  /** Before what happened is decided upon; again for each append of a turn that goes on. */
  begin(state: RunState, mails: readonly Mail[]): void {
    const isLarge = state.logChars > LARGE_CHARS || state.stateChars > LARGE_CHARS;
    if (!isLarge && !this.isCutShort && !brings(mails, 'recover')) return;
    // Of a run that is not stored yet nothing is left that could be tried again.
    if (state.seq === 0) return;
    this.isMarked = true;
    this.store.markAtRisk({ runId: this.runId, doing: 'turn', lastSeq: state.seq });
  }

  /** What happened was decided upon; `isCutShort`: not all of it. */
  decided(mails: readonly Mail[], isCutShort: boolean): void {
    if (isCutShort) this.isCutShort = true;
    else if (this.isCutShort && (brings(mails, 'continue') || brings(mails, 'recover')))
      this.isCutShort = false;
  }

  /** Nothing is left to decide for now. */
  rest(): void {
    if (!this.isMarked || this.isCutShort) return;
    this.isMarked = false;
    this.store.markAtRisk({ runId: this.runId, doing: 'turn', lastSeq: null });
  }
}

function brings(mails: readonly Mail[], type: 'continue' | 'recover'): boolean {
  return mails.some(({ signals }) => signals.some((signal) => signal.type === type));
}
