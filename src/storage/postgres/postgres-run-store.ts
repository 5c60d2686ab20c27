import { randomUUID } from 'node:crypto';
import { StoreError } from '../../errors/service-errors.js';
import type {
  AppendRequest,
  AppendResult,
  IdempotencyRecord,
  StoredEvent,
} from '../../engine/ports/store/append.js';
import type { FamilyEntry, LogEntry } from '../../engine/ports/store/commit-log.js';
import type { CallMark, CrashCounts } from '../../engine/ports/store/crash-journal.js';
import type { Registration, StoredDefinition } from '../../engine/ports/store/definition-store.js';
import type { OpenGate } from '../../engine/ports/store/gates.js';
import type { LoadedRun } from '../../engine/ports/store/run-log.js';
import type { RunRow } from '../../engine/ports/store/run-row.js';
import type { RunStore, StoreMethod } from '../../engine/ports/store/run-store.js';
import { AppendGroups, type NotifyCommit } from './append/append-groups.js';
import { appendOf } from './append/append-rows.js';
import { RegistrationOrder } from './append/registration-order.js';
import { AnsweringDatabase, Answers } from './database/answering-database.js';
import type { Database, Query } from './database/database.js';
import { toStoreError } from './database/postgres-fault.js';
import type { Script } from './database/schema-database.js';
import { readDefinition, saveDefinition } from './definitions/definitions.js';
import { listRegistrations, readRegistration, register, unregister } from './definitions/registrations.js';
import { definitionsKept, removeUnusedDefinitions } from './definitions/unused-definitions.js';
import { findRuns } from './lists/find-runs.js';
import { listDefinitions } from './lists/list-definitions.js';
import { countOpenGates, listGates, listOpenGates } from './lists/list-gates.js';
import { listChildren, listDue, listRunsBelowWithGates, listUnfinished } from './lists/list-runs.js';
import { readListed } from './lists/listed-run.js';
import { ListTurns } from './database/list-turns.js';
import { countDescendants, readRoot } from './lists/root-runs.js';
import { isRunId } from './lists/run-ids.js';
import { countOpenRuns, countStanding } from './lists/standing.js';
import { countAfter } from './log/count-after.js';
import { readCursor, writeCursor } from './log/cursors.js';
import { dropFamilyLog, readFamilyLog } from './log/family-log.js';
import { readIdempotency } from './runs/idempotency.js';
import { readLabels } from './runs/labels.js';
import { LastPosition } from './log/last-position.js';
import { purgePiece } from './purge/purge-ended.js';
import { PurgeSweep } from './purge/purge-sweep.js';
import { readAll } from './log/read-all.js';
import { readChanges } from './log/read-changes.js';
import { readEvents } from './runs/read-events.js';
import { load, readRow } from './runs/read-run.js';
import { dropTombstones } from './purge/tombstones.js';
import { MissingWeeks } from './schema/missing-weeks.js';
import { preparePartitions } from './schema/partitions.js';
import { PostgresAccess, type AccessDatabase, type AccessNotifications } from './postgres-access.js';
import { PostgresAudit } from './postgres-audit.js';
import { CallMarks } from './marks/call-marks.js';
import { RiskMarks } from './marks/risk-marks.js';

/** A database that the store opens, and closes. */
export interface OpenableDatabase extends Database {
  /** The same on connections for appends and marks alone, which so wait for no list and no purge. */
  readonly reserved: Database;
  /** As of any database, and with scripts that change the schema. */
  transaction<T>(work: (query: Query, script: Script) => Promise<T>): Promise<T>;
  /** Connects, refuses what cannot be used, and makes the tables. After an attempt that failed the next one tries again. */
  open(): Promise<unknown>;
  close(): Promise<void>;
}

export interface PostgresRunStoreOptions {
  readonly database: OpenableDatabase;
  /** Default: replicas find out by looking that keys or revocations changed. */
  readonly accessNotifications?: AccessNotifications;
  /** How many connections the lists of one namespace have at once; default 3. */
  readonly listsAtOnce?: number;
}

const LISTS_AT_ONCE = 3;

type Request<Method extends StoreMethod> = Parameters<RunStore[Method]>[0];
type BelowRequest = Parameters<NonNullable<RunStore['listRunsBelowWithGates']>>[0];

