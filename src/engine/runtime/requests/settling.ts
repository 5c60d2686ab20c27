import { statusOf } from '../../core/state/status.js';
import type { Clock } from '../../ports/clock.js';
import type { RunInMemory } from '../mailbox/run-shell.js';

/** What somebody who waits for a run is told, at the moment at which it stopped. */
type Listener = (run: RunInMemory) => void;

/** Those who wait until a run is paused, completed or failed. */
export class Settling {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly releases = new Set<() => void>();

  constructor(private readonly clock: Clock) {}

  /** Called after every durable change; costs nothing for a run that nobody waits for. */
  changed(run: RunInMemory): void {
    if (this.listeners.size === 0) return;
    const waiting = this.listeners.get(run.runId);
    if (waiting === undefined || statusOf(run.durable) === 'running') return;
    this.listeners.delete(run.runId);
    for (const listener of waiting) listener(run);
  }

  /** The process ends: whoever still waits is told nothing more (null). */
  release(): void {
    for (const waiting of this.releases) waiting();
  }

  /** The run did not come to be: nobody will be told anything. */
  forget(runId: string): void {
    this.listeners.delete(runId);
  }

  /**
   * Resolves with `read(run)` once the run stops, or with null after `maxWaitMs` (null: no bound). The run
   * must not have stopped yet; `read` is called at once, while the run is still in memory.
   */
  next<T>(
    runId: string,
    maxWaitMs: number | null,
    read: (run: RunInMemory) => T | Promise<T>,
  ): Promise<T | null> {
    return new Promise((resolve) => {
      const waiting = this.listeners.get(runId) ?? new Set<Listener>();
      this.listeners.set(runId, waiting);
      const giveUp = (): void => {
        end();
        waiting.delete(listener);
        if (waiting.size === 0 && this.listeners.get(runId) === waiting) this.listeners.delete(runId);
        resolve(null);
      };
      const cancelTimer =
        maxWaitMs === null ? undefined : this.clock.schedule(this.clock.now() + maxWaitMs, giveUp);
      const end = (): void => {
        cancelTimer?.();
        this.releases.delete(giveUp);
      };
      const listener: Listener = (run) => {
        end();
        resolve(read(run));
      };
      waiting.add(listener);
      this.releases.add(giveUp);
    });
  }
}
