import { randomUUID } from 'node:crypto';
import { StoreError } from '../../errors/service-errors.js';
import type { AppendRequest, AppendResult, IdempotencyRecord, StoredEvent } from '../ports/store/append.js';
import { onlyWithTypes, type FamilyEntry, type LogEntry } from '../ports/store/commit-log.js';
import type { CallMark, CrashCounts } from '../ports/store/crash-journal.js';
import type { Registration, StoredDefinition } from '../ports/store/definition-store.js';
import type { OpenGate } from '../ports/store/gates.js';
import type { LoadedRun } from '../ports/store/run-log.js';
import type { RunRow } from '../ports/store/run-row.js';
import type { RunStore, StoreMethod } from '../ports/store/run-store.js';
import { AppendLog } from './append-log.js';
import { DefinitionTable } from './tables/definition-table.js';
import { EndedRuns } from './ended-runs.js';
import { Families } from './families.js';
import { findRuns, listedRun } from './find-runs.js';
import { GatesAtHand } from './gates-at-hand.js';
import { InMemoryAccess } from './tables/in-memory-access.js';
import { InMemoryAudit } from './tables/in-memory-audit.js';
import { RunsByAge } from './runs-by-age.js';
import { StoredRun } from './stored-run.js';
import { WaitingRuns } from './waiting-runs.js';

export interface InMemoryRunStoreOptions {
  /**
   * Beyond this many ended runs, those that ended first are removed once every follower has read them; beyond twice as many,
   * in any case. Default 10,000.
   */
  readonly maxEndedRuns?: number;
}

type Request<Method extends StoreMethod> = Parameters<RunStore[Method]>[0];
type BelowRequest = Parameters<NonNullable<RunStore['listRunsBelowWithGates']>>[0];

const NO_LABELS = Object.freeze({});
/** A follower that lags by more tombstones than this does not see the oldest. */
const MIN_TOMBSTONES = 1_000;

/**
 * Keeps runs as long as the process lives. Events, rows and states are held by reference and handed out again: nobody
 * may change them (promise 7). Everything else is copied. An append costs about a microsecond.
 */
export class InMemoryRunStore implements RunStore {
  readonly keepsMarks = false;
  readonly audit = new InMemoryAudit(() => this.refuseIfClosed());
  readonly access = new InMemoryAccess(() => this.refuseIfClosed(), this.audit);
  private readonly opening = randomUUID();
  private readonly runs = new Map<string, StoredRun>();
  private readonly byAge = new RunsByAge();
  private readonly waiting = new WaitingRuns();
  private readonly families = new Families();
  private readonly gates = new GatesAtHand();
  private readonly definitions = new DefinitionTable();
  private readonly idempotency = new Map<string, IdempotencyRecord>();
  private readonly cursors = new Map<string, number>();
  private readonly log: AppendLog;
  private readonly ended: EndedRuns;
  private isClosed = false;

  constructor({ maxEndedRuns = 10_000 }: InMemoryRunStoreOptions = {}) {
    this.log = new AppendLog(Math.max(MIN_TOMBSTONES, maxEndedRuns));
    this.ended = new EndedRuns({
      maxRuns: maxEndedRuns,
      slowestCursor: () => (this.cursors.size === 0 ? null : Math.min(...this.cursors.values())),
      forget: (run) => this.forget(run),
    });
  }

  async open(): Promise<{ readonly opening: string }> {
    this.refuseIfClosed();
    return { opening: this.opening };
  }

