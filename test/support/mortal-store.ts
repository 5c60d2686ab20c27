import type { AppendRequest, RunStore } from '../../src/engine/ports/run-store.js';

/** With which append a process dies, and whether that one still reaches the store. */
export interface Death {
  readonly isStored: boolean;
  /** Asked for each append in turn. */
  isDueAt(request: AppendRequest): boolean;
}

/**
 * A store as one process sees it. Once the process is dead, nothing of it reaches the store any more, and nothing of the
 * store reaches it: what it asks for is never answered. The store itself, in which the next process finds what was stored,
 * goes on.
 */
export class MortalStore {
  /** What the engine is given. */
  readonly store: RunStore;
  /** Questions that have no answer yet. */
  pending = 0;
  /** Questions so far. */
  asked = 0;
  private death: Death | null = null;
  private dead = false;

  constructor(private readonly base: RunStore) {
    this.store = new Proxy(base, { get: (_target, name) => this.read(name) });
  }

  get isDead(): boolean {
    return this.dead;
  }

  /** Dies at once. */
  die(): void {
    this.dead = true;
    this.pending = 0;
  }

  /** Dies with the append for which `isDueAt` says so; null takes it back. */
  dieWith(death: Death | null): void {
    this.death = death;
  }

  private read(name: string | symbol): unknown {
    const found: unknown = Reflect.get(this.base, name, this.base);
    if (typeof found !== 'function' || name === 'constructor') return found;
    return (...given: unknown[]): unknown => {
      const isMark = name === 'markCalls' || name === 'markAtRisk' || name === 'tellCommits';
      if (this.dead) return isMark ? undefined : never();
      const call = (): unknown => Reflect.apply(found, this.base, given);
      if (isMark) return call();
      // The store outlives the process.
      if (name === 'close') return Promise.resolve();
      if (name === 'append' && this.diesWith(given[0] as AppendRequest, call)) return never();
      this.asked += 1;
      const answer = call();
      return answer instanceof Promise ? this.answered(answer) : answer;
    };
  }

  private diesWith(request: AppendRequest, store: () => unknown): boolean {
    if (this.death?.isDueAt(request) !== true) return false;
    if (this.death.isStored) void Promise.resolve(store()).catch(() => undefined);
    this.die();
    return true;
  }

  private async answered(answer: Promise<unknown>): Promise<unknown> {
    this.pending += 1;
    try {
      return await answer;
    } finally {
      if (this.dead) await never();
      this.pending -= 1;
    }
  }
}

function never(): Promise<never> {
  return new Promise<never>(() => undefined);
}
