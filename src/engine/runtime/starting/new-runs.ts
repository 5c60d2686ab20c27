import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import type { JsonObject } from '../../core/json.js';
import type { Signal } from '../../core/signal.js';
import { statusOf } from '../../core/state/status.js';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import { SYNC_UNTIL, type RunStatus, type SyncUntil } from '../../vocabulary.js';
import type { Definition } from '../../definitions/definition.js';
import type { Clock } from '../../ports/clock.js';
import type { Ids } from '../../ports/ids.js';
import type { AppendRequest } from '../../ports/store/append.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunDriver } from '../../ports/run-driver.js';
import type { RunRecord } from '../../run-record.js';
import { StartRefused } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import { varsFor } from './checked-start.js';
import type { OpenRuns } from './open-runs.js';
import { earlierRun, idempotencyRecord, type KeyedRequest } from './idempotency.js';
import { startedRecord } from '../reading/record.js';
import type { RunAddress, RunReader } from '../reading/run-reader.js';
import type { CompletionWaiters, Waiting } from '../streams/completion-waiters.js';

export interface NewRunsOptions {
  readonly live: LiveRuns;
  readonly openRuns: Pick<OpenRuns, 'begin'>;
  readonly reader: RunReader;
  readonly completions: CompletionWaiters;
  readonly store: Pick<RunLog, 'readIdempotency'>;
  readonly driver: Pick<RunDriver, 'shardForNewRun' | 'shardCount'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** A run that lacks nothing but its id and its instant. */
export interface NewRun {
  readonly definition: Definition;
  readonly start: Omit<Signal & { readonly type: 'start' }, 'at' | 'runId'>;
  /** The registration that it is started from, where that has to be checked. */
  readonly startedFrom: () => AppendRequest['startedFrom'];
  /** About how many characters of other logs are folded before it; absent: it is no fork. */
  readonly sourceChars?: number;
  /** The vars of the run that it is a fork of, where those stay; null: that has none. Absent: they are evaluated. */
  readonly vars?: JsonObject | null;
}

/** The request for a run: of which workflow, and how long the caller waits. */
export interface Asked extends Waiting {
  readonly namespace?: string | undefined;
  readonly workflowId: string;
  /** Default false: the record says no more than that the run has begun. */
  readonly sync?: boolean | undefined;
  /** When a request with `sync` is answered. Default `stop`. */
  readonly syncUntil?: SyncUntil | undefined;
}

/** Throws an `InvalidRequestError` for a request that says when it is answered and does not wait, or waits for no such thing. */
export function checkSyncUntil({ sync, syncUntil }: Pick<Asked, 'sync' | 'syncUntil'>): void {
  if (syncUntil === undefined || syncUntil === null) return;
  if (!SYNC_UNTIL.includes(syncUntil))
    throw new InvalidRequestError(`syncUntil must be ${SYNC_UNTIL.join(' or ')}`);
  if (sync !== true)
    throw new InvalidRequestError('syncUntil says when "sync": true is answered: send both, or neither');
}

/** What a key stands for besides: nothing where the request waits as it always could, so that earlier keys stay as they are. */
export function untilGate({ syncUntil }: Pick<Asked, 'syncUntil'>): { readonly syncUntil?: SyncUntil } {
  return syncUntil === undefined || syncUntil === null || syncUntil === 'stop' ? {} : { syncUntil };
}

const WILL_MOVE: ReadonlySet<RunStatus> = new Set(['pending', 'running']);

/** Begins runs for starts and forks, once for each key, and returns their records. */
export class NewRuns {
  constructor(private readonly options: NewRunsOptions) {}

  /**
   * Begins a run, unless the same request came before under its key: then returns the run of that. Throws as `begin`, or an
   * `IdempotencyConflictError`.
   */
  async beginOnce(asked: Asked, keyed: KeyedRequest, begin: () => Promise<RunRecord>): Promise<RunRecord> {
    const { store } = this.options;
    const before = await earlierRun(store, keyed);
    if (before !== null) return this.answerAgain(asked, before);
    try {
      return await begin();
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      const earlier = await earlierRun(store, keyed);
      if (earlier === null) throw error;
      return this.answerAgain(asked, earlier);
    }
  }

  /**
   * Throws a `NamespaceFullError`, a `StartRefused` where another request was first, or the workflow was registered again, and an
   * `InvalidInputError` where `spec.vars` has a fault.
   */
  async begin(asked: Asked, newRun: NewRun, keyed: KeyedRequest | null): Promise<RunRecord> {
    const { live, openRuns, completions, ids, clock, driver, reader } = this.options;
    const { definition, start, startedFrom, sourceChars } = newRun;
    const runId = ids.runId({ shard: driver.shardForNewRun(), shardCount: driver.shardCount });
    const at = clock.now();
    const { workflowId } = definition.plan;
    const {
      vars = varsFor(definition.plan, { input: start.input, run: { runId, workflowId, createdAt: at } }),
    } = newRun;
    const run = live.checkOutNew(runId, definition);
    run.startedFrom = startedFrom;
    run.isAnsweredAtStart = asked.sync !== true;
    if (sourceChars !== undefined) run.startAfterSource(sourceChars);
    try {
      await openRuns.begin(definition.namespace, () =>
        run.send(
          [{ ...start, at, runId, ...(vars === null ? {} : { vars }) }],
          keyed === null ? null : { record: idempotencyRecord(keyed, runId), request: 'start' },
        ),
      );
      if (asked.sync !== true) return startedRecord(run.durable);
      return (await completions.ofRun(run, asked)) ?? reader.recordOfLive(run);
    } finally {
      live.end(run);
    }
  }

  private async answerAgain(asked: Asked, runId: string): Promise<RunRecord> {
    const { reader, live, completions } = this.options;
    const { namespace = DEFAULT_NAMESPACE, workflowId, sync = false } = asked;
    const until = asked.syncUntil ?? 'stop';
    const address: RunAddress = { namespace, workflowId, runId };
    const header = await reader.header(address);
    if (!sync) return { ...header, status: 'running' };
    if (header.status !== 'running') return reader.record(address);
    const wait = await live.withRun(runId, async ({ durable }) =>
      // Pending: the write that started it is in doubt, and the live run will find that it happened.
      WILL_MOVE.has(statusOf(durable))
        ? completions.next(runId, asked.waitMs ?? null, asked.signal, until)
        : null,
    );
    if (until === 'gate' && (await completions.isAtGate(runId))) wait?.abandon();
    return (await wait?.stopped) ?? reader.record(address);
  }
}