  append(request: AppendRequest): AppendResult | Promise<AppendResult> {
    if (this.isClosed) return Promise.reject(closedError());
    const { runId, expectedSeq, idempotency } = request;
    const known = this.runs.get(runId);
    if ((known?.lastSeq ?? 0) !== expectedSeq) return 'conflict';
    for (const record of idempotency) if (this.idempotency.has(keyOf(record))) return 'conflict';
    if (!this.definitions.holds(request) || this.lostItsSource(request)) return 'stale';
    const run = known ?? new StoredRun(request);
    const hadEnded = run.row.endedAt !== null;
    const events = run.append(request);
    if (known === undefined) {
      this.runs.set(runId, run);
      this.byAge.add(run);
      this.keepSource(run, 1);
      if (request.row.parentRunId !== null) this.families.begun(run, this.runs.get(request.row.parentRunId));
    }
    for (const record of idempotency) this.remember(record);
    this.log.push(run, events);
    this.waiting.classify(run);
    this.families.appended(run, request.concernsFamily);
    this.gates.appended(run);
    if (run.row.endedAt !== null && run.forks === 0) this.ended.add(run);
    else if (hadEnded) this.ended.delete(run);
    return 'appended';
  }

  async load({ runId, atSeq }: Request<'load'>): Promise<LoadedRun | null> {
    this.refuseIfClosed();
    return this.runs.get(runId)?.load(atSeq) ?? null;
  }

  async readRow({ runId }: Request<'readRow'>): Promise<RunRow | null> {
    this.refuseIfClosed();
    return this.runs.get(runId)?.row ?? null;
  }

  async readEvents({ runId, afterSeq, limit }: Request<'readEvents'>): Promise<readonly StoredEvent[]> {
    this.refuseIfClosed();
    return this.runs.get(runId)?.eventsAfter(afterSeq, limit) ?? [];
  }

  async findRuns(request: Request<'findRuns'>): ReturnType<RunStore['findRuns']> {
    this.refuseIfClosed();
    return findRuns((before) => this.byAge.olderThan(before), request);
  }

  async readListed({ runId }: Request<'readListed'>): ReturnType<RunStore['readListed']> {
    this.refuseIfClosed();
    const run = this.runs.get(runId);
    return run === undefined ? null : listedRun(run);
  }

  async listGates(request: Request<'listGates'>): ReturnType<RunStore['listGates']> {
    this.refuseIfClosed();
    return this.gates.list(request);
  }

  async countOpenGates(request: Request<'countOpenGates'>): Promise<number> {
    this.refuseIfClosed();
    return this.gates.count(request);
  }

  async countOpenRuns({ namespace, atMost }: Request<'countOpenRuns'>): Promise<number> {
    this.refuseIfClosed();
    let count = 0;
    for (const { row } of this.runs.values()) {
      if (count >= atMost) break;
      if (row.namespace === namespace && row.endedAt === null) count += 1;
    }
    return count;
  }

  async countStanding(): ReturnType<RunStore['countStanding']> {
    this.refuseIfClosed();
    const totals = { pending: 0, running: 0, paused: 0 };
    for (const { row } of this.runs.values()) {
      if (row.status !== 'completed' && row.status !== 'failed') totals[row.status] += 1;
    }
    return { ...totals, openGates: this.gates.count(null) };
  }

  async readChanges({ afterPosition, limit }: Request<'readChanges'>): ReturnType<RunStore['readChanges']> {
    this.refuseIfClosed();
    return this.log.changesAfter(afterPosition, limit);
  }

  async listDefinitions(request: Request<'listDefinitions'>): ReturnType<RunStore['listDefinitions']> {
    this.refuseIfClosed();
    return this.definitions.list(request);
  }

  async listUnfinished(request: Request<'listUnfinished'>): Promise<readonly RunRow[]> {
    this.refuseIfClosed();
    return this.waiting.unfinished(request);
  }

  async listDue(request: Request<'listDue'>): Promise<readonly RunRow[]> {
    this.refuseIfClosed();
    return this.waiting.due(request);
  }

  async listChildren(request: Request<'listChildren'>): Promise<readonly RunRow[]> {
    this.refuseIfClosed();
    return this.families.children(request);
  }

  async listRunsBelowWithGates(request: BelowRequest): Promise<readonly RunRow[]> {
    this.refuseIfClosed();
    return this.families.belowWithGates(request);
  }

