import type { AppendRequest, AppendResult, LogEntry, RunRow, RunStore } from '../ports/run-store.js';

type Request<Method extends keyof RunStore> = Parameters<RunStore[Method]>[0];

/** What followers and retention use of a store. */
export type LogStore = Pick<
  RunStore,
  | 'append'
  | 'readAll'
  | 'lastPosition'
  | 'readCursor'
  | 'writeCursor'
  | 'purgeEnded'
  | 'dropTombstones'
  | 'readRow'
>;

/** The log of a store and nothing else, in memory, for tests of those who follow it. */
export class LogOnlyStore implements LogStore {
  private entries: LogEntry[] = [];
  private position = 0;
  private readonly rows = new Map<string, RunRow>();
  private readonly cursors = new Map<string, number>();

  async append({ events, row }: AppendRequest): Promise<AppendResult> {
    this.rows.set(row.runId, row);
    this.enter(row, (entry) => ({ ...entry, kind: 'appended', events }));
    return 'appended';
  }

  async readRow({ runId }: Request<'readRow'>): Promise<RunRow | null> {
    return this.rows.get(runId) ?? null;
  }

  async readAll({ afterPosition, limit }: Request<'readAll'>): Promise<readonly LogEntry[]> {
    const first = this.entries.findIndex(({ position }) => position > afterPosition);
    return first === -1 ? [] : this.entries.slice(first, first + limit);
  }

  async lastPosition(): Promise<number> {
    return this.position;
  }

  async readCursor({ name }: Request<'readCursor'>): Promise<number> {
    return this.cursors.get(name) ?? 0;
  }

  async writeCursor({ name, position }: Request<'writeCursor'>): Promise<void> {
    this.cursors.set(name, position);
  }

  async purgeEnded(request: Request<'purgeEnded'>): Promise<readonly string[]> {
    const { endedBefore, throughPosition, limit } = request;
    const isRead = ({ runId }: RunRow): boolean =>
      !this.entries.some((entry) => entry.runId === runId && entry.position > (throughPosition ?? Infinity));
    const purged = [...this.rows.values()]
      .filter((row) => row.endedAt !== null && row.endedAt < endedBefore && isRead(row))
      .slice(0, limit);
    for (const row of purged) {
      this.rows.delete(row.runId);
      this.entries = this.entries.filter(({ runId }) => runId !== row.runId);
      this.enter(row, (entry) => ({ ...entry, kind: 'purged' }));
    }
    return purged.map(({ runId }) => runId);
  }

  async dropTombstones({ throughPosition }: Request<'dropTombstones'>): Promise<void> {
    this.entries = this.entries.filter(
      ({ kind, position }) => kind === 'appended' || position > throughPosition,
    );
  }

  private enter(
    { runId, namespace, workflowId }: RunRow,
    complete: (entry: Pick<LogEntry, 'position' | 'runId' | 'namespace' | 'workflowId'>) => LogEntry,
  ): void {
    this.position += 1;
    this.entries.push(complete({ position: this.position, runId, namespace, workflowId }));
  }
}
