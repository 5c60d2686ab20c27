import type { CallMark, CrashJournal } from '../../../engine/ports/store/crash-journal.js';
import { isInShards } from '../../../engine/ports/store/in-shards.js';
import { numberOf, textOf } from '../database/columns.js';
import type { Columns, Query } from '../database/database.js';
import { isRunId } from '../lists/run-ids.js';
import { bytesOf } from '../lists/shard-bytes.js';
import { byTimers, MarkFlush, type Later } from './mark-flush.js';

export type MarkCallsRequest = Parameters<CrashJournal['markCalls']>[0];
export type CallsLeftBehindRequest = Parameters<CrashJournal['callsLeftBehind']>[0];

/** Marks that one statement writes. */
const AT_ONCE = 1_000;

/** `$1` this replica, then the marks that it makes, and those that it removes: what another one has taken is not its own. */
const WRITE = `
  WITH begun AS (
    INSERT INTO @.call_marks (run_id, execution_id, attempt, shard_byte, replica)
    SELECT b.run_id, b.execution_id, b.attempt, get_byte(uuid_send(b.run_id), 15), $1::text
    FROM unnest($2::uuid[], $3::bigint[], $4::integer[]) AS b (run_id, execution_id, attempt)
    ON CONFLICT (run_id, execution_id, attempt) DO UPDATE SET replica = excluded.replica
  )
  DELETE FROM @.call_marks AS m USING unnest($5::uuid[], $6::bigint[], $7::integer[]) AS e (run_id, execution_id, attempt)
  WHERE m.run_id = e.run_id AND m.execution_id = e.execution_id AND m.attempt = e.attempt AND m.replica = $1::text`;

const READ_OTHERS = `
  SELECT run_id, execution_id, attempt FROM @.call_marks WHERE shard_byte = ANY ($2::smallint[]) AND replica <> $1::text`;

/** Handed over with the answer: nobody is answered the same mark again. */
const TAKE_OTHERS = `
  DELETE FROM @.call_marks WHERE shard_byte = ANY ($2::smallint[]) AND replica <> $1::text
  RETURNING run_id, execution_id, attempt`;

const FORGET = 'DELETE FROM @.call_marks WHERE replica = $1::text';

/**
 * The calls of units that this replica has begun and that are not over, as rows of an unlogged table. They are written every 50 ms:
 * a call that is over before that leaves nothing there.
 *
 * 1. What is to be in the table follows from `open`; what may be there of this replica is in `stored`. A write brings the two
 *    together, as far as they were changed.
 * 2. There are no more entries than calls that have not ended, and rows that are not removed yet.
 */
export class CallMarks {
  private readonly open = new Map<string, CallMark>();
  private readonly stored = new Map<string, CallMark>();
  private readonly changed = new Set<string>();
  /** Marks of others that were taken, or not: there was no answer. */
  private readonly maybeTaken = new Map<string, CallMark>();
  private readonly flush: MarkFlush;

  constructor(
    private readonly query: Query,
    private readonly replica: string,
    later: Later = byTimers,
  ) {
    this.flush = new MarkFlush(() => this.write(), later);
  }

  /** Resolves when it is recorded, or could not be. Never rejects. */
  mark({ begun, ended }: MarkCallsRequest): void | Promise<void> {
    for (const mark of begun) {
      if (!isRunId(mark.runId)) continue;
      const key = keyOf(mark);
      this.open.set(key, mark);
      this.changed.add(key);
    }
    for (const mark of ended) {
      const key = keyOf(mark);
      if (!this.open.delete(key)) continue;
      if (this.stored.has(key)) this.changed.add(key);
      else this.changed.delete(key);
    }
    if (this.changed.size > 0) return this.flush.noted({ isUrgent: false });
  }

  /**
   * The calls of other replicas that have begun and are not over, of runs in these shards. They are read before they are taken, so that
   * an answer that is lost is made up for when it is asked again.
   */
  async leftBehind({ shards }: CallsLeftBehindRequest): Promise<readonly CallMark[]> {
    const values = [this.replica, bytesOf(shards)];
    const others = (await this.query(READ_OTHERS, values)).map(markOf);
    const before = [...this.maybeTaken.values()].filter(({ runId }) => isInShards(shards, runId));
    if (others.length === 0 && before.length === 0) return [];
    for (const mark of others) this.maybeTaken.set(keyOf(mark), mark);
    const taken = (await this.query(TAKE_OTHERS, values)).map(markOf);
    for (const mark of [...others, ...before]) this.maybeTaken.delete(keyOf(mark));
    return [...new Map([...before, ...taken].map((mark) => [keyOf(mark), mark])).values()];
  }

  /** Throws a `StoreError` while marks cannot be written. */
  verify(): Promise<void> {
    return this.flush.verify();
  }

  /** To be called when every call is over. Rejects where the marks cannot be removed. */
  async forget(): Promise<void> {
    await this.flush.stop();
    this.open.clear();
    this.changed.clear();
    if (this.stored.size > 0) await this.query(FORGET, [this.replica]);
    this.stored.clear();
  }

  /** What is noted meanwhile is left to the next time. */
  private async write(): Promise<void> {
    const keys = [...this.changed];
    this.changed.clear();
    for (let first = 0; first < keys.length; first += AT_ONCE) {
      try {
        await this.writeSome(keys.slice(first, first + AT_ONCE));
      } catch (error) {
        for (const key of keys.slice(first)) this.changed.add(key);
        throw error;
      }
    }
  }

  private async writeSome(keys: readonly string[]): Promise<void> {
    const begun: CallMark[] = [];
    const ended: CallMark[] = [];
    for (const key of keys) {
      const mark = this.open.get(key);
      const known = this.stored.get(key);
      if (mark !== undefined) begun.push(mark);
      else if (known !== undefined) ended.push(known);
    }
    if (begun.length + ended.length === 0) return;
    // Before it is written: nobody knows what a write without an answer has done.
    for (const mark of begun) this.stored.set(keyOf(mark), mark);
    await this.query(WRITE, [this.replica, ...columnsOf(begun), ...columnsOf(ended)]);
    for (const mark of ended) this.stored.delete(keyOf(mark));
  }
}

function markOf(columns: Columns): CallMark {
  return {
    runId: textOf(columns, 'run_id'),
    executionId: numberOf(columns, 'execution_id'),
    attempt: numberOf(columns, 'attempt'),
  };
}

function columnsOf(marks: readonly CallMark[]) {
  return [
    marks.map(({ runId }) => runId),
    marks.map(({ executionId }) => executionId),
    marks.map(({ attempt }) => attempt),
  ] as const;
}

function keyOf({ runId, executionId, attempt }: CallMark): string {
  return `${executionId} ${attempt} ${runId}`;
}
