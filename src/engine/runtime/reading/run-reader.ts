import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { NoCheckpointError, UnknownRunError } from '../../../errors/run-errors.js';
import type { Actor } from '../../core/log/actor.js';
import { isCheckpoint } from '../../core/log/checkpoint.js';
import { seqOfSnapshot, snapshotId } from '../../core/log/snapshot-id.js';
import type { RunEvent } from '../../core/log/event.js';
import type { RunMessage } from '../../core/log/messages.js';
import { messagesOf } from '../../core/log/messages.js';
import { charsOfWrites, recordedStateSteps } from '../../core/state/view/recorded-state.js';
import type { RunState } from '../../core/state/state.js';
import { isOver, statusOf } from '../../core/state/status.js';
import type { CrashJournal } from '../../ports/store/crash-journal.js';
import type { RunIndex } from '../../ports/store/run-index.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { RunStatus } from '../../vocabulary.js';
import { inSlices } from '../../scheduling/slice.js';
import type { RunRecord, Snapshot, SnapshotSummary } from '../../run-record.js';
import { loadState, type LoadedState } from '../mailbox/loading/load-state.js';
import { refuseBarred } from '../refuse-barred.js';
import type { RunInMemory, RunOwnership } from '../run-shell.js';
import type { SliceScheduler } from '../mailbox/slice-scheduler.js';
import { EndedRecords, type EncodeRecord } from './records/ended-records.js';
import { gateOpenedBy, openGatesIn, type OpenGate } from './open-gates.js';
import { LongLoads, type AdmitLong } from './long-loads.js';
import {
  completedUnitsOf,
  hasResult,
  recordOf,
  failureOf,
  recordOfRow,
  recordWith,
  type RunFailure,
  headerOf,
  type RunHeader,
} from './record.js';
import { newestCheckpoints } from './newest-checkpoints.js';
import { claimedMessages, claimedThrough } from './claimed-authors.js';
import { RunLogPages } from './run-log-pages.js';
import { CoalescedRecords, type BuiltRecord } from './records/coalesced-records.js';

/** Checkpoints are gathered in pages of so many. */
const ALL_BY = 1_000;
/** Gates are gathered in pages of so many events: those that opened together are close in the log. */
const GATES_BY = 500;

export interface RunAddress {
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  readonly workflowId: string;
  readonly runId: string;
}

/** Which part of a run's log is looked at. */
export interface PageRequest {
  /** 0: from the first event. */
  readonly afterSeq: number;
  /** The bound of what is requested; what belongs to one event is never split. */
  readonly limit: number;
}

/** A page may be short, or empty, with more to come: one request looks at a bounded part of a log. */
export interface MessagePage {
  /** Oldest first. */
  readonly messages: readonly RunMessage[];
  /** `afterSeq` of the next page; null at the end. */
  readonly next: number | null;
}

export interface SnapshotPage {
  /** The checkpoints in the order that was requested. */
  readonly snapshots: readonly SnapshotSummary[];
  /** `afterSeq` or `beforeSeq` of the next page; null at the end. */
  readonly next: number | null;
}

export interface RunReaderOptions {
  readonly store: RunLog & Pick<CrashJournal, 'markAtRisk'> & Pick<RunIndex, 'listOpenGates'>;
  readonly slices: SliceScheduler;
  /** The run, where it is in the memory of this process. */
  readonly peek: (runId: string) => RunInMemory | undefined;
  /** False: other processes append to owned runs, too, and memory may be older than the store. */
  readonly isAlone: boolean;
  /** See `RunDriver.isBarred`. */
  readonly isBarred: RunOwnership['isBarred'];
  /** Whether it is told of an imported run that those who stand in its log are only claimed. Default false. */
  readonly tellsClaims?: boolean;
}

/** Reads runs, from what is durable and only from that. */
export class RunReader {
  private readonly ended = new EndedRecords();
  private readonly coalesced = new CoalescedRecords();
  private readonly longLoads = new LongLoads();
  private readonly log: RunLogPages;

  constructor(private readonly options: RunReaderOptions) {
    this.log = new RunLogPages(options.store);
  }

  /** Throws an `UnknownRunError` for a run that does not exist or is another workflow's. */
  async assertExists(address: RunAddress): Promise<void> {
    await this.find(address);
  }

