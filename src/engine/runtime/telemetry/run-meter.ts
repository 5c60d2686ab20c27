import type { RunEvent } from '../../core/log/event.js';
import type { Telemetry } from '../../ports/telemetry.js';

export type RunEnd = Parameters<Telemetry['runEnded']>[0];

const ENDS: Readonly<Partial<Record<RunEvent['type'], RunEnd>>> = {
  'run-completed': 'completed',
  'run-failed': 'failed',
  'run-cancelled': 'cancelled',
};

/** How the run ended with the event; null: it did not. Asked of every event, so it makes nothing. */
export function endIn({ type }: RunEvent): RunEnd | null {
  return ENDS[type] ?? null;
}

/** Counts the runs that begin and end by the events of an append. `createdAt`: that of their run, epoch ms. */
export function meterRun(telemetry: Telemetry, createdAt: number, events: readonly RunEvent[]): void {
  for (const event of events) {
    if (event.type === 'run-started') telemetry.runStarted();
    const end = endIn(event);
    if (end !== null) telemetry.runEnded(end, event.at - createdAt);
  }
}
