import { deepFreeze } from '../../core/freeze.js';
import { approximateChars } from '../../core/json-size.js';
import type { RunRecord } from '../../run-record.js';

/** A shorter log is folded in about the time that it takes to read its row. */
const FEWEST_EVENTS = 500;
const MAX_CHARS = 16 * 1024 * 1024;

interface Kept {
  /** Seq of the run's last event: a rewind or a resume makes the record another one. */
  readonly seq: number;
  readonly record: RunRecord;
  readonly chars: number;
}

/**
 * The records of long runs that have ended, as they were last read: whoever polls one has its log folded once. Those
 * that nobody asked for longest go first; a record that is too large for all of it is not kept.
 */
export class EndedRecords {
  private readonly kept = new Map<string, Kept>();
  private chars = 0;

  get(runId: string, seq: number): RunRecord | null {
    const kept = this.kept.get(runId);
    if (kept?.seq !== seq) return null;
    this.kept.delete(runId);
    this.kept.set(runId, kept);
    return kept.record;
  }

  /** Frozen from now on: many will be given the same one. `stateChars`: about how long its state is. */
  put(record: RunRecord, seq: number, stateChars = 0): void {
    if (seq < FEWEST_EVENTS) return;
    this.drop(record.runId);
    if (stateChars > MAX_CHARS) return;
    const { result, ...rest } = record;
    const chars = stateChars + approximateChars({ ...rest, ...result, state: null });
    if (chars > MAX_CHARS) return;
    this.kept.set(record.runId, { seq, record: deepFreeze(record), chars });
    this.chars += chars;
    for (const oldest of this.kept.keys()) {
      if (this.chars <= MAX_CHARS) return;
      this.drop(oldest);
    }
  }

  private drop(runId: string): void {
    this.chars -= this.kept.get(runId)?.chars ?? 0;
    this.kept.delete(runId);
  }
}