  /** Throws an `UnknownRunError` for a run that does not exist. */
  async status(runId: string): Promise<RunStatus> {
    refuseBarred(this.options, runId);
    const live = await this.upToDate(runId);
    if (live !== null) return statusOf(live.durable);
    const row = await this.options.store.readRow({ runId });
    if (row === null) throw new UnknownRunError(runId);
    return row.status;
  }

  /** The address of the run with this id; null: the namespace has no such run. */
  async locate(runId: string, namespace: string): Promise<RunAddress | null> {
    const row = await this.options.store.readRow({ runId });
    if (row === null || row.namespace !== namespace) return null;
    return { namespace, workflowId: row.workflowId, runId };
  }

  /** The seq of the newest event of the run's log. */
  async position(address: RunAddress): Promise<number> {
    return (await this.extent(address)).seq;
  }

  /** The seq of the newest event of the run's log, and up to which one those who stand in it are only claimed (0: none is). */
  async extent(address: RunAddress): Promise<{ readonly seq: number; readonly claimedThrough: number }> {
    const stored = await this.liveOrStored(address);
    const run = 'durable' in stored ? stored.durable : stored;
    const seq = 'lastSeq' in run ? run.lastSeq : run.seq;
    return { seq, claimedThrough: this.options.tellsClaims === true ? claimedThrough(run) : 0 };
  }

  /** The run header: the record without its result, however large that is. */
  async header(address: RunAddress): Promise<RunHeader> {
    const found = await this.find(address);
    const live = await this.upToDate(address.runId);
    if (live !== null) return headerOf(live.durable);
    const row = found ?? (await this.options.store.readRow({ runId: address.runId }));
    if (row === null) throw new UnknownRunError(address.runId);
    const { runId, workflowId, status, createdAt, updatedAt } = row;
    return { runId, workflowId, status, createdAt, updatedAt };
  }

  async record(address: RunAddress): Promise<RunRecord> {
    const stored = await this.liveOrStored(address);
    return 'durable' in stored ? this.recordOfLive(stored) : this.storedRecord(stored);
  }

  /** As `record`, but for a long run that is over its text, which `encode` writes once for all who request it. */
  async encoded(address: RunAddress, encode: EncodeRecord): Promise<RunRecord | Uint8Array> {
    const stored = await this.liveOrStored(address);
    if ('durable' in stored) return this.recordOfLive(stored);
    const { runId, lastSeq } = stored;
    const known = this.ended.text(runId, lastSeq, encode);
    if (known !== null) return known;
    const record = await this.storedRecord(stored);
    return this.ended.text(runId, lastSeq, encode) ?? record;
  }

  /** The state as it is durable now. */
  async state(address: RunAddress): Promise<RunState> {
    const stored = await this.liveOrStored(address);
    if ('durable' in stored) return stored.durable;
    const { runId, namespace } = stored;
    return this.longLoads.run(namespace, async (admit) => (await this.fold(runId, null, admit)).state);
  }

  private async liveOrStored(address: RunAddress): Promise<RunInMemory | RunRow> {
    const found = await this.find(address);
    const { runId } = address;
    const stored = (await this.upToDate(runId)) ?? found ?? (await this.options.store.readRow({ runId }));
    if (stored === null) throw new UnknownRunError(runId);
    return stored;
  }

  private storedRecord(row: RunRow): Promise<RunRecord> {
    if (!hasResult(row.status)) return this.recordWithoutResult(row);
    const { runId, namespace, lastSeq } = row;
    const known = this.ended.get(runId, lastSeq);
    if (known !== null) return Promise.resolve(known);
    return this.coalesced.get(runId, lastSeq, () =>
      this.longLoads.run(namespace, (admit) => this.built(runId, admit)),
    );
  }

  private async built(runId: string, admitLong: AdmitLong): Promise<BuiltRecord> {
    const { state, events } = await this.fold(runId, null, admitLong);
    const record = await (events.length === state.seq
      ? recordOf(state, events)
      : recordWith(state, await this.log.newestMessages(runId, state.seq)));
    const stateChars = charsOfWrites(state);
    const shown = this.told(state, record);
    if (isOver(state)) this.ended.put(shown, state.seq, stateChars);
    return { record: shown, stateChars };
  }

