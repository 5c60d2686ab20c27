import type { StoredKey } from '../../../engine/ports/access/access-store.js';
import type { AuditRow } from '../../../engine/ports/audit/audit-act.js';
import type { StoredEvent } from '../../../engine/ports/store/append.js';
import type { LogEntry } from '../../../engine/ports/store/commit-log.js';
import type { Registration } from '../../../engine/ports/store/definition-store.js';
import type { RunRow } from '../../../engine/ports/store/run-row.js';
import { inSlices } from '../../../engine/scheduling/slice.js';
import type { Connection } from '../connection/connection.js';
import type { ReadPoint } from './read-point.js';
import type { HasLiveManagerRequest, ListKeysRequest } from '../operations/access/keys.js';
import type { ListActsRequest, ReadActsAfterRequest } from '../operations/audit/read-acts.js';
import { listUnindexed } from '../operations/append/open-gates.js';
import {
  listDue,
  listUnfinished,
  type ListDueRequest,
  type ListUnfinishedRequest,
} from '../operations/lists/list-runs.js';
import { checkRuns } from '../operations/log/read-run.js';
import type { CountOpenRunsRequest, UnfinishedTotals } from '../operations/lists/count-standing.js';
import type { FindRunsRequest, FoundRuns } from '../operations/lists/find-runs.js';
import type { CountOpenGatesRequest, ListedGates, ListGatesRequest } from '../operations/lists/list-gates.js';
import type { Changes, ReadChangesRequest } from '../operations/lists/read-changes.js';
import type { ListRegistrationsRequest } from '../operations/definitions/registrations.js';
import type { UnregisteredDefinition } from '../operations/definitions/unused-definitions.js';
import { lastPosition, type LogColumns, type ReadLogRequest } from '../operations/log/read-log.js';
import type { WorkerThread } from '../threads/worker-thread.js';
import { joinJson, type JsonPieces } from '../threads/json-pieces.js';
import type { LargeText, Scan, ScanResult } from './scan.js';
import { Semaphore } from '../../../engine/scheduling/semaphore.js';

/**
 * The scans of the reader thread, with the types of their results. Whether there is anything to read at all is asked on the
 * calling thread where one key of an index tells: a service that is at rest, or has just started, needs no reader.
 */
export class Scanner {
  private readonly lists = new Semaphore(1);

  constructor(
    private readonly reader: WorkerThread<Scan, ScanResult>,
    /** Splits large texts, so that no other scan waits for that. */
    private readonly large: WorkerThread<Scan, ScanResult>,
    private readonly read: ReadPoint,
  ) {}

  async findRuns(request: FindRunsRequest): Promise<FoundRuns> {
    const result = await this.lists.run(
      () => this.reader.call({ kind: 'find-runs', request }),
      turnOf(request),
    );
    return result.kind === 'found-runs' ? result.found : { runs: [], next: null };
  }

  async listGates(request: ListGatesRequest): Promise<ListedGates> {
    const result = await this.lists.run(
      () => this.reader.call({ kind: 'list-gates', request }),
      turnOf(request),
    );
    return result.kind === 'gates' ? result.found : { gates: [], next: null };
  }

  async countOpenGates(request: CountOpenGatesRequest): Promise<number> {
    const result = await this.lists.run(
      () => this.reader.call({ kind: 'count-open-gates', request }),
      turnOf(request),
    );
    return result.kind === 'count' ? result.count : 0;
  }

  async countOpenRuns(request: CountOpenRunsRequest): Promise<number> {
    const result = await this.reader.call({ kind: 'count-open-runs', request });
    return result.kind === 'count' ? result.count : 0;
  }

  async countStanding(): Promise<UnfinishedTotals> {
    const result = await this.lists.run(() => this.reader.call({ kind: 'count-standing' }));
    return result.kind === 'standing' ? result.totals : { pending: 0, running: 0, paused: 0, openGates: 0 };
  }

  async readChanges(request: ReadChangesRequest): Promise<Changes> {
    const result = await this.reader.call({ kind: 'read-changes', request });
    return result.kind === 'changes' ? result.changes : [];
  }

  async listUnfinished(request: ListUnfinishedRequest): Promise<readonly RunRow[]> {
    if (request.lanes === null && this.isNone((points) => listUnfinished(points, { ...request, limit: 1 })))
      return [];
    return this.rows({ kind: 'list-unfinished', request });
  }

