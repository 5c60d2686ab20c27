import { StatusFold, type StatusChange } from '../../core/fold/status-fold.js';
import type { RunEvent } from '../../core/log/event.js';
import { INITIAL_STATE, type RunState } from '../../core/state/state.js';
import type { Steps } from '../../core/steps.js';
import type { RunLog } from '../../ports/store/run-log.js';
import { inSlices } from '../../scheduling/slice.js';
import { RunLogPages } from '../reading/run-log-pages.js';
import type { RunReader } from '../reading/run-reader.js';
import type { RunInMemory } from '../run-shell.js';

/** Of so many runs is kept what is known, and of their states and changes about so many characters. */
const MAX_RUNS = 512;
const MAX_CHARS = 16 * 1024 * 1024;
/** About how much one change takes. */
const CHARS_OF_CHANGE = 32;
const PAGE_EVENTS = 1_000;

export interface StatusRange {
  /** By seq. */
  readonly changes: ReadonlyMap<number, StatusChange['status']>;
  /** Up to this event the changes are final; less than what was requested: its turn is not complete yet. */
  readonly settledSeq: number;
}

export const NO_CHANGES: StatusRange['changes'] = new Map();

export interface StatusChangesOptions {
  readonly store: Pick<RunLog, 'readEvents' | 'readRow'>;
  readonly reader: Pick<RunReader, 'foldAsLongLoad'>;
  readonly peek: (runId: string) => RunInMemory | undefined;
}

/**
 * With which events runs came to a pause and continued, found out from their logs when somebody reads events.
 *
 * 1. The answer for an event is the same for all readers at all times: it follows from the log (see `StatusFold`).
 * 2. Of a run that moves in this process while it is read, nothing is folded twice: its mailbox hands over what it did.
 *    Any other log is folded once, from its start, in slices, as a snapshot's is.
 * 3. Nothing is kept that cannot be found out anew.
 * 4. A run that is quarantined because reading it ended the process is not folded before it is resumed: until then, of its
 *    changes that pause alone is told.
 */
export class StatusChanges {
  private readonly log: RunLogPages;
  private readonly known = new Map<string, Known>();
  private chars = 0;
  /** How many readers of all runs there are. */
  private ofAllRuns = 0;
  /** Runs whose turn was not complete after their last append. */
  private readonly wasMidTurn = new Set<string>();

  constructor(private readonly options: StatusChangesOptions) {
    this.log = new RunLogPages(options.store);
  }

  /** A reader is at the end of the run's log: what comes next is known at no cost if the run is in memory. */
  attach(runId: string): void {
    const run = this.options.peek(runId);
    if (run === undefined || run.durable.seq === 0 || isMidTurn(run) || this.known.has(runId)) return;
    this.keep(runId, new Known(run.durable));
  }

  /** Somebody reads what all runs do. Returns a function to be called when they leave. */
  attachToAll(): () => void {
    this.ofAllRuns += 1;
    return () => void (this.ofAllRuns -= 1);
  }

  /** Called after every durable change of a run of this process; costs nothing for a run that nobody reads. */
  changed(run: RunInMemory, events: readonly RunEvent[], before: RunState | null): void {
    const wasMidTurn = this.noteTurn(run);
    if (this.known.size === 0 && this.ofAllRuns === 0) return;
    let known = this.known.get(run.runId);
    if (known === undefined && this.ofAllRuns > 0 && before !== null && !wasMidTurn) {
      known = new Known(before);
      this.keep(run.runId, known);
    }
    if (known === undefined || known.isBusy) return;
    const isNext = before !== null && known.fold.state.seq === before.seq;
    // What it did while another process wrote, and a state that it went back to, are read when they are requested.
    if (!isNext || events.some(needsBaseState)) return;
    for (const event of events) known.take(event, undefined);
    if (!isMidTurn(run)) known.settle();
    known.fold.share(run.durable);
  }

  /** Whether the run's turn was not complete before this append. */
  private noteTurn(run: RunInMemory): boolean {
    const { runId } = run;
    if (!isMidTurn(run)) return this.wasMidTurn.delete(runId);
    const wasMidTurn = this.wasMidTurn.has(runId);
    this.wasMidTurn.add(runId);
    return wasMidTurn;
  }

  /** The changes with the events after `afterSeq` up to `throughSeq`, which are in the log. */
  async within(runId: string, afterSeq: number, throughSeq: number): Promise<StatusRange> {
    const quarantinedAt = this.known.has(runId) ? null : await this.quarantinedAt(runId);
    if (quarantinedAt !== null) {
      const isAsked = quarantinedAt > afterSeq && quarantinedAt <= throughSeq;
      return { changes: new Map(isAsked ? [[quarantinedAt, 'paused']] : []), settledSeq: throughSeq };
    }
    const before = this.known.get(runId);
    const isEnough = before !== undefined && before.fromSeq <= afterSeq;
    const known = isEnough ? before : new Known(INITIAL_STATE);
    this.keep(runId, known);
    await known.alone(() => this.extend(runId, known, throughSeq));
    // It has grown.
    if (this.known.get(runId) === known) this.keep(runId, known);
    return {
      changes: known.changesWithin(afterSeq, throughSeq),
      settledSeq: Math.min(throughSeq, known.settledSeq),
    };
  }

