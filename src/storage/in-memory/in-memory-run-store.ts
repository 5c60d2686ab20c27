import { StoreError } from '../../errors/service-errors.js';
import type { RunEvent } from '../../engine/core/log/event.js';
import type {
  AppendRequest,
  AppendResult,
  IdempotencyRecord,
  LoadedRun,
  LogEntry,
  RunRow,
  RunStore,
  StoredDefinition,
} from '../../engine/ports/run-store.js';
import { AppendLog } from './append-log.js';
import { RunsByAge } from './runs-by-age.js';
import { StoredRun } from './stored-run.js';

export interface InMemoryRunStoreOptions {
  /** Ended runs beyond this many go, those that ended first before the others. Default 10,000. */
  readonly maxEndedRuns?: number;
}

type Request<Method extends keyof RunStore> = Parameters<RunStore[Method]>[0];

const APPENDED: Promise<AppendResult> = Promise.resolve('appended');
const CONFLICT: Promise<AppendResult> = Promise.resolve('conflict');

/**
 * Keeps runs as long as the process lives. It holds what it is given by reference and hands out the same
 * references: events, rows and states are readonly. An append costs about a microsecond.
 */
export class InMemoryRunStore implements RunStore {
  private readonly runs = new Map<string, StoredRun>();
  private readonly byAge = new RunsByAge();
  /** In the order in which they ended. */
  private readonly ended = new Set<StoredRun>();
  /** Stays where it is between calls: from the front it would pass over all that was deleted before. */
  private readonly oldestEnded = this.ended.values();
  private readonly unfinished = new Set<StoredRun>();
  private readonly log = new AppendLog();
  private readonly definitions = new Map<string, StoredDefinition>();
  private readonly idempotency = new Map<string, IdempotencyRecord>();
  private readonly cursors = new Map<string, number>();
  private readonly maxEndedRuns: number;
  private isClosed = false;

  constructor({ maxEndedRuns = 10_000 }: InMemoryRunStoreOptions = {}) {
    this.maxEndedRuns = maxEndedRuns;
  }

  async open(): Promise<void> {
    this.refuseIfClosed();
  }

  append(request: AppendRequest): Promise<AppendResult> {
    if (this.isClosed) return Promise.reject(closedError());
    const { runId, expectedSeq, events, row, idempotency } = request;
    const known = this.runs.get(runId);
    if ((known?.lastSeq ?? 0) !== expectedSeq) return CONFLICT;
    if (idempotency.some((record) => this.idempotency.has(keyOf(record)))) return CONFLICT;
    const run = known ?? new StoredRun(row);
    run.append(request);
    if (known === undefined) {
      this.runs.set(runId, run);
      this.byAge.add(run);
    }
    for (const record of idempotency) this.remember(record);
    this.log.push(run, events);
    this.classify(run);
    return APPENDED;
  }

  async load({ runId, atSeq }: Request<'load'>): Promise<LoadedRun | null> {
    this.refuseIfClosed();
    return this.runs.get(runId)?.load(atSeq) ?? null;
  }

  async readRow({ runId }: Request<'readRow'>): Promise<RunRow | null> {
    this.refuseIfClosed();
    return this.runs.get(runId)?.row ?? null;
  }

  async readEvents({ runId, afterSeq, limit }: Request<'readEvents'>): Promise<readonly RunEvent[]> {
    this.refuseIfClosed();
    return this.runs.get(runId)?.eventsAfter(afterSeq, limit) ?? [];
  }

  async listRuns({ workflowId, status, before, limit }: Request<'listRuns'>): Promise<readonly RunRow[]> {
    this.refuseIfClosed();
    const rows: RunRow[] = [];
    for (const { row } of this.byAge.olderThan(before)) {
      if (rows.length >= limit) break;
      if (workflowId !== null && row.workflowId !== workflowId) continue;
      if (status === null || row.status === status) rows.push(row);
    }
    return rows;
  }

  async listUnfinished({ afterRunId, limit }: Request<'listUnfinished'>): Promise<readonly RunRow[]> {
    this.refuseIfClosed();
    return [...this.unfinished]
      .map(({ row }) => row)
      .filter(({ runId }) => afterRunId === null || runId > afterRunId)
      .sort((a, b) => (a.runId < b.runId ? -1 : 1))
      .slice(0, limit);
  }

  async saveDefinition(definition: StoredDefinition): Promise<void> {
    this.refuseIfClosed();
    this.definitions.set(definition.hash, definition);
  }

  async readDefinition({ hash }: Request<'readDefinition'>): Promise<StoredDefinition | null> {
    this.refuseIfClosed();
    return this.definitions.get(hash) ?? null;
  }

  async readIdempotency(request: Request<'readIdempotency'>): Promise<IdempotencyRecord | null> {
    this.refuseIfClosed();
    return this.idempotency.get(keyOf(request)) ?? null;
  }

  async readAll({ afterPosition, limit }: Request<'readAll'>): Promise<readonly LogEntry[]> {
    this.refuseIfClosed();
    return this.log.after(afterPosition, limit);
  }

  async readCursor({ name }: Request<'readCursor'>): Promise<number> {
    this.refuseIfClosed();
    return this.cursors.get(name) ?? 0;
  }

  async writeCursor({ name, position }: Request<'writeCursor'>): Promise<void> {
    this.refuseIfClosed();
    this.cursors.set(name, position);
  }

  async purgeEnded({ endedBefore, limit }: Request<'purgeEnded'>): Promise<readonly string[]> {
    this.refuseIfClosed();
    const purged = [...this.ended]
      .filter(({ row }) => endedAtOf(row) < endedBefore)
      .sort((a, b) => endedAtOf(a.row) - endedAtOf(b.row) || (a.row.runId < b.row.runId ? -1 : 1))
      .slice(0, limit);
    for (const run of purged) this.forget(run);
    return purged.map(({ row }) => row.runId);
  }

  async check(): Promise<void> {
    this.refuseIfClosed();
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  /** Which sweep must see the run; and the oldest ended run goes once there are too many. */
  private classify(run: StoredRun): void {
    const { endedAt, openExecutions, wakeAt } = run.row;
    if (endedAt === null) {
      this.ended.delete(run);
      if (openExecutions > 0 || wakeAt !== null) this.unfinished.add(run);
      else this.unfinished.delete(run);
      return;
    }
    this.unfinished.delete(run);
    this.ended.add(run);
    if (this.ended.size <= this.maxEndedRuns) return;
    const oldest = this.oldestEnded.next();
    if (oldest.done !== true) this.forget(oldest.value);
  }

  private forget(run: StoredRun): void {
    this.runs.delete(run.row.runId);
    this.ended.delete(run);
    this.log.forget(run);
    this.byAge.forget();
    for (const key of run.idempotencyKeys) this.idempotency.delete(key);
  }

  private remember(record: IdempotencyRecord): void {
    const key = keyOf(record);
    this.idempotency.set(key, record);
    this.runs.get(record.runId)?.idempotencyKeys.push(key);
  }

  private refuseIfClosed(): void {
    if (this.isClosed) throw closedError();
  }
}

function closedError(): StoreError {
  return new StoreError('The store is closed: open a new one');
}

function endedAtOf({ endedAt }: RunRow): number {
  return endedAt ?? Infinity;
}

function keyOf({ scope, key }: { readonly scope: string; readonly key: string }): string {
  return `${scope}\n${key}`;
}