/** Reads what is there, or nothing: that it can be read is what is asked. */
const READ_ONE = 'SELECT run_id FROM @.runs LIMIT 1';
/** A row that nobody reads; no follower has that name. */
const WRITE_ONE = `
  INSERT INTO @.cursors (name, position) VALUES ('', 0) ON CONFLICT (name) DO UPDATE SET position = excluded.position`;

/**
 * Runs in a PostgreSQL database, for all replicas that share it. Appends are committed in groups (`append/`), followers read the log
 * by positions that follow from transaction ids (`log/positions.ts`), and what this replica was doing is in unlogged tables under an
 * id that it has until it closes (`marks/`).
 */
export class PostgresRunStore implements RunStore {
  readonly access: PostgresAccess;
  readonly audit: PostgresAudit;
  /** Of the store's own life. */
  private readonly connections: OpenableDatabase;
  private readonly database: AnsweringDatabase;
  private readonly reserved: AnsweringDatabase;
  /** The id of this life of the store: whatever carries another one was left behind, or is another replica's. */
  private readonly replica = randomUUID();
  private readonly answers: Answers;
  private readonly weeks: MissingWeeks;
  private readonly groups: AppendGroups;
  private readonly order = new RegistrationOrder();
  private readonly sweep: PurgeSweep;
  private readonly position: LastPosition;
  private readonly lists: ListTurns;
  private readonly calls: CallMarks;
  private readonly risks: RiskMarks;
  private notifyCommit: NotifyCommit | null = null;
  private isOpen = false;
  private closing: Promise<void> | null = null;
  private hasWriteFailed = false;

  constructor({ database, accessNotifications, listsAtOnce = LISTS_AT_ONCE }: PostgresRunStoreOptions) {
    this.lists = new ListTurns(listsAtOnce);
    const answers = new Answers();
    this.connections = database;
    this.database = new AnsweringDatabase(database, answers);
    this.reserved = new AnsweringDatabase(database.reserved, answers);
    this.answers = answers;
    this.weeks = new MissingWeeks({ prepare: (signal) => preparePartitions(database, signal) });
    this.groups = new AppendGroups(this.reserved, this.weeks);
    this.sweep = new PurgeSweep((piece) => purgePiece(this.database, piece));
    this.position = new LastPosition(this.database);
    this.calls = new CallMarks(this.reserved.query, this.replica);
    this.risks = new RiskMarks(this.reserved.query, this.replica);
    const ways: AccessDatabase = {
      readByKey: (work) => this.use(() => work(this.reserved.query)),
      read: (work) => this.use(({ query }) => work(query)),
      write: (work) => this.write(work),
    };
    this.access = new PostgresAccess(ways, accessNotifications ?? null);
    this.audit = new PostgresAudit(ways);
  }

  async open(): Promise<{ readonly opening: string }> {
    if (this.isOpen || this.closing !== null)
      throw new StoreError('The store was opened already: make a new one');
    try {
      await this.connections.open();
    } catch (error) {
      throw toStoreError(error);
    }
    if (this.closing !== null) throw notOpen();
    this.isOpen = true;
    return { opening: randomUUID() };
  }

  tellCommits(notify: NotifyCommit): void {
    this.notifyCommit = notify;
    this.groups.notifyOfCommits(notify);
  }

  acceptsRunId(runId: string): boolean {
    return isRunId(runId);
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    return this.use(() => {
      const append = appendOf(request);
      const submit = (): Promise<AppendResult> => this.groups.submit(append);
      return append.startedFrom === null ? submit() : this.order.start(submit);
    });
  }

  async load(request: Request<'load'>): Promise<LoadedRun | null> {
    return this.use(({ query }) =>
      load(query, request, (runId, lastSeq) => this.markAtRisk({ runId, doing: 'load', lastSeq })),
    );
  }

  async readRow(request: Request<'readRow'>): Promise<RunRow | null> {
    return this.use(({ query }) => readRow(query, request));
  }

  async readEvents(request: Request<'readEvents'>): Promise<readonly StoredEvent[]> {
    return this.use(({ query }) => readEvents(query, request));
  }

