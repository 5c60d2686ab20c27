import type { GateOpened } from '../../core/waits/events/gate-events.js';
import { deepFreeze } from '../../core/freeze.js';
import type { GateEvents } from './gate-events.js';

/** `openedAt` in epoch ms. */
interface Listed {
  readonly gateId: number;
  readonly openedAt: number;
}

/** Bounds of what is kept: the number of gates, and the characters of their JSON in all. */
interface SeenBounds {
  readonly gates: number;
  readonly chars: number;
}

interface Seen<Shown> {
  readonly shown: Shown;
  /** The length of its JSON. */
  readonly chars: number;
}

/**
 * Caches what lists show of gates: what a gate asks never changes, and reading it again costs as much as its whole payload
 * and title, although no more than their beginnings may be shown.
 */
export class SeenGates<Shown> {
  /** The cache by run, gate and instant; the entry that was used last is last. */
  private readonly seen = new Map<string, Seen<Shown>>();
  private chars = 0;

  constructor(
    private readonly events: Pick<GateEvents, 'opened'>,
    private readonly shownOf: (event: GateOpened) => Shown,
    private readonly most: SeenBounds,
  ) {}

  /** What is shown, by gate id; one is missing where its run was purged a moment ago. */
  async shown(runId: string, gates: readonly Listed[]): Promise<ReadonlyMap<number, Shown>> {
    const found = new Map<number, Shown>();
    const unseen = new Map<number, Listed>();
    for (const gate of gates) {
      const name = nameOf(runId, gate);
      const known = this.seen.get(name);
      if (known === undefined) unseen.set(gate.gateId, gate);
      else {
        this.keep(name, known);
        found.set(gate.gateId, known.shown);
      }
    }
    if (unseen.size === 0) return found;
    for (const [gateId, event] of await this.events.opened(runId, [...unseen.values()])) {
      const shown = deepFreeze(this.shownOf(event));
      const chars = JSON.stringify(shown).length;
      this.keep(nameOf(runId, { gateId, openedAt: event.at }), { shown, chars });
      found.set(gateId, shown);
    }
    return found;
  }

  private keep(name: string, seen: Seen<Shown>): void {
    this.drop(name);
    this.seen.set(name, seen);
    this.chars += seen.chars;
    for (const oldest of this.seen.keys()) {
      if (this.seen.size <= this.most.gates && this.chars <= this.most.chars) break;
      this.drop(oldest);
    }
  }

  private drop(name: string): void {
    this.chars -= this.seen.get(name)?.chars ?? 0;
    this.seen.delete(name);
  }
}

/** The id of a run that was purged may come again with an import, with another log. */
function nameOf(runId: string, { gateId, openedAt }: Listed): string {
  return `${runId}/${gateId}/${openedAt}`;
}
