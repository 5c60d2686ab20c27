import { NoCheckpointError, UnknownRunError } from '../../../errors/run-errors.js';
import { isCheckpoint, seqOfSnapshot, snapshotId } from '../../core/log/checkpoint.js';
import type { RunEvent } from '../../core/log/event.js';
import type { RunMessage } from '../../core/log/messages.js';
import { messagesOf } from '../../core/log/messages.js';
import type { RunState } from '../../core/state/state.js';
import { recordedState } from '../../core/state/state-view.js';
import type { RunStore } from '../../ports/run-store.js';
import type { RunRecord, Snapshot, SnapshotSummary } from '../../run-record.js';
import type { RunInMemory } from '../mailbox/run-shell.js';
import { loadState } from '../mailbox/load-state.js';
import { completedUnitsOf, hasResult, MAX_RECORD_MESSAGES, recordOf } from './record.js';

/** Every event says at most a handful of things, most of them at least one in two. */
const EVENTS_FOR_RECORD = 4 * MAX_RECORD_MESSAGES;
const PAGE_EVENTS = 1_000;

export interface RunAddress {
  readonly workflowId: string;
  readonly runId: string;
}

export interface MessagePage {
  /** Oldest first. */
  readonly messages: readonly RunMessage[];
  /** `afterSeq` of the next page; null at the end. */
  readonly next: number | null;
}

/** Answers questions about runs, from what is durable and only from that. */
export class RunReader {
  constructor(
    private readonly store: RunStore,
    private readonly live: (runId: string) => RunInMemory | undefined,
  ) {}

  /** Throws an `UnknownRunError` for a run that does not exist or is another workflow's. */
  async assertExists({ workflowId, runId }: RunAddress): Promise<void> {
    const live = this.live(runId);
    const found = live?.durable.workflowId || (await this.store.readRow({ runId }))?.workflowId;
    if (found !== workflowId) throw new UnknownRunError(runId);
  }

  async record(address: RunAddress): Promise<RunRecord> {
    await this.assertExists(address);
    const live = this.live(address.runId);
    if (live !== undefined && live.durable.seq > 0) return this.recordOfLive(live);
    const { state, events } = await this.fold(address.runId, null);
    const complete = events.length === state.seq || !hasResult(state);
    return recordOf(state, complete ? events : await this.newestEvents(state));
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
      const events = await this.store.readEvents({ runId: address.runId, afterSeq: seq, limit: PAGE_EVENTS });
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
      const events = await this.store.readEvents({ runId: address.runId, afterSeq: seq, limit: PAGE_EVENTS });
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
    const [event] = seq === null ? [] : await this.store.readEvents({ runId, afterSeq: seq - 1, limit: 1 });
    if (event === undefined || !isCheckpoint(event)) throw new NoCheckpointError(runId);
    return event;
  }

  /** The run's state after event `atSeq` (null: at the end), and the events that were folded for it. */
  async fold(
    runId: string,
    atSeq: number | null,
  ): Promise<{ readonly state: RunState; readonly events: readonly RunEvent[] }> {
    const loaded = await loadState(this.store, { runId, atSeq });
    if (loaded === null) throw new UnknownRunError(runId);
    return loaded;
  }

  private newestEvents(state: RunState): Promise<readonly RunEvent[]> {
    const afterSeq = Math.max(0, state.seq - EVENTS_FOR_RECORD);
    return this.store.readEvents({ runId: state.runId, afterSeq, limit: EVENTS_FOR_RECORD });
  }
}

function summaryOf(runId: string, event: RunEvent): SnapshotSummary {
  const unitId = 'unitId' in event ? event.unitId : '';
  return { snapshotId: snapshotId(runId, event.seq), createdAt: event.at, after: event.type, unitId };
}