  /** The record as it is shown: of an imported run, it says who is only claimed to have done something. */
  private told(state: RunState, record: RunRecord): RunRecord {
    const { result } = record;
    if (result === undefined) return record;
    return { ...record, result: { ...result, messages: this.toldMessages(state, result.messages) } };
  }

  /** See `RunReaderOptions.tellsClaims`. */
  toldMessages(run: RunState | RunRow, messages: readonly RunMessage[]): readonly RunMessage[] {
    return this.options.tellsClaims === true && claimedThrough(run) > 0
      ? claimedMessages(messages)
      : messages;
  }

  /** The record of a run in memory; its events are read only when memory does not hold them. */
  recordOfLive(live: RunInMemory): RunRecord | Promise<RunRecord> {
    const state = live.durable;
    if (live.history !== null || !hasResult(statusOf(state))) return recordOf(state, live.history ?? []);
    return this.log.newestMessages(state.runId, state.seq).then((messages) => recordWith(state, messages));
  }

  /** Who started the run, as its first event says; for a child run, who started the run that its family began with. */
  async startedBy(address: RunAddress): Promise<Actor> {
    await this.assertExists(address);
    let by: Actor | null = null;
    for (let runId: string | null = address.runId; runId !== null;) {
      const [first]: readonly RunEvent[] = await this.log.after(runId, 0, 1);
      // The parent was purged before its child.
      if (first?.type !== 'run-started') break;
      by = first.by;
      // The row of an imported run has no parent: the one in its log is of another service, and may lead in a circle.
      const row: RunRow | null = first.parent === null ? null : await this.options.store.readRow({ runId });
      runId = row?.parentRunId ?? null;
    }
    if (by === null) throw new UnknownRunError(address.runId);
    return by;
  }

  /** The gates that wait for a decision, oldest first; none of a run that is over. */
  async openGates(address: RunAddress): Promise<readonly OpenGate[]> {
    const stored = await this.liveOrStored(address);
    if ('durable' in stored) return openGatesIn(stored.durable);
    const { runId, status } = stored;
    if (status === 'completed' || status === 'failed') return [];
    const gates: OpenGate[] = [];
    const left = new Set((await this.options.store.listOpenGates({ runId })).map(({ gateId }) => gateId));
    for (const gateId of left) {
      for (const event of await this.log.after(runId, gateId - 1, GATES_BY)) {
        const gate = left.delete(event.seq) ? gateOpenedBy(event) : null;
        if (gate !== null) gates.push(gate);
      }
      left.delete(gateId);
    }
    return gates;
  }

  async messages(address: RunAddress, { afterSeq, limit }: PageRequest): Promise<MessagePage> {
    const { runId } = address;
    const stored = await this.liveOrStored(address);
    const messages: RunMessage[] = [];
    const next = await this.log.walk(runId, afterSeq, (event) => {
      for (const message of messagesOf(runId, event)) messages.push(message);
      return messages.length >= limit;
    });
    return { messages: this.toldMessages('durable' in stored ? stored.durable : stored, messages), next };
  }

  /** All checkpoints, oldest first. */
  async snapshots(address: RunAddress): Promise<readonly SnapshotSummary[]> {
    const all: SnapshotSummary[] = [];
    for (let afterSeq: number | null = 0; afterSeq !== null;) {
      const page: SnapshotPage = await this.snapshotPage(address, { afterSeq, limit: ALL_BY });
      for (const snapshot of page.snapshots) all.push(snapshot);
      afterSeq = page.next;
    }
    return all;
  }

  async snapshotPage(address: RunAddress, { afterSeq, limit }: PageRequest): Promise<SnapshotPage> {
    const { runId } = address;
    await this.assertExists(address);
    const snapshots: SnapshotSummary[] = [];
    const next = await this.log.walk(runId, afterSeq, (event) => {
      if (isCheckpoint(event)) snapshots.push(summaryOf(runId, event));
      return snapshots.length >= limit;
    });
    return { snapshots, next };
  }

