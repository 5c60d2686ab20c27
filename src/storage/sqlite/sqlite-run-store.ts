import { randomUUID } from 'node:crypto';
import { StoreError } from '../../errors/service-errors.js';
import type {
  AppendRequest,
  AppendResult,
  IdempotencyRecord,
  StoredEvent,
} from '../../engine/ports/store/append.js';
import { onlyWithTypes, type FamilyEntry, type LogEntry } from '../../engine/ports/store/commit-log.js';
import type { CallMark, CrashCounts } from '../../engine/ports/store/crash-journal.js';
import type { Registration, StoredDefinition } from '../../engine/ports/store/definition-store.js';
import type { OpenGate } from '../../engine/ports/store/gates.js';
import type { LoadedRun } from '../../engine/ports/store/run-log.js';
import type { RunRow } from '../../engine/ports/store/run-row.js';
import type { RunStore, StoreMethod } from '../../engine/ports/store/run-store.js';
import type { Connection } from './connection/connection.js';
import { dataFolder, type DataFolder } from './folder/data-folder.js';
import { openStore, type OpenStore } from './open-store.js';
import { readCursor, writeCursorOperation } from './operations/log/cursors.js';
import { readDefinition, saveDefinitionOperation } from './operations/definitions/definitions.js';
import { dropFamilyLogOperation, readFamilyLog } from './operations/log/family-log.js';
import { readIdempotency } from './operations/append/idempotency.js';
import { readLabels } from './operations/append/labels.js';
import { listChildren, listRunsBelowWithGates } from './operations/lists/list-runs.js';
import { listDefinitions } from './operations/lists/list-definitions.js';
import { readListed } from './operations/lists/listed-run.js';
import { indexRunOperation, listOpenGates } from './operations/append/open-gates.js';
import { countAfter, lastPosition } from './operations/log/read-log.js';
import { readRow } from './operations/log/read-run.js';
import {
  readRegistration,
  registerOperation,
  unregisterOperation,
} from './operations/definitions/registrations.js';
import { PurgeSweep } from './purge-sweep.js';
import { countDescendants, readRoot } from './operations/append/root-runs.js';
import { charsIn, type Operation } from './operations/operation.js';
import { RecentAppends } from './reader/recent-appends.js';
import { RunReads } from './reader/run-reads.js';
import { removeUnusedDefinitions } from './remove-unused-definitions.js';
import type { NotifyCommit, OperationResult } from './writer/group-commit.js';
import { dropTombstonesOperation } from './operations/log/purge-ended.js';
import { appendOperation } from './operations/append/append-operation.js';
import { SqliteAccess } from './sqlite-access.js';
import { SqliteAudit } from './sqlite-audit.js';
import { withAct } from './operations/audit/record-acts.js';

export interface SqliteRunStoreOptions {
  /** The data folder. It is made when it is missing; one process owns it at a time. */
  readonly folder: string;
  /** Where the compiled files of this folder are, ending in `/`. Default: next to this file. */
  readonly workers?: URL;
}

type Request<Method extends StoreMethod> = Parameters<RunStore[Method]>[0];
type BelowRequest = Parameters<NonNullable<RunStore['listRunsBelowWithGates']>>[0];

/**
 * Runs in a SQLite database. Writes are committed in groups by a thread of their own, scans are read by another, what is
 * large by a third, the rest by key on the calling thread. An append that resolved is on the disk (WAL, `synchronous=FULL`).
 * After a failed commit (a full disk) writing continues by itself once the cause is gone.
 */
export class SqliteRunStore implements RunStore {
  readonly access = new SqliteAccess(() => this.store);
  readonly audit = new SqliteAudit(() => this.store);
  private readonly folder: DataFolder;
  private readonly workers: URL;
  private readonly runs = new RunReads({
    read: (operation) => this.read(operation),
    scanner: () => this.store.scanner,
    atRisk: (runId, lastSeq) => this.markAtRisk({ runId, doing: 'load', lastSeq }),
  });
  private readonly sweep = new PurgeSweep((operation) => this.store.commits.submit(operation));
  private readonly recent = new RecentAppends();
  private opened: OpenStore | null = null;
  private notifyCommit: NotifyCommit | null = null;
  private closing: Promise<void> | null = null;

  constructor({ folder, workers = new URL('./', import.meta.url) }: SqliteRunStoreOptions) {
    this.folder = dataFolder(folder);
    this.workers = workers;
  }

