import type { CrashCounts, CrashJournal } from '../../../engine/ports/store/crash-journal.js';
import { numberOf, textOf } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { isRunId } from '../lists/run-ids.js';
import { bytesOf } from '../lists/shard-bytes.js';
import { byTimers, MarkFlush, type Later } from './mark-flush.js';

export type MarkAtRiskRequest = Parameters<CrashJournal['markAtRisk']>[0];
export type DeathsLeftBehindRequest = Parameters<CrashJournal['deathsLeftBehind']>[0];

/** What the process does with a run: reads it (`load`), or decides on a signal to it (`turn`). */
type Doing = MarkAtRiskRequest['doing'];

/** Marks that one statement writes. */
const AT_ONCE = 1_000;

/** The row of a run that counts its deaths; its replica is the one whose death was counted last. */
const COUNT = `'died'`;

/** A replica is alive whose death was counted: it takes it back. `$1` the replica. */
const TAKE_BACK = `
  UPDATE @.risk_marks AS c SET deaths = c.deaths - 1, replica = ''
  WHERE c.doing = ${COUNT} AND c.replica = $1::text AND c.deaths > 0`;

/**
 * `$1` this replica, then the marks that it makes, those that it removes, and runs whose counts are deleted. What another one has
 * taken is not its own.
 */
const WRITE = `
  WITH begun AS (
    INSERT INTO @.risk_marks (run_id, doing, last_seq, deaths, shard_byte, replica)
    SELECT b.run_id, b.doing, b.last_seq, 0, get_byte(uuid_send(b.run_id), 15), $1::text
    FROM unnest($2::uuid[], $3::text[], $4::bigint[]) AS b (run_id, doing, last_seq)
    ON CONFLICT (run_id, doing) DO UPDATE SET last_seq = excluded.last_seq, replica = excluded.replica
  ), ended AS (
    DELETE FROM @.risk_marks AS m USING unnest($5::uuid[], $6::text[]) AS e (run_id, doing)
    WHERE m.run_id = e.run_id AND m.doing = e.doing AND m.replica = $1::text
  ), counts AS (
    DELETE FROM @.risk_marks AS c WHERE c.doing = ${COUNT} AND c.run_id = ANY ($7::uuid[])
  )
  ${TAKE_BACK} AND c.run_id <> ALL ($7::uuid[])`;

/**
 * Counts a death for each run that another replica has marked, in one row, whatever it was doing there: one more where the run is at
 * the seq of the death before, else the first. The marks go with that. `$1` this replica, `$2` the last bytes of ids.
 */
const COUNT_DEATHS = `
  WITH begun AS (
    DELETE FROM @.risk_marks
    WHERE shard_byte = ANY ($2::smallint[]) AND doing <> ${COUNT} AND replica <> $1::text
    RETURNING run_id, last_seq, shard_byte, replica
  ), newest AS (
    SELECT DISTINCT ON (begun.run_id) begun.run_id, begun.last_seq, begun.shard_byte, begun.replica
    FROM begun ORDER BY begun.run_id, begun.last_seq DESC
  )
  INSERT INTO @.risk_marks AS c (run_id, doing, last_seq, deaths, shard_byte, replica)
  SELECT newest.run_id, ${COUNT}, newest.last_seq, 1, newest.shard_byte, newest.replica FROM newest
  ON CONFLICT (run_id, doing) DO UPDATE SET
    deaths = CASE WHEN c.last_seq = excluded.last_seq THEN c.deaths + 1 ELSE 1 END,
    last_seq = excluded.last_seq, replica = excluded.replica
  RETURNING c.run_id, c.last_seq, c.deaths`;

const FORGET = `DELETE FROM @.risk_marks WHERE replica = $1::text AND doing <> ${COUNT}`;

interface RiskMark {
  readonly runId: string;
  readonly doing: Doing;
  readonly lastSeq: number;
}

/**
 * The runs whose processing may kill this replica, and how often in a row replicas died in each, as rows of an unlogged table.
 * Whoever is about to run a risk waits until its mark is there, so marks are written at once, and removed a moment later.
 *
 * 1. A death counts for each run that was marked; if its seq differs from that of the death before, something of the run was
 *    appended, and the death is the first again.
 * 2. Only a turn that came to its end, or an append, resets the count: a run that can be read may kill the process all the same.
 * 3. A replica that stood still, and was taken for dead, takes its death back with what it writes next.
 */
export class RiskMarks {
  private readonly open = new Map<string, RiskMark>();
  /** What may be there of this replica. */
  private readonly stored = new Map<string, RiskMark>();
  private readonly changed = new Set<string>();
  /** Runs whose count may be there, as far as this replica has to do with it. */
  private readonly counted = new Set<string>();
  /** Runs whose count is to be deleted. */
  private readonly cleared = new Set<string>();
  private readonly flush: MarkFlush;