  async readLabels(request: Request<'readLabels'>): Promise<Readonly<Record<string, string>>> {
    return this.use(({ query }) => readLabels(query, request));
  }

  async readIdempotency(request: Request<'readIdempotency'>): Promise<IdempotencyRecord | null> {
    return this.use(({ query }) => readIdempotency(query, request));
  }

  /** Every version of this store has kept what is to be indexed. */
  async listUnindexed(): Promise<readonly string[]> {
    return this.use(async () => []);
  }

  async indexRun(): Promise<void> {
    return this.use(async () => undefined);
  }

  async findRuns(request: Request<'findRuns'>): ReturnType<RunStore['findRuns']> {
    return this.useForList(request, (database) => findRuns(database, request));
  }

  async readListed(request: Request<'readListed'>): ReturnType<RunStore['readListed']> {
    return this.use(({ query }) => readListed(query, request));
  }

  async listGates(request: Request<'listGates'>): ReturnType<RunStore['listGates']> {
    return this.useForList(request, ({ query }) => listGates(query, request));
  }

  async countOpenGates(request: Request<'countOpenGates'>): Promise<number> {
    return this.useForList(request, ({ query }) => countOpenGates(query, request));
  }

  async countOpenRuns(request: Request<'countOpenRuns'>): Promise<number> {
    return this.use(({ query }) => countOpenRuns(query, request));
  }

  async countStanding(): ReturnType<RunStore['countStanding']> {
    return this.use(({ query }) => countStanding(query));
  }

  async listUnfinished(request: Request<'listUnfinished'>): Promise<readonly RunRow[]> {
    return this.use(({ query }) => listUnfinished(query, request));
  }

  async listDue(request: Request<'listDue'>): Promise<readonly RunRow[]> {
    return this.use(({ query }) => listDue(query, request));
  }

  async listChildren(request: Request<'listChildren'>): Promise<readonly RunRow[]> {
    return this.use(({ query }) => listChildren(query, request));
  }

  async listRunsBelowWithGates(request: BelowRequest): Promise<readonly RunRow[]> {
    return this.use(({ query }) => listRunsBelowWithGates(query, request));
  }

  async readRoot(request: Request<'readRoot'>): Promise<string> {
    return this.use(({ query }) => readRoot(query, request));
  }

  async countDescendants(request: Request<'countDescendants'>): Promise<number> {
    return this.use(({ query }) => countDescendants(query, request));
  }

  async listOpenGates(request: Request<'listOpenGates'>): Promise<readonly OpenGate[]> {
    return this.use(({ query }) => listOpenGates(query, request));
  }

  async saveDefinition(definition: Request<'saveDefinition'>): Promise<void> {
    return this.write(({ query }) => saveDefinition(query, definition));
  }

  async readDefinition(request: Request<'readDefinition'>): Promise<StoredDefinition | null> {
    return this.use(({ query }) => readDefinition(query, request));
  }

  async register({ definition, opening, audit = null }: Request<'register'>): Promise<void> {
    return this.write((database) => {
      // It may wait, and what it was given is the caller's.
      const own = { ...definition, bindings: structuredClone(definition.bindings) };
      return this.order.register(() => register(database, { definition: own, opening, audit }));
    });
  }

  async unregister(request: Request<'unregister'>): Promise<boolean> {
    return this.write((database) => this.order.register(() => unregister(database, request)));
  }

  async listDefinitions(request: Request<'listDefinitions'>): ReturnType<RunStore['listDefinitions']> {
    return this.use(({ query }) => listDefinitions(query, request));
  }

  async readRegistration(request: Request<'readRegistration'>): Promise<Registration | null> {
    return this.use(({ query }) => readRegistration(query, request));
  }

  async listRegistrations(request: Request<'listRegistrations'>): Promise<readonly Registration[]> {
    return this.use(({ query }) => listRegistrations(query, request));
  }

  async definitionsKept(): Promise<{ readonly count: number; readonly size: number }> {
    return this.use(({ query }) => definitionsKept(query));
  }

  async removeUnusedDefinitions(request: Request<'removeUnusedDefinitions'>): Promise<number> {
    return this.write((database) => removeUnusedDefinitions(database, request));
  }