  async readRoot({ runId }: Request<'readRoot'>): Promise<string> {
    this.refuseIfClosed();
    return this.runs.get(runId)?.rootRunId ?? runId;
  }

  async countDescendants({ rootRunId, atMost }: Request<'countDescendants'>): Promise<number> {
    this.refuseIfClosed();
    return Math.min(this.families.descendantsOf(rootRunId), atMost);
  }

  async listOpenGates({ runId }: Request<'listOpenGates'>): Promise<readonly OpenGate[]> {
    this.refuseIfClosed();
    return this.runs.get(runId)?.openGates ?? [];
  }

  async readLabels({ runId }: Request<'readLabels'>): Promise<Readonly<Record<string, string>>> {
    this.refuseIfClosed();
    return this.runs.get(runId)?.labels ?? NO_LABELS;
  }

  async saveDefinition({ unlessKept, ...definition }: Request<'saveDefinition'>): Promise<void> {
    this.refuseIfClosed();
    if (unlessKept === true && this.definitions.read(definition.namespace, definition.hash) !== null) return;
    this.definitions.save(definition);
  }

  async readDefinition(request: Request<'readDefinition'>): Promise<StoredDefinition | null> {
    this.refuseIfClosed();
    return this.definitions.read(request.namespace, request.hash);
  }

  async register({ definition, opening: bootId, audit }: Request<'register'>): Promise<void> {
    this.refuseIfClosed();
    this.definitions.register(definition, bootId);
    this.audit.add(audit);
  }

  async unregister(request: Request<'unregister'>): Promise<boolean> {
    this.refuseIfClosed();
    const wasThere = this.definitions.unregister(request.namespace, request.workflowId, request.opening);
    if (wasThere) this.audit.add(request.audit);
    return wasThere;
  }

  async readRegistration(request: Request<'readRegistration'>): Promise<Registration | null> {
    this.refuseIfClosed();
    return this.definitions.readRegistration(request.namespace, request.workflowId, request.opening);
  }

  async listRegistrations(request: Request<'listRegistrations'>): Promise<readonly Registration[]> {
    this.refuseIfClosed();
    return this.definitions.listRegistrations(request.namespace, request.opening);
  }

  async definitionsKept(): Promise<{ readonly count: number; readonly size: number }> {
    this.refuseIfClosed();
    return this.definitions.kept();
  }

  async removeUnusedDefinitions(request: Request<'removeUnusedDefinitions'>): Promise<number> {
    this.refuseIfClosed();
    const named = new Set<string>();
    for (const { row } of this.runs.values()) named.add(`${row.namespace}\n${row.definitionHash}`);
    return this.definitions.removeUnused((namespace, hash) => named.has(`${namespace}\n${hash}`), request);
  }

  async readIdempotency(request: Request<'readIdempotency'>): Promise<IdempotencyRecord | null> {
    this.refuseIfClosed();
    return this.idempotency.get(keyOf(request)) ?? null;
  }

  async readAll({ afterPosition, limit, types }: Request<'readAll'>): Promise<readonly LogEntry[]> {
    this.refuseIfClosed();
    return onlyWithTypes(this.log.after(afterPosition, limit), types);
  }

  async lastPosition(): Promise<number> {
    this.refuseIfClosed();
    return this.log.lastPosition();
  }

  async countAfter({ position, atMost }: Request<'countAfter'>): Promise<number> {
    this.refuseIfClosed();
    return this.log.countAfter(position, atMost);
  }

  async readFamilyLog({ afterPosition, limit }: Request<'readFamilyLog'>): Promise<readonly FamilyEntry[]> {
    this.refuseIfClosed();
    return this.families.after(afterPosition, limit);
  }

  async dropFamilyLog({ throughPosition }: Request<'dropFamilyLog'>): Promise<void> {
    this.refuseIfClosed();
    this.families.drop(throughPosition);
    this.ended.evict();
  }

