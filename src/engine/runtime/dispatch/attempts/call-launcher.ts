import type { CallMark, CrashJournal } from '../../../ports/store/crash-journal.js';

/** Marks of calls that ended are sent with the next calls that begin; above this many they are sent on their own. */
const MAX_ENDED = 1_000;

const NOTHING: readonly CallMark[] = [];

/** What is called. Its mark is only read where the store keeps marks. */
export interface Call {
  readonly mark: CallMark;
}

/** A call that begins once it is marked. */
interface MarkedCall {
  readonly mark: CallMark;
  readonly begin: () => void;
  /** A process that died may have made it before: it has to be recorded, or its deaths would never be counted. */
  readonly isMadeAgain: boolean;
  /** How many of the calls that ended had done so by then. */
  readonly endedBefore: number;
}

/**
 * Marks calls in the store, and only then begins them: if the process dies of one, the next start knows which had been
 * called. The calls that many runs begin after one commit are marked together. A store that does not outlive the process
 * keeps no marks, and calls begin at once.
 *
 * Where the store takes a while to record marks, only a call that is made again after a death waits for that: a death of any
 * other may go uncounted, and the next one will not.
 */
export class CallLauncher {
  private begun: MarkedCall[] = [];
  private ended: CallMark[] = [];
  private isScheduled = false;

  constructor(private readonly store: Pick<CrashJournal, 'markCalls' | 'keepsMarks'>) {}

  launch(call: Call, begin: () => void, isMadeAgain = false): void {
    if (this.store.keepsMarks === false) return begin();
    this.begun.push({ mark: call.mark, begin, isMadeAgain, endedBefore: this.ended.length });
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => this.flush());
  }

  /**
   * Marks a call that begins at once, by itself: whatever it does to the process is put down to it. The promise, if there is
   * one, is that of the store: until it resolves the mark may be lost with the process.
   */
  beginNow(call: Call): void | Promise<void> {
    if (this.store.keepsMarks === false) return;
    // Those that ended before they began are left to the flush that says that they begin.
    const ended = this.isScheduled ? NOTHING : this.ended;
    if (!this.isScheduled) this.ended = [];
    return this.store.markCalls({
      begun: [call.mark],
      ended: withoutMadeAgain(ended, [{ mark: call.mark, endedBefore: ended.length }]),
    });
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
    const marking = this.store.markCalls({
      begun: begun.map(({ mark }) => mark),
      ended: withoutMadeAgain(ended, begun),
    });
    if (marking instanceof Promise) return beginWhenMarked(begun, marking);
    for (const { begin } of begun) begin();
  }
}

/**
 * Those that ended, but for what began afterwards as the same attempt: it was given up here, and is called again. The store is told
 * of both at once, and would take the mark of the second for over.
 */
function withoutMadeAgain(
  ended: readonly CallMark[],
  begun: readonly Pick<MarkedCall, 'mark' | 'endedBefore'>[],
): readonly CallMark[] {
  if (ended.length === 0 || begun.length === 0) return ended;
  const begunOfRun = Map.groupBy(begun, ({ mark }) => mark.runId);
  const isMadeAgain = (one: CallMark, index: number): boolean =>
    begunOfRun
      .get(one.runId)
      ?.some(({ mark, endedBefore }) => index < endedBefore && isSameOfRun(mark, one)) === true;
  return ended.some(isMadeAgain) ? ended.filter((mark, index) => !isMadeAgain(mark, index)) : ended;
}

function isSameOfRun(one: CallMark, other: CallMark): boolean {
  return one.executionId === other.executionId && one.attempt === other.attempt;
}

function beginWhenMarked(begun: readonly MarkedCall[], marking: Promise<void>): void {
  for (const { begin, isMadeAgain } of begun) {
    // The store reports its faults elsewhere: a mark that is missing keeps nobody from being called.
    if (isMadeAgain) void marking.then(begin, begin);
    else begin();
  }
}
