import { groupOf } from '../caller.js';
import { leavesAQuarter, roomFor } from './what-is-left.js';

interface Holder {
  held: number;
}

/**
 * Slots that are held for long and by nobody's turn, as open streams are: who finds none is refused, and does not wait.
 *
 * 1. A group of callers (`groupOf`) leaves a quarter of what it finds to other groups, and a caller a quarter of what its group could
 *    still take to the others in it; the first of each may be any free one. So of 1,000 a namespace holds 750, and an owner 563.
 * 2. Nobody in particular (null) takes any free one.
 */
export class DividedSlots {
  private held = 0;
  private readonly holders = new Map<string, Holder>();

  constructor(private readonly capacity: number) {}

  mayTake(caller: string | null): boolean {
    const free = this.capacity - this.held;
    if (caller === null || free <= 0) return free > 0;
    const room = roomFor(this.heldBy(groupOf(caller)), free);
    return leavesAQuarter(this.heldBy(caller), room);
  }

  /** Takes one, whether it may be taken or not. The returned function gives it back, once however often it is called. */
  take(caller: string | null): () => void {
    const names = caller === null ? [] : [...new Set([groupOf(caller), caller])];
    this.change(names, 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.change(names, -1);
      isHeld = false;
    };
  }

  private change(names: readonly string[], by: 1 | -1): void {
    this.held += by;
    for (const name of names) {
      const holder = this.holders.get(name) ?? { held: 0 };
      holder.held += by;
      if (holder.held === 0) this.holders.delete(name);
      else this.holders.set(name, holder);
    }
  }

  private heldBy(name: string): number {
    return this.holders.get(name)?.held ?? 0;
  }
}