  async listDue(request: ListDueRequest): Promise<readonly RunRow[]> {
    const { lanes, after } = request;
    if (lanes === null && this.isNone((points) => listDue(points, { ...request, limit: 1 }))) return [];
    const cursor = after === null ? null : { wakeAt: after.wakeAt, runId: after.runId };
    return this.rows({ kind: 'list-due', request: { ...request, after: cursor } });
  }

  async listUnindexed(limit: number): Promise<readonly string[]> {
    if (this.isNone((points) => listUnindexed(points, 1))) return [];
    const result = await this.reader.call({ kind: 'list-unindexed', limit });
    return result.kind === 'run-ids' ? result.runIds : [];
  }

  async listRegistrations(request: ListRegistrationsRequest): Promise<readonly Registration[]> {
    const result = await this.reader.call({ kind: 'list-registrations', request });
    return result.kind === 'registrations' ? result.registrations : [];
  }

  async listKeys(request: ListKeysRequest): Promise<readonly StoredKey[]> {
    const result = await this.reader.call({ kind: 'list-keys', request });
    return result.kind === 'keys' ? result.keys : [];
  }

  async hasLiveManager(request: HasLiveManagerRequest): Promise<boolean> {
    const result = await this.reader.call({ kind: 'has-live-manager', request });
    return result.kind === 'found' && result.isFound;
  }

  async listActs(request: ListActsRequest): Promise<readonly AuditRow[]> {
    const result = await this.lists.run(() => this.reader.call({ kind: 'list-acts', request }));
    return result.kind === 'acts' ? result.acts : [];
  }

  async readActsAfter(request: ReadActsAfterRequest): Promise<readonly AuditRow[]> {
    const result = await this.reader.call({ kind: 'acts-after', request });
    return result.kind === 'acts' ? result.acts : [];
  }

  async definitionsKept(): Promise<{ readonly count: number; readonly size: number }> {
    const result = await this.reader.call({ kind: 'definitions-kept' });
    return result.kind === 'kept' ? result.kept : { count: 0, size: 0 };
  }

  async listUnregistered(request: {
    readonly opening: string | null;
    readonly limit: number;
  }): Promise<readonly UnregisteredDefinition[]> {
    const result = await this.reader.call({ kind: 'list-unregistered', request });
    return result.kind === 'unregistered' ? result.definitions : [];
  }

  async definitionsOfRuns(request: {
    readonly afterRunId: string;
    readonly limit: number;
  }): Promise<{ readonly named: readonly string[]; readonly lastRunId: string | null }> {
    const result = await this.reader.call({ kind: 'definitions-of-runs', request });
    return result.kind === 'named' ? result.page : { named: [], lastRunId: null };
  }

  async readAll(request: ReadLogRequest): Promise<readonly LogEntry[]> {
    if (this.read(lastPosition) <= request.afterPosition) return [];
    const result = await this.reader.call({ kind: 'read-log', request });
    return result.kind === 'log' ? inSlices(entriesOf(result.appends)) : [];
  }

  /** Null: the text no longer exists. */
  async readLarge(request: LargeText): Promise<JsonPieces | null> {
    const result = await this.large.call({ kind: 'read-large', request });
    return result.kind === 'json' ? result.pieces : null;
  }

  /** Verifies that runs can be read. A reader that is busy with a scan can, and one that rests need not begin for this. */
  async check(): Promise<void> {
    if (this.reader.isBusy) return;
    if (this.reader.isAtRest) this.read(checkRuns);
    else await this.reader.call({ kind: 'check' });
  }

  private isNone(first: (points: Connection) => readonly unknown[]): boolean {
    return this.read(first).length === 0;
  }

  private async rows(scan: Scan): Promise<readonly RunRow[]> {
    const result = await this.reader.call(scan);
    return result.kind === 'rows' ? result.rows : [];
  }
}

function* entriesOf(appends: readonly LogColumns[]): Generator<void, readonly LogEntry[], void> {
  const entries: LogEntry[] = [];
  for (const [position, runId, namespace, workflowId, definitionHash, origin, pieces] of appends) {
    const about = { position, runId, namespace, workflowId };
    if (pieces === null || definitionHash === null) entries.push({ kind: 'purged', ...about });
    else {
      const events = (yield* joinJson(pieces)) as unknown as readonly StoredEvent[];
      const imported = origin === 'import' ? ({ isImport: true } as const) : {};
      entries.push({ kind: 'appended', ...about, definitionHash, ...imported, events });
    }
    yield;
  }
  return entries;
}

/** Lists of one namespace wait for one another; those of others come in between. */
function turnOf({ namespace }: { readonly namespace: string }) {
  return { caller: namespace };
}
