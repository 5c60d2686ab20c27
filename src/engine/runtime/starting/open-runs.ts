import { NamespaceFullError } from '../../../errors/service-errors.js';
import type { Clock } from '../../ports/clock.js';
import type { RunIndex } from '../../ports/store/run-index.js';

/** What was counted is relied on for so long (ms): runs that were resumed, and what other processes began, is in no count of here. */
const RELIED_ON_MS = 1_000;
/** More namespaces than these are forgotten where nothing begins. */
const MOST_IDLE = 1_000;

export interface OpenRunsOptions {
  readonly store: Pick<RunIndex, 'countOpenRuns'>;
  readonly clock: Clock;
  /** Of a namespace; null: as many as there may be. */
  readonly most: number | null;
}

/** A namespace. `counted` with `begun` is never less than how many of its runs are open, but for what `RELIED_ON_MS` says. */
interface Namespace {
  /** How many were open when they were last counted; null: never. */
  counted: number | null;
  /** How many began since. */
  begun: number;
  /** When they were last counted (by the clock's `now`). */
  at: number;
  /** How often it was begun to count them. */
  looks: number;
  /** How many begin at the moment. */
  beginning: number;
  counting: Promise<void> | null;
  /** Called when the last one that was beginning has begun. */
  settled: (() => void) | null;
}

/**
 * Bounds how many runs of a namespace are open at once.
 *
 * 1. A process that is alone begins no more than that. Several exceed it by what the others begin within a second, at most.
 * 2. Nothing is refused but by a count that was made after it was requested, while nothing of the namespace was beginning.
 * 3. Children begin regardless, and count; so do runs that are resumed.
 */
export class OpenRuns {
  private readonly namespaces = new Map<string, Namespace>();

  constructor(private readonly options: OpenRunsOptions) {}

  /**
   * Begins a run, of which `append` is the first write. Rejects with a `NamespaceFullError`, or as the store does that cannot count.
   */
  begin(namespace: string, append: () => Promise<unknown>): Promise<unknown> {
    const { most } = this.options;
    return most === null ? append() : this.beginWithin(most, namespace, append);
  }

  /** A run of the namespace begins that nobody asked whether it may. */
  began(namespace: string): void {
    const known = this.namespaces.get(namespace);
    if (known !== undefined) known.begun += 1;
  }

  private async beginWithin(most: number, name: string, append: () => Promise<unknown>): Promise<unknown> {
    const namespace = this.at(name);
    await this.admit(most, name, namespace);
    try {
      return await append();
    } finally {
      namespace.beginning -= 1;
      if (namespace.beginning === 0) namespace.settled?.();
    }
  }

  /** It counts as beginning afterwards, from the same tick on in which there was room for it. */
  private async admit(most: number, name: string, namespace: Namespace): Promise<void> {
    const { looks } = namespace;
    while (!this.mayBegin(most, name, namespace, looks))
      await (namespace.counting ?? this.count(most, name, namespace));
    namespace.begun += 1;
    namespace.beginning += 1;
  }

  /** False: that has to be counted first. `looks`: of the namespace, when it was requested. Throws a `NamespaceFullError`. */
  private mayBegin(most: number, name: string, namespace: Namespace, looks: number): boolean {
    const { counting, counted, at, begun } = namespace;
    if (counting !== null || counted === null) return false;
    const isCountedSince = namespace.looks > looks;
    if (!isCountedSince && this.options.clock.now() - at >= RELIED_ON_MS) return false;
    if (counted + begun < most) return true;
    if (isCountedSince) throw new NamespaceFullError(name, most);
    return false;
  }

  private count(most: number, name: string, namespace: Namespace): Promise<void> {
    namespace.counting ??= this.countNow(most, name, namespace).finally(() => (namespace.counting = null));
    return namespace.counting;
  }

  private async countNow(atMost: number, name: string, namespace: Namespace): Promise<void> {
    const { store, clock } = this.options;
    if (namespace.beginning > 0) {
      await new Promise<void>((resolve) => (namespace.settled = resolve));
      namespace.settled = null;
    }
    namespace.begun = 0;
    namespace.looks += 1;
    const at = clock.now();
    namespace.counted = await store.countOpenRuns({ namespace: name, atMost });
    namespace.at = at;
  }

  private at(name: string): Namespace {
    const known = this.namespaces.get(name);
    if (known !== undefined) return known;
    if (this.namespaces.size >= MOST_IDLE) this.forgetIdle();
    const namespace: Namespace = {
      counted: null,
      begun: 0,
      at: 0,
      looks: 0,
      beginning: 0,
      counting: null,
      settled: null,
    };
    this.namespaces.set(name, namespace);
    return namespace;
  }

  private forgetIdle(): void {
    for (const [name, { beginning, counting }] of this.namespaces)
      if (beginning === 0 && counting === null) this.namespaces.delete(name);
  }
}
