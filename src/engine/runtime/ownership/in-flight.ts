import { pending } from '../../core/pending.js';
import { unitOf, type PlanUnit } from '../../core/plan/plan.js';
import type { Definition } from '../../definitions/definition.js';
import type { Clock } from '../../ports/clock.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { RunInMemory } from '../run-shell.js';

/** What is under way. A run that waits for a time, for people or for an unregistered unit does not count. */
export interface InFlightCount {
  /** Calls that have begun and whose outcome is not stored: another process makes them again, under the same keys. */
  readonly units: number;
  /** Runs that have such calls, or something else to call or to store at once. */
  readonly runs: number;
}

export interface InFlightOptions {
  readonly live: Pick<LiveRuns, 'all'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Whether this process can call the unit. */
  readonly has: (definition: Definition, unit: PlanUnit) => boolean;
  readonly owns: (runId: string) => boolean;
}

/**
 * Counts what is in flight, and, when the engine closes, what it leaves behind.
 *
 * 1. Only the log counts: an outcome that came too late to be stored is lost.
 * 2. While the engine closes, runs leave memory although they have units to call, which are not called any more.
 */
export class InFlight {
  /** By run, the executions that had been called when the engine released it. */
  private readonly called = new Map<string, ReadonlySet<number>>();
  /** Runs that left memory with something to call, and how many of those calls had begun. */
  private readonly left = new Map<string, number>();

  constructor(private readonly options: InFlightOptions) {}

  /** Releases all runs: the engine does not wait for them any more. */
  releaseAll(): void {
    for (const run of this.options.live.all()) {
      this.called.set(run.runId, new Set(run.dispatcher.underWay));
      run.releaseOwnership();
    }
  }

  /** The run leaves memory while the engine closes. It may come back, and leave again. */
  leaves(run: RunInMemory): void {
    const open = this.openIn(run);
    if (open.length === 0) this.left.delete(run.runId);
    else this.left.set(run.runId, this.begun(run.runId, open, []));
  }

  count(): InFlightCount {
    const units = new Map(this.left);
    for (const run of this.options.live.all()) {
      const open = this.openIn(run);
      if (open.length === 0 && run.isIdle) units.delete(run.runId);
      else units.set(run.runId, this.begun(run.runId, open, run.dispatcher.underWay));
    }
    return { units: [...units.values()].reduce((sum, count) => sum + count, 0), runs: units.size };
  }

  /** The executions that this process would call now if it were not closing. */
  private openIn({ runId, durable, definition }: RunInMemory): readonly number[] {
    const { owns, has, clock } = this.options;
    if (!owns(runId)) return [];
    const now = clock.now();
    return pending(durable).flatMap((command) => {
      if (command.type !== 'execute-unit' || command.execution.retryAt > now) return [];
      const { id, path } = command.execution;
      return has(definition, unitOf(definition.plan, path)) ? [id] : [];
    });
  }

  private begun(runId: string, open: readonly number[], underWay: readonly number[]): number {
    const called = new Set([...(this.called.get(runId) ?? []), ...underWay]);
    return open.filter((id) => called.has(id)).length;
  }
}
