import { deepFreeze } from '../../../core/freeze.js';
import type { RunRecord } from '../../../run-record.js';

/** A shorter record is built in less time than it takes to wait for another request's. */
const LARGE_CHARS = 64 * 1024;

/** A record, and about how many characters its state holds. */
export interface BuiltRecord {
  readonly record: RunRecord;
  readonly stateChars: number;
}

/**
 * Records that are being built, or still in use: all who request the same one in the meantime are given the same object. A
 * large one lives no longer than the last response that shows it; nothing is kept for later requests.
 */
export class CoalescedRecords {
  private readonly building = new Map<string, Promise<RunRecord>>();
  private readonly inUse = new Map<string, WeakRef<RunRecord>>();
  private readonly forgotten = new FinalizationRegistry<string>((key) => {
    if (this.inUse.get(key)?.deref() === undefined) this.inUse.delete(key);
  });

  /** The record of the run as it is after event `seq`; `build` is called where it is neither in use nor being built. */
  get(runId: string, seq: number, build: () => Promise<BuiltRecord>): Promise<RunRecord> {
    const key = `${runId}:${seq}`;
    const used = this.inUse.get(key)?.deref();
    if (used !== undefined) return Promise.resolve(used);
    const begun = this.building.get(key);
    if (begun !== undefined) return begun;
    const record = this.build(key, build);
    this.building.set(key, record);
    return record;
  }

  private async build(key: string, build: () => Promise<BuiltRecord>): Promise<RunRecord> {
    try {
      const { record, stateChars } = await build();
      // What is in the state is frozen already.
      if (record.result !== undefined) Object.freeze(record.result.state);
      deepFreeze(record);
      if (stateChars <= LARGE_CHARS) return record;
      this.inUse.set(key, new WeakRef(record));
      this.forgotten.register(record, key);
      return record;
    } finally {
      this.building.delete(key);
    }
  }
}