  /** The seq of the pause by which the run is quarantined; null: it is not. */
  private async quarantinedAt(runId: string): Promise<number | null> {
    if (this.options.peek(runId) !== undefined) return null;
    const row = await this.options.store.readRow({ runId });
    if (row?.status !== 'paused') return null;
    const [last] = await this.log.after(runId, row.lastSeq - 1, 1);
    return last?.type === 'paused' && last.reason === 'crash-limit' ? last.seq : null;
  }

  /** Whether a turn is complete shows with the event after it. */
  private async extend(runId: string, known: Known, throughSeq: number): Promise<void> {
    for (let isAgain = false; known.settledSeq < throughSeq;) {
      const { seq } = known.fold.state;
      const events = await this.log.after(runId, seq, PAGE_EVENTS);
      if (events.length === 0) {
        const run = this.options.peek(runId);
        // What it did while its log was being read is read, too.
        if (run !== undefined && run.durable.seq > seq && !isAgain) {
          isAgain = true;
          continue;
        }
        if (run?.isMidTurnAt(seq) !== true) known.settle();
        return;
      }
      const baseStates = await this.baseStates(runId, events);
      await inSlices(foldSteps(known, events, baseStates));
    }
  }

  private async baseStates(
    runId: string,
    events: readonly RunEvent[],
  ): Promise<ReadonlyMap<number, RunState>> {
    const { reader } = this.options;
    const states = new Map<number, RunState>();
    for (const event of events) {
      const part =
        event.type === 'rewound'
          ? { runId, atSeq: event.toSeq }
          : event.type === 'run-forked' && event.fromSeq > 0
            ? { runId: event.fromRunId, atSeq: event.fromSeq }
            : null;
      if (part !== null) states.set(event.seq, (await reader.foldAsLongLoad(part.runId, part.atSeq)).state);
    }
    return states;
  }

  /** The one that was read last comes last; the first ones go. */
  private keep(runId: string, known: Known): void {
    this.forget(runId);
    this.known.set(runId, known);
    known.count();
    this.chars += known.chars;
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MAX_RUNS && this.chars <= MAX_CHARS) return;
      if (oldest !== runId) this.forget(oldest);
    }
  }

  /** Nothing is known of the run any more. */
  forget(runId: string): void {
    this.chars -= this.known.get(runId)?.chars ?? 0;
    this.known.delete(runId);
  }
}

/** What is known of one run. */
class Known {
  /** The changes are known from the event after this one on. */
  readonly fromSeq: number;
  readonly fold: StatusFold;
  /** About how many characters it was counted with last. */
  chars = 0;
  private isSettled = true;
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(state: RunState) {
    this.fromSeq = state.seq;
    this.fold = new StatusFold(state);
  }

  count(): void {
    const { changes, state } = this.fold;
    this.chars = state.stateChars + CHARS_OF_CHANGE * changes.length;
  }

  /** Somebody is reading its log. */
  get isBusy(): boolean {
    return this.waiting > 0;
  }

  /** Everything before the last event is final, and that one once its turn is complete. */
  get settledSeq(): number {
    const { seq } = this.fold.state;
    return this.isSettled ? seq : seq - 1;
  }

  changesWithin(afterSeq: number, throughSeq: number): StatusRange['changes'] {
    const { changes } = this.fold;
    const found = new Map<number, StatusChange['status']>();
    for (let at = firstAfter(changes, afterSeq); ; at += 1) {
      const change = changes[at];
      if (change === undefined || change.seq > throughSeq) return found;
      found.set(change.seq, change.status);
    }
  }

  take(event: RunEvent, baseState: RunState | undefined): void {
    this.fold.take(event, baseState);
    this.isSettled = false;
  }

  settle(): void {
    this.fold.settle();
    this.isSettled = true;
  }

  /** One after the other: a log is folded in order. */
  async alone(work: () => Promise<void>): Promise<void> {
    this.waiting += 1;
    const done = this.last.then(work, work);
    this.last = done.catch(() => undefined);
    try {
      await done;
    } finally {
      this.waiting -= 1;
    }
  }
}

/** The index of the first change after that event: changes are in the order of the log, and a long one may have many. */
function firstAfter(changes: readonly StatusChange[], seq: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle] as StatusChange).seq <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* foldSteps(
  known: Known,
  events: readonly RunEvent[],
  baseStates: ReadonlyMap<number, RunState>,
): Steps<void> {
  for (const event of events) {
    known.take(event, baseStates.get(event.seq));
    yield;
  }
}

function isMidTurn(run: RunInMemory): boolean {
  return run.isMidTurnAt(run.durable.seq);
}

function needsBaseState({ type }: RunEvent): boolean {
  return type === 'rewound' || type === 'run-forked';
}
