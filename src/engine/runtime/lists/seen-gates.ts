import type { GateOpened } from '../../core/waits/gate.js';
import { deepFreeze } from '../../core/freeze.js';
import type { GateEvents } from './gate-events.js';

/** `openedAt` in epoch ms. */
interface Listed {
  readonly gateId: number;
  readonly openedAt: number;
}

/**
 * What lists show of gates, kept for the next one who asks: what a gate asks never changes, and reading it again costs what
 * its whole payload and title do, though no more than their beginnings may be shown.
 */
export class SeenGates<Shown> {
  /** By run, gate and instant; the one that was used last stands last. */
  private readonly seen = new Map<string, Shown>();

  constructor(
    private readonly events: Pick<GateEvents, 'opened'>,
    private readonly shownOf: (event: GateOpened) => Shown,
    /** Of so many gates it is kept. */
    private readonly most: number,
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
        found.set(gate.gateId, known);
      }
    }
    if (unseen.size === 0) return found;
    for (const [gateId, event] of await this.events.opened(runId, [...unseen.values()])) {
      const shown = deepFreeze(this.shownOf(event));
      this.keep(nameOf(runId, { gateId, openedAt: event.at }), shown);
      found.set(gateId, shown);
    }
    return found;
  }

  private keep(name: string, shown: Shown): void {
    this.seen.delete(name);
    this.seen.set(name, shown);
    for (const oldest of this.seen.keys()) {
      if (this.seen.size <= this.most) break;
      this.seen.delete(oldest);
    }
  }
}

/** The id of a run that was purged may come again with an import, and its log be another one. */
function nameOf(runId: string, { gateId, openedAt }: Listed): string {
  return `${runId}/${gateId}/${openedAt}`;
}
