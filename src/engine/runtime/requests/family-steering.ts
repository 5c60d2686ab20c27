import type { Signal } from '../../core/signal.js';
import { openChildrenOf } from '../../core/family/family-orders.js';
import type { RunIndex } from '../../ports/store/run-index.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { InboxMessage } from '../mailbox/inbox/inbox-message.js';
import type { OpenGate } from '../reading/open-gates.js';
import type { RunReader } from '../reading/run-reader.js';
import type { ParentNotifier } from '../children/parent-notifier.js';
import { childrenOf, runsBelowWithGates } from '../reading/stored-children.js';

/** A gate of a child run, whichever run it is a child of. */
export type ChildGate = OpenGate & { readonly runId: string; readonly workflowId: string };

export interface FamilySteeringOptions {
  readonly live: Pick<LiveRuns, 'withRun'>;
  readonly reader: Pick<RunReader, 'openGates' | 'fold'>;
  readonly store: Pick<RunLog, 'readRow'> & Pick<RunIndex, 'listChildren' | 'listRunsBelowWithGates'>;
  readonly notifier: ParentNotifier;
}

/** Requests of people to a run that concern the runs that it waits for. */
export class FamilySteering {
  constructor(private readonly options: FamilySteeringOptions) {}

  /** The open gates of all runs that the run waits for, directly or not; at least `enough`, if there are as many. */
  async openGates(runId: string, enough = Infinity): Promise<readonly ChildGate[]> {
    const gates: ChildGate[] = [];
    for await (const row of runsBelowWithGates(this.options.store, runId)) {
      if (await this.isWaitedFor(row, runId)) gates.push(...(await this.gatesOf(row)));
      if (gates.length >= enough) break;
    }
    return gates;
  }

  /** A gate that was named with its run; null when it is not open, or this run does not wait for that one. */
  async openGate(runId: string, gateRunId: string, gateId: number): Promise<ChildGate | null> {
    const row = await this.options.store.readRow({ runId: gateRunId });
    if (row === null || !(await this.isWaitedFor(row, runId))) return null;
    return (await this.gatesOf(row)).find((gate) => gate.gateId === gateId) ?? null;
  }

  /** Hands a decision to a child; resolves once all runs up to the requested one are notified of the result. */
  async decide(
    gate: ChildGate,
    signal: Signal,
    key: InboxMessage['key'],
    requestedRunId: string,
  ): Promise<void> {
    await this.options.live.withRun(gate.runId, async (run) => {
      await run.send([signal], key);
      await this.notifyUpTo(run, requestedRunId);
    });
  }

  /** Resolves once the run knows which children are paused: a child's own record shows it before the parent is notified. */
  async hearOfPauses(parent: LiveRun): Promise<void> {
    const { store, reader, notifier } = this.options;
    const known = new Map(openChildrenOf(parent.durable).map((child) => [child.childRunId, child]));
    if (known.size === 0) return;
    for await (const { runId, status, lastSeq } of childrenOf(store, parent.runId)) {
      const child = known.get(runId);
      if (child === undefined || status !== 'paused' || lastSeq <= child.heardSeq) continue;
      await notifier.notify((await reader.fold(runId, null)).state);
    }
  }

  private async gatesOf({ namespace, workflowId, runId }: RunRow): Promise<readonly ChildGate[]> {
    const own = await this.options.reader.openGates({ namespace, workflowId, runId });
    return own.map((gate) => ({ ...gate, runId, workflowId }));
  }

  /** Whether each run on the way up to that one waits for the one below; a detached run is requested directly. */
  private async isWaitedFor({ runId, parentRunId }: RunRow, byRunId: string): Promise<boolean> {
    const { live, store } = this.options;
    if (parentRunId === null) return false;
    const isOpen = await live.withRun(parentRunId, async ({ durable }) =>
      openChildrenOf(durable).some(({ childRunId }) => childRunId === runId),
    );
    if (isOpen !== true) return false;
    if (parentRunId === byRunId) return true;
    const above = await store.readRow({ runId: parentRunId });
    return above !== null && this.isWaitedFor(above, byRunId);
  }

  private async notifyUpTo(run: LiveRun, requestedRunId: string): Promise<void> {
    const { notifier, live } = this.options;
    const { parent } = run.durable;
    if (run.runId === requestedRunId || parent === null) return;
    await notifier.notify(run.durable);
    await live.withRun(parent.runId, (above) => this.notifyUpTo(above, requestedRunId));
  }
}
