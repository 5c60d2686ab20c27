import type { Signal } from '../../core/signal.js';
import { openChildrenOf } from '../../core/waits/family-orders.js';
import type { RunRow, RunStore } from '../../ports/run-store.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { Mail } from '../mailbox/mail.js';
import type { OpenGate } from '../requests/open-gates.js';
import type { RunReader } from '../requests/run-reader.js';
import type { ParentNews } from './parent-news.js';
import { childrenOf, runsBelowWithGates } from './stored-children.js';

/** A gate of a child run, whichever run it is a child of. */
export type ChildGate = OpenGate & { readonly runId: string; readonly workflowId: string };

export interface FamilySteeringOptions {
  readonly live: Pick<LiveRuns, 'withRun'>;
  readonly reader: Pick<RunReader, 'openGates' | 'fold'>;
  readonly store: Pick<RunStore, 'readRow' | 'listChildren' | 'listRunsBelowWithGates'>;
  readonly news: ParentNews;
}

/** What people ask of a run, as far as it is for the runs that it waits for. */
export class FamilySteering {
  constructor(private readonly options: FamilySteeringOptions) {}

  /** The open gates of all that the run waits for, directly or not; at least `enough`, where there are so many. */
  async openGates(runId: string, enough = Infinity): Promise<readonly ChildGate[]> {
    const gates: ChildGate[] = [];
    for await (const row of runsBelowWithGates(this.options.store, runId)) {
      if (await this.isWaitedFor(row, runId)) gates.push(...(await this.gatesOf(row)));
      if (gates.length >= enough) break;
    }
    return gates;
  }

  /** A gate that was named with its run; null when that is open in no run that this one waits for. */
  async openGate(runId: string, gateRunId: string, gateId: number): Promise<ChildGate | null> {
    const row = await this.options.store.readRow({ runId: gateRunId });
    if (row === null || !(await this.isWaitedFor(row, runId))) return null;
    return (await this.gatesOf(row)).find((gate) => gate.gateId === gateId) ?? null;
  }

  /** Hands a decision to a child; resolves once all runs up to the one that was asked know how the child stands then. */
  async decide(gate: ChildGate, signal: Signal, key: Mail['key'], askedRunId: string): Promise<void> {
    await this.options.live.withRun(gate.runId, async (run) => {
      await run.send([signal], key);
      await this.tellUpTo(run, askedRunId);
    });
  }

  /** Resolves once the run has heard of those that stand still: a child says so itself before its parent knows. */
  async hearOfPauses(parent: LiveRun): Promise<void> {
    const { store, reader, news } = this.options;
    const known = new Map(openChildrenOf(parent.durable).map((child) => [child.childRunId, child]));
    if (known.size === 0) return;
    for await (const { runId, status, lastSeq } of childrenOf(store, parent.runId)) {
      const child = known.get(runId);
      if (child === undefined || status !== 'paused' || lastSeq <= child.heardSeq) continue;
      await news.tell((await reader.fold(runId, null)).state);
    }
  }

  private async gatesOf({ namespace, workflowId, runId }: RunRow): Promise<readonly ChildGate[]> {
    const own = await this.options.reader.openGates({ namespace, workflowId, runId });
    return own.map((gate) => ({ ...gate, runId, workflowId }));
  }

  /** Whether each run on the way up to that one waits for the one below: one that went on by itself asks for itself. */
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

  private async tellUpTo(run: LiveRun, askedRunId: string): Promise<void> {
    const { news, live } = this.options;
    const { parent } = run.durable;
    if (run.runId === askedRunId || parent === null) return;
    await news.tell(run.durable);
    await live.withRun(parent.runId, (above) => this.tellUpTo(above, askedRunId));
  }
}
