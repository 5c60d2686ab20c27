import type { GateOpened } from '../../core/waits/gate.js';
import { deepFreeze } from '../../core/freeze.js';
import type { GateEvents } from './gate-events.js';

/** `openedAt` in epoch ms. */
interface Listed {
  readonly gateId: number;
  readonly openedAt: number;
}

/** Of so many gates what is shown is kept, and of so many characters of JSON in all. */
interface SeenBounds {
  readonly gates: number;
  readonly chars: number;
}

interface Seen<Shown> {
  readonly shown: Shown;
  /** As JSON. */
  readonly chars: number;
}

/**
 * What lists show of gates, kept for the next one who asks: what a gate asks never changes, and reading it again costs what
 * its whole payload and title do, though no more than their beginnings may be shown.
 */
export class SeenGates<Shown> {
  /** By run, gate and instant; the one that was used last stands last. */
  private readonly seen = new Map<string, Seen<Shown>>();
  private chars = 0;

  constructor(
    private readonly events: Pick<GateEvents, 'opened'>,
    private readonly shownOf: (event: GateOpened) => Shown,
    private readonly most: SeenBounds,
  ) {}

  /** By gate id; one is missing where its run was purged a moment ago. */
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

/** The id of a run that was purged may come again with an import, and its log be another one. */
function nameOf(runId: string, { gateId, openedAt }: Listed): string {
  return `${runId}/${gateId}/${openedAt}`;
}
