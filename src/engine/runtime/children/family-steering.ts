import type { Actor } from '../../core/log/actor.js';
import type { Signal } from '../../core/signal.js';
import type { RunState } from '../../core/state/state.js';
import type { Child } from '../../core/waits/child.js';
import { openPausesOf } from '../../core/waits/pause.js';
import type { Clock } from '../../ports/clock.js';
import type { RunStore } from '../../ports/run-store.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { Mail } from '../mailbox/mail.js';
import type { OpenGate } from '../requests/open-gates.js';
import type { RunReader } from '../requests/run-reader.js';
import { openChildren } from './family.js';
import type { ParentNews } from './parent-news.js';

/** Children that are asked something at once; below each of them as many. */
const AT_ONCE = 8;
const PAGE = 200;

/** A gate of a child run, whichever run it is a child of. */
export type ChildGate = OpenGate & { readonly runId: string; readonly workflowId: string };

export interface FamilySteeringOptions {
  readonly live: Pick<LiveRuns, 'withRun'>;
  readonly reader: Pick<RunReader, 'openGates'>;
  readonly store: Pick<RunStore, 'listChildren'>;
  readonly news: ParentNews;
  readonly clock: Clock;
  readonly cancelGraceMs: number;
}

/** What people ask of a run, as far as it is for the runs that it waits for. */
export class FamilySteering {
  constructor(private readonly options: FamilySteeringOptions) {}

  /** The open gates of all that the run waits for, directly or not. Of one without children nothing is read. */
  async openGates(runId: string): Promise<readonly ChildGate[]> {
    const gates: ChildGate[] = [];
    let waitedFor: ReadonlySet<string> | null = null;
    for (let afterRunId: string | null = null; ;) {
      const { store, reader } = this.options;
      const page = await store.listChildren({ parentRunId: runId, afterRunId, limit: PAGE });
      if (page.length > 0) waitedFor ??= await this.waitedFor(runId);
      for (const { namespace, workflowId, runId: childRunId } of page) {
        // One that went on by itself after its end asks for itself.
        if (waitedFor?.has(childRunId) !== true) continue;
        const own = await reader.openGates({ namespace, workflowId, runId: childRunId });
        for (const gate of own) gates.push({ ...gate, runId: childRunId, workflowId });
        gates.push(...(await this.openGates(childRunId)));
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return gates;
      afterRunId = last.runId;
    }
  }

  private async waitedFor(runId: string): Promise<ReadonlySet<string>> {
    const open = await this.options.live.withRun(runId, async ({ durable }) => openChildren(durable));
    return new Set((open ?? []).map(({ childRunId }) => childRunId));
  }

  /** Hands a decision to a child; resolves once all runs up to the one that was asked know how the child stands then. */
  async decide(gate: ChildGate, signal: Signal, key: Mail['key'], askedRunId: string): Promise<void> {
    await this.options.live.withRun(gate.runId, async (run) => {
      await run.send([signal], key);
      await this.tellUpTo(run, askedRunId);
    });
  }

  /** Lifts the pauses of the children that stand still, and of theirs; resolves once the run knows that they go on. */
  async resumeChildren(state: RunState, lift: (pauseId: number) => Signal): Promise<void> {
    const paused = openChildren(state).filter(({ standing }) => standing === 'people');
    await this.withEach(paused, async (run) => {
      await this.resumeChildren(run.durable, lift);
      const signals = openPausesOf(run.durable).map(lift);
      if (run.durable.phase === 'live' && signals.length > 0) await run.send(signals);
      await this.options.news.tell(run.durable);
    });
  }

  /** Pauses the children that move, and theirs. */
  async pauseChildren(state: RunState, by: Actor): Promise<void> {
    const { clock, cancelGraceMs: graceMs } = this.options;
    const moving = openChildren(state).filter(({ standing }) => standing === 'in-flight');
    await this.withEach(moving, async (run) => {
      if (run.durable.phase === 'live') await run.send([{ type: 'pause', at: clock.now(), by, graceMs }]);
      await this.pauseChildren(run.durable, by);
      await this.options.news.tell(run.durable);
    });
  }

  private async tellUpTo(run: LiveRun, askedRunId: string): Promise<void> {
    const { news, live } = this.options;
    const { parent } = run.durable;
    if (run.runId === askedRunId || parent === null) return;
    await news.tell(run.durable);
    await live.withRun(parent.runId, (above) => this.tellUpTo(above, askedRunId));
  }

  private async withEach(children: readonly Child[], use: (run: LiveRun) => Promise<void>): Promise<void> {
    const left = children.values();
    const useNext = async (): Promise<void> => {
      for (const { childRunId } of left) await this.options.live.withRun(childRunId, use);
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, children.length) }, useNext));
  }
}
