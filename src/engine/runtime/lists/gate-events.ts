import type { RunEvent } from '../../core/log/event.js';
import type { GateDecided, GateOpened } from '../../core/waits/events/gate-events.js';
import type { RunLogPages } from '../reading/run-log-pages.js';

/** Gates that opened together are close in the log; a gate further away than this is read by itself. */
const NEAR = 50;

/** Reads what gates ask, and how they were decided, from the logs of their runs. */
export class GateEvents {
  constructor(private readonly log: Pick<RunLogPages, 'after'>) {}

  /** The events by gate id; one is missing where its run was purged a moment ago. */
  async opened(
    runId: string,
    gates: readonly { readonly gateId: number }[],
  ): Promise<ReadonlyMap<number, GateOpened>> {
    const found = new Map<number, GateOpened>();
    const left = new Set(gates.map(({ gateId }) => gateId));
    for (const gateId of left) {
      const last = Math.max(...[...left].filter((id) => id < gateId + NEAR));
      for (const event of await this.log.after(runId, gateId - 1, last - gateId + 1)) {
        if (left.delete(event.seq) && event.type === 'gate-opened') found.set(event.seq, event);
      }
      left.delete(gateId);
    }
    return found;
  }

  /** The decision in the event `seq`; null where its run was purged a moment ago. */
  async decided(runId: string, seq: number): Promise<GateDecided | null> {
    const [event]: readonly RunEvent[] = await this.log.after(runId, seq - 1, 1);
    return event?.type === 'gate-decided' ? event : null;
  }
}