  constructor(
    private readonly query: Query,
    private readonly replica: string,
    later: Later = byTimers,
  ) {
    this.flush = new MarkFlush(() => this.write(), later);
  }

  /** Resolves when it is recorded, or could not be; returns nothing where there is nothing to record. Never rejects. */
  mark({ runId, doing, lastSeq }: MarkAtRiskRequest): void | Promise<void> {
    if (!isRunId(runId)) return;
    return lastSeq === null ? this.end(runId, doing) : this.begin({ runId, doing, lastSeq });
  }

  /** How often, in a row, replicas died in runs of these shards, as far as they left marks since anybody asked last. */
  async leftBehind({ shards }: DeathsLeftBehindRequest): Promise<readonly CrashCounts[]> {
    await this.query(TAKE_BACK, [this.replica]);
    const rows = await this.query(COUNT_DEATHS, [this.replica, bytesOf(shards)]);
    const counts = rows.map((columns) => ({
      runId: textOf(columns, 'run_id'),
      lastSeq: numberOf(columns, 'last_seq'),
      deaths: numberOf(columns, 'deaths'),
    }));
    for (const { runId } of counts) this.counted.add(runId);
    return counts;
  }

  /** Throws a `StoreError` while marks cannot be written. */
  verify(): Promise<void> {
    return this.flush.verify();
  }

  /** To be called at a clean shutdown. Counts stay: they are the runs', whoever owns those next. Rejects where it cannot be done. */
  async forget(): Promise<void> {
    await this.flush.stop();
    this.open.clear();
    this.changed.clear();
    this.cleared.clear();
    if (this.stored.size > 0) await this.query(FORGET, [this.replica]);
    this.stored.clear();
  }

  private begin(mark: RiskMark): void | Promise<void> {
    const key = keyOf(mark);
    // What is being written may be there, or not: then it is written again.
    const isRecorded =
      this.stored.get(key)?.lastSeq === mark.lastSeq && !this.changed.has(key) && !this.flush.isWriting;
    this.open.set(key, mark);
    if (isRecorded) return;
    this.changed.add(key);
    return this.flush.noted({ isUrgent: true });
  }

  private end(runId: string, doing: Doing): void | Promise<void> {
    const key = keyOf({ runId, doing });
    const mayBeStored = this.stored.has(key);
    this.open.delete(key);
    if (mayBeStored) this.changed.add(key);
    else this.changed.delete(key);
    // Whoever marked the run may have a count there, of which nobody has told it.
    if (doing === 'turn' && (this.counted.delete(runId) || mayBeStored)) this.cleared.add(runId);
    if (this.changed.size + this.cleared.size > 0) return this.flush.noted({ isUrgent: false });
  }

  /** What is noted meanwhile is left to the next time. */
  private async write(): Promise<void> {
    const keys = [...this.changed];
    const cleared = [...this.cleared];
    this.changed.clear();
    this.cleared.clear();
    for (let first = 0; first < Math.max(keys.length, cleared.length); first += AT_ONCE) {
      const end = first + AT_ONCE;
      try {
        await this.writeSome(keys.slice(first, end), cleared.slice(first, end));
      } catch (error) {
        for (const key of keys.slice(first)) this.changed.add(key);
        for (const runId of cleared.slice(first)) this.cleared.add(runId);
        throw error;
      }
    }
  }

  private async writeSome(keys: readonly string[], cleared: readonly string[]): Promise<void> {
    const begun: RiskMark[] = [];
    const ended: RiskMark[] = [];
    for (const key of keys) {
      const mark = this.open.get(key);
      const known = this.stored.get(key);
      if (mark !== undefined) begun.push(mark);
      else if (known !== undefined) ended.push(known);
    }
    if (begun.length + ended.length + cleared.length === 0) return;
    // Before it is written: nobody knows what a write without an answer has done.
    for (const mark of begun) this.stored.set(keyOf(mark), mark);
    await this.query(WRITE, [
      this.replica,
      begun.map(({ runId }) => runId),
      begun.map(({ doing }) => doing),
      begun.map(({ lastSeq }) => lastSeq),
      ended.map(({ runId }) => runId),
      ended.map(({ doing }) => doing),
      cleared,
    ]);
    for (const mark of ended) this.stored.delete(keyOf(mark));
  }
}

function keyOf({ runId, doing }: Pick<RiskMark, 'runId' | 'doing'>): string {
  return `${doing} ${runId}`;
}