  /** As `snapshotPage`, newest first; `next` of the page is `beforeSeq` of the one that follows. */
  async newestSnapshots(
    address: RunAddress,
    { beforeSeq, limit }: { readonly beforeSeq: number | null; readonly limit: number },
  ): Promise<SnapshotPage> {
    const { runId } = address;
    const end = (await this.position(address)) + 1;
    const before = beforeSeq === null ? end : Math.min(beforeSeq, end);
    const read = (afterSeq: number, most: number) => this.log.after(runId, afterSeq, most);
    const page = await newestCheckpoints(read, before, limit, (event) => summaryOf(runId, event));
    return { snapshots: page.items, next: page.next };
  }

  async snapshot(address: RunAddress, id: string): Promise<Snapshot> {
    await this.assertExists(address);
    const checkpoint = await this.checkpoint(address.runId, id);
    return this.longLoads.run(address.namespace ?? DEFAULT_NAMESPACE, async (admitLong) => {
      const { state } = await this.fold(address.runId, checkpoint.seq, admitLong);
      return {
        ...summaryOf(address.runId, checkpoint),
        completedUnits: completedUnitsOf(state),
        state: await inSlices(recordedStateSteps(state)),
      };
    });
  }

  /** The event after which a snapshot was taken. Throws a `NoCheckpointError` when the id names none of this run's. */
  async checkpoint(runId: string, id: string): Promise<RunEvent> {
    const seq = seqOfSnapshot(runId, id);
    const [event] = seq === null ? [] : await this.log.after(runId, seq - 1, 1);
    if (event === undefined || !isCheckpoint(event)) throw new NoCheckpointError(runId);
    return event;
  }

  /** The run's state after event `atSeq` (null: at the end), and the events that were folded for it. */
  async fold(
    runId: string,
    atSeq: number | null,
    admitLong: AdmitLong = () => undefined,
  ): Promise<LoadedState> {
    const { store, slices } = this.options;
    const loaded = await loadState({ store, slices, admitLong }, { runId, atSeq });
    if (loaded === null) throw new UnknownRunError(runId);
    return loaded;
  }

  /** As `fold`; for a long log it waits until it is the namespace's turn. */
  async foldAsLongLoad(
    { runId, namespace = DEFAULT_NAMESPACE }: Pick<RunAddress, 'runId' | 'namespace'>,
    atSeq: number,
  ): Promise<LoadedState> {
    return this.longLoads.run(namespace, (admitLong) => this.fold(runId, atSeq, admitLong));
  }

  /** The run's row; null where memory knows the run. Throws an `UnknownRunError` as `assertExists` does. */
  private async find({
    workflowId,
    runId,
    namespace = DEFAULT_NAMESPACE,
  }: RunAddress): Promise<RunRow | null> {
    refuseBarred(this.options, runId);
    const live = this.options.peek(runId);
    const isInMemory = live !== undefined && live.durable.seq > 0;
    const row = isInMemory ? null : await this.options.store.readRow({ runId });
    const found = isInMemory ? live.durable : row;
    if (found?.workflowId !== workflowId || found.namespace !== namespace) throw new UnknownRunError(runId);
    return row;
  }

  /** The run from memory, unless another process appended to it since; null: the store has to be read. */
  private async upToDate(runId: string): Promise<RunInMemory | null> {
    const { peek, isAlone, store } = this.options;
    const live = peek(runId);
    if (live === undefined || live.durable.seq === 0) return null;
    if (isAlone) return live;
    const row = await store.readRow({ runId });
    return row !== null && row.lastSeq > live.durable.seq ? null : live;
  }

  /** Reads only the end of the log of a run that failed, however large it is, and nothing of one that moves. */
  private async recordWithoutResult(row: RunRow): Promise<RunRecord> {
    if (row.status !== 'failed') return recordOfRow(row, null);
    return recordOfRow(row, (await this.log.failure(row)) ?? (await this.failureOf(row)));
  }

  private failureOf({ runId, namespace }: RunRow): Promise<RunFailure> {
    return this.longLoads.run(namespace, async (admitLong) =>
      failureOf((await this.fold(runId, null, admitLong)).state),
    );
  }
}

function summaryOf(runId: string, event: RunEvent): SnapshotSummary {
  const unitId = 'unitId' in event ? event.unitId : '';
  return { snapshotId: snapshotId(runId, event.seq), createdAt: event.at, after: event.type, unitId };
}