  async open(): Promise<{ readonly opening: string }> {
    if (this.opened !== null || this.closing !== null)
      throw new StoreError('The store was opened already: make a new one');
    const opened = await openStore(this.folder, this.workers);
    if (this.notifyCommit !== null) opened.commits.notifyOfCommits(this.notifyCommit);
    if (this.closing === null) this.opened = opened;
    else await opened.close();
    return { opening: randomUUID() };
  }

  tellCommits(notify: NotifyCommit): void {
    this.notifyCommit = notify;
    this.opened?.commits.notifyOfCommits(notify);
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    const operation = appendOperation(request);
    const result = await this.appended(operation, request);
    if (typeof result !== 'number') return result === 'stale' ? 'stale' : 'conflict';
    this.recent.add(request, { position: result, chars: charsIn(operation) });
    return 'appended';
  }

  async load({ runId, atSeq }: Request<'load'>): Promise<LoadedRun | null> {
    return this.runs.load(runId, atSeq);
  }

  async readRow({ runId }: Request<'readRow'>): Promise<RunRow | null> {
    return this.read((points) => readRow(points, runId));
  }

  async readEvents(request: Request<'readEvents'>): Promise<readonly StoredEvent[]> {
    return this.runs.readEvents(request, request.maxChars ?? Infinity);
  }

  async findRuns(request: Request<'findRuns'>): ReturnType<RunStore['findRuns']> {
    return this.store.scanner.findRuns(request);
  }

  async readListed({ runId }: Request<'readListed'>): ReturnType<RunStore['readListed']> {
    return this.read((points) => readListed(points, runId));
  }

  async listGates(request: Request<'listGates'>): ReturnType<RunStore['listGates']> {
    return this.store.scanner.listGates(request);
  }

  async countOpenGates(request: Request<'countOpenGates'>): Promise<number> {
    return this.store.scanner.countOpenGates(request);
  }

  async countOpenRuns(request: Request<'countOpenRuns'>): Promise<number> {
    return this.store.scanner.countOpenRuns(request);
  }

  async countStanding(): ReturnType<RunStore['countStanding']> {
    return this.store.scanner.countStanding();
  }

  async readChanges(request: Request<'readChanges'>): ReturnType<RunStore['readChanges']> {
    return this.store.scanner.readChanges(request);
  }

  async listDefinitions(request: Request<'listDefinitions'>): ReturnType<RunStore['listDefinitions']> {
    return this.read((points) => listDefinitions(points, request));
  }

  async listUnfinished(request: Request<'listUnfinished'>): Promise<readonly RunRow[]> {
    return this.store.scanner.listUnfinished(request);
  }

  async listDue(request: Request<'listDue'>): Promise<readonly RunRow[]> {
    return this.store.scanner.listDue(request);
  }

  async listChildren(request: Request<'listChildren'>): Promise<readonly RunRow[]> {
    return this.read((points) => listChildren(points, request));
  }

  async listRunsBelowWithGates(request: BelowRequest): Promise<readonly RunRow[]> {
    return this.read((points) => listRunsBelowWithGates(points, request));
  }

  async readRoot({ runId }: Request<'readRoot'>): Promise<string> {
    return this.read((points) => readRoot(points, runId));
  }

  async countDescendants(request: Request<'countDescendants'>): Promise<number> {
    return this.read((points) => countDescendants(points, request));
  }

  async listOpenGates({ runId }: Request<'listOpenGates'>): Promise<readonly OpenGate[]> {
    return this.read((points) => listOpenGates(points, runId));
  }

  async readLabels({ runId }: Request<'readLabels'>): Promise<Readonly<Record<string, string>>> {
    return this.read((points) => readLabels(points, runId));
  }

  async saveDefinition(definition: Request<'saveDefinition'>): Promise<void> {
    await this.store.commits.submit(saveDefinitionOperation(definition), definition);
  }

  async readDefinition(request: Request<'readDefinition'>): Promise<StoredDefinition | null> {
    return this.read((points) => readDefinition(points, request.namespace, request.hash));
  }

  async register({ definition, opening: bootId, audit }: Request<'register'>): Promise<void> {
    await this.store.commits.submit(withAct(registerOperation(definition, bootId), audit), definition);
  }

  async unregister(request: Request<'unregister'>): Promise<boolean> {
    const removed = await this.store.commits.submit(withAct(unregisterOperation(request), request.audit));
    return typeof removed === 'object' && removed !== null && removed.length > 0;
  }

  async readRegistration(request: Request<'readRegistration'>): Promise<Registration | null> {
    return this.read((points) => readRegistration(points, request));
  }

  async listRegistrations(request: Request<'listRegistrations'>): Promise<readonly Registration[]> {
    return this.store.scanner.listRegistrations(request);
  }