  async readCursor({ name }: Request<'readCursor'>): Promise<number> {
    this.refuseIfClosed();
    return this.cursors.get(name) ?? 0;
  }

  async writeCursor({ name, position }: Request<'writeCursor'>): Promise<void> {
    this.refuseIfClosed();
    this.cursors.set(name, position);
    this.ended.evict();
  }

  async purgeEnded(request: Request<'purgeEnded'>): Promise<readonly string[]> {
    this.refuseIfClosed();
    const { endedBefore, throughPosition, limit } = request;
    const purged: string[] = [];
    for (const run of this.ended.endedBefore(endedBefore, throughPosition, limit)) {
      // The run that it was a fork of goes as well, if nothing else keeps that, and so on.
      let next: StoredRun | undefined = run;
      while (next !== undefined && purged.length < limit) {
        this.forget(next);
        purged.push(next.row.runId);
        const source: StoredRun | undefined = this.sourceOf(next);
        next = source !== undefined && this.ended.mayGo(source, request) ? source : undefined;
      }
    }
    return purged;
  }

  async dropTombstones({ throughPosition }: Request<'dropTombstones'>): Promise<void> {
    this.refuseIfClosed();
    this.log.drop(throughPosition);
  }

  /** There is no older version of what is only in memory. */
  async listUnindexed(): Promise<readonly string[]> {
    this.refuseIfClosed();
    return [];
  }

  async indexRun(): Promise<void> {
    this.refuseIfClosed();
  }

  /** Marks would be of no use: the runs are lost with the process. */
  markCalls(): void {}

  markAtRisk(): void {}

  async deathsLeftBehind(_request: Request<'deathsLeftBehind'>): Promise<readonly CrashCounts[]> {
    this.refuseIfClosed();
    return [];
  }

  async callsLeftBehind(_request: Request<'callsLeftBehind'>): Promise<readonly CallMark[]> {
    this.refuseIfClosed();
    return [];
  }

  async check(): Promise<void> {
    this.refuseIfClosed();
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  private forget(run: StoredRun): void {
    this.runs.delete(run.row.runId);
    this.ended.delete(run);
    this.log.bury(run);
    this.byAge.forget();
    this.families.forget(run);
    this.gates.forget(run);
    this.keepSource(run, -1);
    for (const key of run.idempotencyKeys ?? []) this.idempotency.delete(key);
  }

  /** Whether the source of a fork was purged while the fork was made. What is imported may come before its source. */
  private lostItsSource({ expectedSeq, row: { origin, forkedFrom } }: AppendRequest): boolean {
    return expectedSeq === 0 && origin === 'fork' && forkedFrom !== null && !this.runs.has(forkedFrom);
  }

  /** The source of a fork stays as long as the fork does; it may never have been in this store. */
  private keepSource({ row }: StoredRun, forks: 1 | -1): void {
    const source = this.sourceOf({ row });
    if (source === undefined) return;
    source.forks += forks;
    if (source.forks > 0) this.ended.delete(source);
    else if (source.row.endedAt !== null) this.ended.add(source);
  }

  private sourceOf({ row: { forkedFrom } }: Pick<StoredRun, 'row'>): StoredRun | undefined {
    return forkedFrom === null ? undefined : this.runs.get(forkedFrom);
  }

  private remember(record: IdempotencyRecord): void {
    const key = keyOf(record);
    this.idempotency.set(key, Object.freeze({ ...record }));
    const run = this.runs.get(record.runId);
    if (run !== undefined) (run.idempotencyKeys ??= []).push(key);
  }

  private refuseIfClosed(): void {
    if (this.isClosed) throw closedError();
  }
}

function closedError(): StoreError {
  return new StoreError('The store is closed: open a new one');
}

function keyOf({ scope, key }: { readonly scope: string; readonly key: string }): string {
  return `${scope}\n${key}`;
}
