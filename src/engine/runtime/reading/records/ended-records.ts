import { deepFreeze } from '../../../core/freeze.js';
import { approximateChars } from '../../../core/json-size.js';
import type { RunRecord } from '../../../run-record.js';

/** A shorter log is folded in about the time that it takes to read its row. */
const FEWEST_EVENTS = 500;
/** The bound of what is kept, in characters of records and bytes of texts. */
const MAX_KEPT = 16 * 1024 * 1024;

/** Writes a record as JSON, in UTF-8. For a long one it must itself yield to the event loop. */
export type EncodeRecord = (record: RunRecord) => Promise<Uint8Array>;

interface Kept {
  /** Seq of the run's last event: a rewind or a resume makes the record another one. */
  readonly seq: number;
  /** Null once its text is there, until the record itself is requested. */
  record: RunRecord | null;
  recordChars: number;
  text: Uint8Array | null;
  /** The text while it is being written, for all who request it in the meantime. */
  encoding: Promise<Uint8Array> | null;
}

/**
 * The records of long runs that have ended, as they were last read: the log of a run that is polled is folded once, and its
 * record written once. Where only the text is needed, as over HTTP, the text is kept in place of the record. Those that were
 * not requested for longest go first; a record that alone exceeds the bound is not kept.
 */
export class EndedRecords {
  private readonly kept = new Map<string, Kept>();
  private size = 0;

  get(runId: string, seq: number): RunRecord | null {
    return this.find(runId, seq)?.record ?? null;
  }

  /** The text of a record that is kept; null where the record has to be read first, or is not one to be kept. */
  text(runId: string, seq: number, encode: EncodeRecord): Promise<Uint8Array> | Uint8Array | null {
    const kept = this.find(runId, seq);
    if (kept === null) return null;
    if (kept.text !== null) return kept.text;
    if (kept.record === null) return kept.encoding;
    kept.encoding ??= this.encode(runId, kept, encode(kept.record));
    return kept.encoding;
  }

  /** Freezes a record that it keeps, since many callers share it. `stateChars`: about how long its state is. */
  put(record: RunRecord, seq: number, stateChars = 0): void {
    if (seq < FEWEST_EVENTS) return;
    const { runId, result, ...rest } = record;
    const text = this.find(runId, seq)?.text ?? null;
    this.drop(runId);
    if (stateChars > MAX_KEPT) return;
    const chars = stateChars + approximateChars({ ...rest, ...result, state: null });
    if (chars > MAX_KEPT) return;
    this.keep(runId, { seq, record: deepFreeze(record), recordChars: chars, text, encoding: null });
  }

  private async encode(runId: string, kept: Kept, encoding: Promise<Uint8Array>): Promise<Uint8Array> {
    try {
      const text = await encoding;
      const isStillKept = this.kept.get(runId) === kept;
      if (isStillKept && text.length <= MAX_KEPT) {
        this.drop(runId);
        this.keep(runId, { seq: kept.seq, record: null, recordChars: 0, text, encoding: null });
      }
      return text;
    } finally {
      kept.encoding = null;
    }
  }

  private find(runId: string, seq: number): Kept | null {
    const kept = this.kept.get(runId);
    if (kept?.seq !== seq) return null;
    this.kept.delete(runId);
    this.kept.set(runId, kept);
    return kept;
  }

  private keep(runId: string, kept: Kept): void {
    this.kept.set(runId, kept);
    this.size += sizeOf(kept);
    for (const oldest of this.kept.keys()) {
      if (this.size <= MAX_KEPT) return;
      this.drop(oldest);
    }
  }

  private drop(runId: string): void {
    const kept = this.kept.get(runId);
    if (kept === undefined) return;
    this.size -= sizeOf(kept);
    this.kept.delete(runId);
  }
}

function sizeOf({ recordChars, text }: Kept): number {
  return recordChars + (text?.length ?? 0);
}