  async definitionsKept(): Promise<{ readonly count: number; readonly size: number }> {
    return this.store.scanner.definitionsKept();
  }

  async removeUnusedDefinitions(request: Request<'removeUnusedDefinitions'>): Promise<number> {
    return removeUnusedDefinitions(this.store, request);
  }

  async readIdempotency({ scope, key }: Request<'readIdempotency'>): Promise<IdempotencyRecord | null> {
    return this.read((points) => readIdempotency(points, scope, key));
  }

  async readAll(request: Request<'readAll'>): Promise<readonly LogEntry[]> {
    const { scanner } = this.store;
    const recent = this.recent.read(request.afterPosition, request.limit);
    if (recent === null) return scanner.readAll(request);
    // What is committed and not acknowledged yet comes before the end, as `lastPosition` says.
    const isBeforeEnd = recent.length === 0 && this.read(lastPosition) > request.afterPosition;
    return isBeforeEnd ? scanner.readAll(request) : onlyWithTypes(recent, request.types);
  }

  async lastPosition(): Promise<number> {
    return this.read(lastPosition);
  }

  async countAfter(request: Request<'countAfter'>): Promise<number> {
    return this.read((points) => countAfter(points, request));
  }

  async readFamilyLog(request: Request<'readFamilyLog'>): Promise<readonly FamilyEntry[]> {
    return this.read((points) => readFamilyLog(points, request));
  }

  async dropFamilyLog({ throughPosition }: Request<'dropFamilyLog'>): Promise<void> {
    await this.store.commits.submit(dropFamilyLogOperation(throughPosition));
  }

  async readCursor({ name }: Request<'readCursor'>): Promise<number> {
    return this.read((points) => readCursor(points, name));
  }

  async writeCursor({ name, position }: Request<'writeCursor'>): Promise<void> {
    await this.store.commits.submit(writeCursorOperation({ name, position }));
    this.recent.release(position, name);
  }

  async purgeEnded(request: Request<'purgeEnded'>): Promise<readonly string[]> {
    try {
      return await this.sweep.purge(request);
    } finally {
      // The tombstones are in the log alone.
      this.recent.forget();
    }
  }

  async dropTombstones({ throughPosition }: Request<'dropTombstones'>): Promise<void> {
    await this.store.commits.submit(dropTombstonesOperation(throughPosition));
  }

  async listUnindexed({ limit }: Request<'listUnindexed'>): Promise<readonly string[]> {
    return this.store.scanner.listUnindexed(limit);
  }

  async indexRun({ runId, openGates }: Request<'indexRun'>): Promise<void> {
    await this.store.commits.submit(indexRunOperation(runId, openGates));
  }

  markCalls(request: Request<'markCalls'>): void {
    this.opened?.calls.mark(request);
  }

  async callsLeftBehind({ shards }: Request<'callsLeftBehind'>): Promise<readonly CallMark[]> {
    return this.store.callsLeftBehind.take(shards);
  }

  markAtRisk({ runId, doing, lastSeq }: Request<'markAtRisk'>): void {
    if (lastSeq === null) this.opened?.risks.end(doing, runId);
    else this.opened?.risks.begin(doing, runId, lastSeq);
  }

  async deathsLeftBehind({ shards }: Request<'deathsLeftBehind'>): Promise<readonly CrashCounts[]> {
    return this.store.crashCountsLeftBehind.take(shards);
  }

  async check({ deep }: Request<'check'>): Promise<void> {
    const { identity, scanner, commits, calls, risks } = this.openStore;
    identity.verify();
    if (!deep) return;
    this.read(lastPosition);
    await scanner.check();
    await commits.probe();
    calls.verify();
    risks.verify();
  }

  async close(): Promise<void> {
    const { opened } = this;
    this.opened = null;
    this.closing ??= opened === null ? Promise.resolve() : opened.close();
    await this.closing;
  }

  private async appended(operation: Operation, { row }: AppendRequest): Promise<OperationResult> {
    try {
      return await this.store.commits.submit(operation, row);
    } catch (error) {
      this.recent.forget();
      throw error;
    }
  }

  /** The open store, for everything that reads or writes. */
  private get store(): OpenStore {
    const store = this.openStore;
    store.identity.refuseIfLost();
    return store;
  }

  private get openStore(): OpenStore {
    if (this.opened !== null) return this.opened;
    throw new StoreError('The store is not open: open it first, or make a new one after it was closed');
  }

  private read<Result>(operation: (points: Connection) => Result): Result {
    return this.store.read(operation);
  }
}
