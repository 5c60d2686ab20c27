import { groupOf } from '../../engine/scheduling/caller.js';

/** A body that is arriving. */
export interface PooledUpload {
  /** Whose it is; all of whom nothing is known are one caller. */
  readonly caller: string;
  /** How much memory it holds. */
  readonly bytes: number;
  /** Called when it must release what it holds, and leave the pool. */
  giveWay(): void;
}

/**
 * Limits how much arriving bodies hold together. Beyond the limit it is the group of callers that holds most of whom one gives way, in
 * it the caller that holds most, and of theirs the one that has gone longest without progress. Neither early bytes nor a trickle secure a
 * slot: an upload that stays must be as fast as the others of its caller, and is then done as soon as they are.
 */
export class UploadPool {
  /** The uploads in the order of their last progress. */
  private readonly uploads = new Set<PooledUpload>();
  private held = 0;
  /** How much groups hold, and the callers in each; none that holds nothing. */
  private readonly groups = new Map<string, Map<string, number>>();

  constructor(private readonly maxBytes: number) {}

  /** `upload`, which may be new here, holds `grown` bytes more. */
  hold(upload: PooledUpload, grown: number, hasProgressed: boolean): void {
    if (hasProgressed) this.uploads.delete(upload);
    this.uploads.add(upload);
    this.change(upload.caller, grown);
    while (this.held > this.maxBytes) {
      const slowest = this.slowestOf(this.greediest());
      if (slowest === undefined) return;
      slowest.giveWay();
    }
  }

  release(upload: PooledUpload): void {
    if (this.uploads.delete(upload)) this.change(upload.caller, -upload.bytes);
  }

  private change(caller: string, by: number): void {
    this.held += by;
    const group = groupOf(caller);
    const callers = this.groups.get(group) ?? new Map<string, number>();
    const held = (callers.get(caller) ?? 0) + by;
    if (held > 0) callers.set(caller, held);
    else callers.delete(caller);
    if (callers.size > 0) this.groups.set(group, callers);
    else this.groups.delete(group);
  }

  private greediest(): string | undefined {
    const groups = [...this.groups.values()];
    const most = groups.toSorted((a, b) => sumOf(b) - sumOf(a))[0] ?? new Map<string, number>();
    return [...most].toSorted(([, a], [, b]) => b - a)[0]?.[0];
  }

  private slowestOf(caller: string | undefined): PooledUpload | undefined {
    for (const upload of this.uploads) if (upload.caller === caller) return upload;
    return undefined;
  }
}

function sumOf(callers: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const held of callers.values()) sum += held;
  return sum;
}
