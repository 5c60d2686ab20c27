import type { RunEvent } from '../../engine/core/event.js';
import type {
  AppendRequest,
  AppendResult,
  IdempotencyRecord,
  LoadedRun,
  LogEntry,
  RunRow,
  RunStore,
  StoredDefinition,
  StoredState,
} from '../../engine/ports/run-store.js';

interface StoredRun {
  row: RunRow;
  readonly events: RunEvent[];
  states: StoredState[];
}

export interface InMemoryRunStoreOptions {
  /** Ended runs beyond this many go, those that ended first before the others. Default 10,000. */
  readonly maxEndedRuns?: number;
}

const APPENDED: Promise<AppendResult> = Promise.resolve('appended');
const CONFLICT: Promise<AppendResult> = Promise.resolve('conflict');

/** Keeps runs as long as the process lives: references, no copies, since events are never changed. */
export class InMemoryRunStore implements RunStore {
  private readonly runs = new Map<string, StoredRun>();
  private readonly ended = new Set<string>();
  private readonly definitions = new Map<string, StoredDefinition>();
  private readonly idempotency = new Map<string, IdempotencyRecord>();
  private readonly cursors = new Map<string, number>();
  /** Appends in order; the first one has the position `firstPosition`. */
  private entries: LogEntry[] = [];
  private position = 0;
  private readonly maxEndedRuns: number;

  constructor({ maxEndedRuns = 10_000 }: InMemoryRunStoreOptions = {}) {
    this.maxEndedRuns = maxEndedRuns;
  }

  async open(): Promise<void> {}

  append({ runId, expectedSeq, events, row, storedState, idempotency }: AppendRequest): Promise<AppendResult> {
    const run = this.runs.get(runId);
    if ((run?.events.length ?? 0) !== expectedSeq) return CONFLICT;
    if (idempotency.some((record) => this.idempotency.has(keyOf(record)))) return CONFLICT;
    for (const record of idempotency) this.idempotency.set(keyOf(record), record);
    if (run === undefined) {
      this.runs.set(runId, { row, events: [...events], states: storedState === null ? [] : [storedState] });
    } else {
      run.row = row;
      for (const event of events) run.events.push(event);
      if (storedState !== null) run.states.push(storedState);
    }
    this.entries.push({ position: ++this.position, runId, workflowId: row.workflowId, events });
    this.noteEnd(row);
    return APPENDED;
  }

  async load({ runId, atSeq }: { runId: string; atSeq: number | null }): Promise<LoadedRun | null> {
    const run = this.runs.get(runId);
    if (run === undefined) return null;
    const until = atSeq ?? run.events.length;
    const storedState = run.states.findLast(({ seq }) => seq <= until) ?? null;
    return { row: run.row, storedState, events: run.events.slice(storedState?.seq ?? 0, until) };
  }

  async readRow({ runId }: { runId: string }): Promise<RunRow | null> {
    return this.runs.get(runId)?.row ?? null;
  }

  async readEvents(request: { runId: string; afterSeq: number; limit: number }): Promise<readonly RunEvent[]> {
    const { runId, afterSeq, limit } = request;
    return this.runs.get(runId)?.events.slice(Math.max(0, afterSeq), Math.max(0, afterSeq) + limit) ?? [];
  }

  async listRuns(request: Parameters<RunStore['listRuns']>[0]): Promise<readonly RunRow[]> {
    const { workflowId, status, before, limit } = request;
    return [...this.runs.values()]
      .map(({ row }) => row)
      .filter((row) => (workflowId ?? row.workflowId) === row.workflowId && (status ?? row.status) === row.status)
      .filter((row) => before === null || isOlder(row, before))
      .sort((a, b) => (isOlder(a, b) ? 1 : -1))
      .slice(0, limit);
  }

  async listUnfinished(request: { afterRunId: string | null; limit: number }): Promise<readonly RunRow[]> {
    const { afterRunId, limit } = request;
    return [...this.runs.values()]
      .map(({ row }) => row)
      .filter(({ endedAt, openExecutions, wakeAt }) => endedAt === null && (openExecutions > 0 || wakeAt !== null))
      .filter(({ runId }) => afterRunId === null || runId > afterRunId)
      .sort((a, b) => (a.runId < b.runId ? -1 : 1))
      .slice(0, limit);
  }

  async saveDefinition(definition: StoredDefinition): Promise<void> {
    this.definitions.set(definition.hash, definition);
  }

  async readDefinition({ hash }: { hash: string }): Promise<StoredDefinition | null> {
    return this.definitions.get(hash) ?? null;
  }

  async readIdempotency(request: { scope: string; key: string }): Promise<IdempotencyRecord | null> {
    return this.idempotency.get(keyOf(request)) ?? null;
  }

  async readAll({ afterPosition, limit }: { afterPosition: number; limit: number }): Promise<readonly LogEntry[]> {
    const start = this.indexAfter(afterPosition);
    return this.entries.slice(start, start + limit);
  }

  async readCursor({ name }: { name: string }): Promise<number> {
    return this.cursors.get(name) ?? 0;
  }

  /** Entries that every follower has read are dropped: nobody asks for them again. */
  async writeCursor({ name, position }: { name: string; position: number }): Promise<void> {
    this.cursors.set(name, position);
    const read = this.indexAfter(Math.min(...this.cursors.values()));
    if (read > this.entries.length / 2) this.entries = this.entries.slice(read);
  }

  async purgeEnded(request: { endedBefore: number; limit: number }): Promise<readonly string[]> {
    const purged: string[] = [];
    for (const runId of this.ended) {
      if (purged.length >= request.limit) break;
      const endedAt = this.runs.get(runId)?.row.endedAt ?? null;
      if (endedAt === null || endedAt >= request.endedBefore) continue;
      this.forget(runId);
      purged.push(runId);
    }
    return purged;
  }

  async check(): Promise<void> {}

  async close(): Promise<void> {}

  private noteEnd({ runId, endedAt }: RunRow): void {
    if (endedAt === null) {
      this.ended.delete(runId);
      return;
    }
    this.ended.add(runId);
    if (this.ended.size <= this.maxEndedRuns) return;
    for (const oldest of this.ended) {
      this.forget(oldest);
      return;
    }
  }

  private forget(runId: string): void {
    this.runs.delete(runId);
    this.ended.delete(runId);
  }

  /** The index of the first entry after a position, by bisection. */
  private indexAfter(position: number): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.entries[middle]?.position ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function keyOf({ scope, key }: { readonly scope: string; readonly key: string }): string {
  return `${scope}\n${key}`;
}

function isOlder(a: { createdAt: number; runId: string }, b: { createdAt: number; runId: string }): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.runId < b.runId);
}