  async readAll(request: Request<'readAll'>): Promise<readonly LogEntry[]> {
    return this.use((database) => readAll(database, request));
  }

  async lastPosition(): Promise<number> {
    return this.use(() => this.position.read());
  }

  async countAfter(request: Request<'countAfter'>): Promise<number> {
    return this.use((database) => countAfter(database, request));
  }

  async readChanges(request: Request<'readChanges'>): ReturnType<RunStore['readChanges']> {
    return this.use((database) => readChanges(database, request));
  }

  async readFamilyLog(request: Request<'readFamilyLog'>): Promise<readonly FamilyEntry[]> {
    return this.use((database) => readFamilyLog(database, request));
  }

  async dropFamilyLog(request: Request<'dropFamilyLog'>): Promise<void> {
    return this.write(({ query }) => dropFamilyLog(query, request));
  }

  async readCursor(request: Request<'readCursor'>): Promise<number> {
    return this.use(({ query }) => readCursor(query, request));
  }

  async writeCursor(request: Request<'writeCursor'>): Promise<void> {
    return this.write(({ query }) => writeCursor(query, request));
  }

  async purgeEnded(request: Request<'purgeEnded'>): Promise<readonly string[]> {
    return this.write(() => this.sweep.purge(request));
  }

  async dropTombstones(request: Request<'dropTombstones'>): Promise<void> {
    return this.write(({ query }) => dropTombstones(query, request));
  }

  markCalls(request: Request<'markCalls'>): void | Promise<void> {
    if (this.isOpen) return this.calls.mark(request);
  }

  async callsLeftBehind(request: Request<'callsLeftBehind'>): Promise<readonly CallMark[]> {
    return this.use(() => this.calls.leftBehind(request));
  }

  markAtRisk(request: Request<'markAtRisk'>): void | Promise<void> {
    if (this.isOpen) return this.risks.mark(request);
  }

  async deathsLeftBehind(request: Request<'deathsLeftBehind'>): Promise<readonly CrashCounts[]> {
    return this.use(() => this.risks.leftBehind(request));
  }

  /** Asks the database only where it did not answer the last time, unless the check is deep. */
  async check({ deep }: Request<'check'>): Promise<void> {
    this.refuseUnlessOpen();
    if (!deep) {
      if (this.answers.areMissing) await this.use(({ query }) => query(READ_ONE));
      return;
    }
    await this.use(({ query }) => query(READ_ONE));
    if (this.hasWriteFailed || this.groups.hasFailed) await this.write(({ query }) => query(WRITE_ONE));
    await this.use(() => this.calls.verify());
    await this.use(() => this.risks.verify());
  }

  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async closeOnce(): Promise<void> {
    const wasOpen = this.isOpen;
    this.isOpen = false;
    try {
      if (wasOpen) {
        await this.order.settled();
        await this.groups.drained();
        // Where they cannot be removed, whoever takes the shards over counts them as left behind.
        await Promise.allSettled([this.calls.forget(), this.risks.forget()]);
      }
    } finally {
      await this.weeks.close();
      await this.connections.close();
    }
  }

  /** Everything that reads or writes. Rejects with a `StoreError` in any case. */
  private async use<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    this.refuseUnlessOpen();
    try {
      return await work(this.database);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** As `use`, when it is the turn of the namespace's lists. */
  private useForList<Result>(
    { namespace }: { readonly namespace: string },
    work: (database: Database) => Promise<Result>,
  ): Promise<Result> {
    return this.lists.run(namespace, () => this.use(work));
  }

  /** As `use`, for what is committed by itself, and not with a group of appends. */
  private async write<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    this.refuseUnlessOpen();
    const begunAt = performance.now();
    try {
      const result = await this.use(work);
      this.hasWriteFailed = false;
      this.notifyCommit?.(1, performance.now() - begunAt, true);
      return result;
    } catch (error) {
      if (!(error instanceof StoreError) || !error.permanent) this.hasWriteFailed = true;
      this.notifyCommit?.(1, performance.now() - begunAt, false);
      throw error;
    }
  }

  private refuseUnlessOpen(): void {
    if (!this.isOpen) throw notOpen();
  }
}

function notOpen(): StoreError {
  return new StoreError('The store is not open: open it first, or make a new one after it was closed');
}
