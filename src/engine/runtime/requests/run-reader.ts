import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { NoCheckpointError, UnknownRunError } from '../../../errors/run-errors.js';
import { isCheckpoint } from '../../core/log/checkpoint.js';
import { seqOfSnapshot, snapshotId } from '../../core/log/snapshot-id.js';
import type { RunEvent } from '../../core/log/event.js';
import { decodeEvents } from '../../core/log/event-codec.js';
import type { RunMessage } from '../../core/log/messages.js';
import { messagesOf } from '../../core/log/messages.js';
import type { RunState } from '../../core/state/state.js';
import { recordedState } from '../../core/state/state-view.js';
import { isOver, statusOf, type RunStatus } from '../../core/state/status.js';
import type { RunRow, RunStore } from '../../ports/run-store.js';
import type { RunRecord, Snapshot, SnapshotSummary } from '../../run-record.js';
import { loadState, type LoadedState } from '../mailbox/load-state.js';
import type { RunInMemory } from '../mailbox/run-shell.js';
import type { Turns } from '../mailbox/turns.js';
import { EndedRecords } from './ended-records.js';
import { completedUnitsOf, hasResult, MAX_RECORD_MESSAGES, recordOf } from './record.js';

/** Every event says at most a handful of things, most of them at least one in two. */
const EVENTS_FOR_RECORD = 4 * MAX_RECORD_MESSAGES;
const PAGE_EVENTS = 1_000;

export interface RunAddress {
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  readonly workflowId: string;
  readonly runId: string;
}

export interface MessagePage {
  /** Oldest first. */
  readonly messages: readonly RunMessage[];
  /** `afterSeq` of the next page; null at the end. */
  readonly next: number | null;
}

export interface RunReaderOptions {
  readonly store: RunStore;
  readonly turns: Turns;
  /** The run, where it is in the memory of this process. */
  readonly peek: (runId: string) => RunInMemory | undefined;
  /** False: others append to our runs too, and memory may be behind the store. */
  readonly isAlone: boolean;
}

/** Answers questions about runs, from what is durable and only from that. */
export class RunReader {
  private readonly ended = new EndedRecords();

  constructor(private readonly options: RunReaderOptions) {}

  /** Throws an `UnknownRunError` for a run that does not exist or is another workflow's. */
  async assertExists(address: RunAddress): Promise<void> {
    await this.find(address);
  }

  /** Throws an `UnknownRunError` for a run that does not exist. */
  async status(runId: string): Promise<RunStatus> {
    const live = await this.upToDate(runId);
    if (live !== null) return statusOf(live.durable);
    const row = await this.options.store.readRow({ runId });
    if (row === null) throw new UnknownRunError(runId);
    return row.status;
  }

  async record(address: RunAddress): Promise<RunRecord> {
    const row = await this.find(address);
    const { runId } = address;
    const live = await this.upToDate(runId);
    if (live !== null) return this.recordOfLive(live);
    const known = row === null ? null : this.ended.get(runId, row.lastSeq);
    if (known !== null) return known;
    const { state, events } = await this.fold(runId, null);
    const complete = events.length === state.seq || !hasResult(state);
    const record = recordOf(state, complete ? events : await this.newestEvents(state));
    if (isOver(state)) this.ended.put(record, state.seq);
    return record;
  }

  /** The record of a run in memory; its events are read only when memory does not hold them. */
  recordOfLive(live: RunInMemory): RunRecord | Promise<RunRecord> {
    const state = live.durable;
    if (live.history !== null || !hasResult(state)) return recordOf(state, live.history ?? []);
    return this.newestEvents(state).then((events) => recordOf(state, events));
  }

  async messages(
    address: RunAddress,
    page: { readonly afterSeq: number; readonly limit: number },
  ): Promise<MessagePage> {
    await this.assertExists(address);
    const messages: RunMessage[] = [];
    for (let seq = page.afterSeq; ;) {
      const events = await this.events(address.runId, seq, PAGE_EVENTS);
      for (const event of events) {
        messages.push(...messagesOf(address.runId, event));
        seq = event.seq;
        if (messages.length >= page.limit) return { messages, next: seq };
      }
      if (events.length < PAGE_EVENTS) return { messages, next: null };
    }
  }

  /** All checkpoints, oldest first. */
  async snapshots(address: RunAddress): Promise<readonly SnapshotSummary[]> {
    await this.assertExists(address);
    const summaries: SnapshotSummary[] = [];
    for (let seq = 0; ;) {
      const events = await this.events(address.runId, seq, PAGE_EVENTS);
      for (const event of events) {
        if (isCheckpoint(event)) summaries.push(summaryOf(address.runId, event));
        seq = event.seq;
      }
      if (events.length < PAGE_EVENTS) return summaries;
    }
  }

  async snapshot(address: RunAddress, id: string): Promise<Snapshot> {
    await this.assertExists(address);
    const checkpoint = await this.checkpoint(address.runId, id);
    const { state } = await this.fold(address.runId, checkpoint.seq);
    return {
      ...summaryOf(address.runId, checkpoint),
      completedUnits: completedUnitsOf(state),
      state: recordedState(state),
    };
  }

  /** The event that a snapshot stands after. Throws a `NoCheckpointError` when the id names none of this run's. */
  async checkpoint(runId: string, id: string): Promise<RunEvent> {
    const seq = seqOfSnapshot(runId, id);
    const [event] = seq === null ? [] : await this.events(runId, seq - 1, 1);
    if (event === undefined || !isCheckpoint(event)) throw new NoCheckpointError(runId);
    return event;
  }

  /** The run's state after event `atSeq` (null: at the end), and the events that were folded for it. */
  async fold(runId: string, atSeq: number | null): Promise<LoadedState> {
    const loaded = await loadState(this.options, { runId, atSeq });
    if (loaded === null) throw new UnknownRunError(runId);
    return loaded;
  }

  /** The run's row; null where memory knows the run. Throws an `UnknownRunError` as `assertExists` does. */
  private async find({
    workflowId,
    runId,
    namespace = DEFAULT_NAMESPACE,
  }: RunAddress): Promise<RunRow | null> {
    const live = this.options.peek(runId);
    const isInMemory = live !== undefined && live.durable.seq > 0;
    const row = isInMemory ? null : await this.options.store.readRow({ runId });
    const found = isInMemory ? live.durable : row;
    if (found?.workflowId !== workflowId || found.namespace !== namespace) throw new UnknownRunError(runId);
    return row;
  }

  /** The run from memory, unless somebody else appended to it since; null: the store has to be asked. */
  private async upToDate(runId: string): Promise<RunInMemory | null> {
    const { peek, isAlone, store } = this.options;
    const live = peek(runId);
    if (live === undefined || live.durable.seq === 0) return null;
    if (isAlone) return live;
    const row = await store.readRow({ runId });
    return row !== null && row.lastSeq > live.durable.seq ? null : live;
  }

  private async events(runId: string, afterSeq: number, limit: number): Promise<readonly RunEvent[]> {
    return decodeEvents(await this.options.store.readEvents({ runId, afterSeq, limit }), runId);
  }

  private newestEvents(state: RunState): Promise<readonly RunEvent[]> {
    return this.events(state.runId, Math.max(0, state.seq - EVENTS_FOR_RECORD), EVENTS_FOR_RECORD);
  }
}

function summaryOf(runId: string, event: RunEvent): SnapshotSummary {
  const unitId = 'unitId' in event ? event.unitId : '';
  return { snapshotId: snapshotId(runId, event.seq), createdAt: event.at, after: event.type, unitId };
}
