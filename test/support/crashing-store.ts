import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';

/** With which append a process crashes, and whether that one still reaches the store. */
export interface Crash {
  readonly isStored: boolean;
  /** Called for each append in its order. */
  isDueAt(request: AppendRequest): boolean;
}

/**
 * A store as one process sees it. Once the process has crashed, nothing of it reaches the store any more, and nothing of the
 * store reaches it: what it requests is never answered. The store itself, in which the next process finds what was stored,
 * continues.
 */
export class CrashingStore {
  /** What the engine is given. */
  readonly store: RunStore;
  /** Questions that have no answer yet. */
  pending = 0;
  /** Questions so far. */
  asked = 0;
  private crash: Crash | null = null;
  private crashed = false;

  constructor(private readonly base: RunStore) {
    this.store = new Proxy(base, { get: (_target, name) => this.read(name) });
  }

  get hasCrashed(): boolean {
    return this.crashed;
  }

  /** Crashes at once. */
  crashNow(): void {
    this.crashed = true;
    this.pending = 0;
  }

  /** Crashes with the append for which `isDueAt` says so; null takes it back. */
  crashAt(crash: Crash | null): void {
    this.crash = crash;
  }

  private read(name: string | symbol): unknown {
    const found: unknown = Reflect.get(this.base, name, this.base);
    if (typeof found !== 'function' || name === 'constructor') return found;
    return (...given: unknown[]): unknown => {
      const isMark = name === 'markCalls' || name === 'markAtRisk' || name === 'tellCommits';
      if (this.crashed) return isMark ? undefined : never();
      const call = (): unknown => Reflect.apply(found, this.base, given);
      if (isMark) return call();
      // The store outlives the process.
      if (name === 'close') return Promise.resolve();
      if (name === 'append' && this.crashesAt(given[0] as AppendRequest, call)) return never();
      this.asked += 1;
      const answer = call();
      return answer instanceof Promise ? this.answered(answer) : answer;
    };
  }

  private crashesAt(request: AppendRequest, store: () => unknown): boolean {
    if (this.crash?.isDueAt(request) !== true) return false;
    if (this.crash.isStored) void Promise.resolve(store()).catch(() => undefined);
    this.crashNow();
    return true;
  }

  private async answered(answer: Promise<unknown>): Promise<unknown> {
    this.pending += 1;
    try {
      return await answer;
    } finally {
      if (this.crashed) await never();
      this.pending -= 1;
    }
  }
}

function never(): Promise<never> {
  return new Promise<never>(() => undefined);
}
