import { eventKind } from '../../core/log/event-kinds.js';
import type { RunEvent } from '../../core/log/event.js';
import type { PublicEventType } from '../../core/log/public-form.js';
import type { Telemetry } from '../../ports/telemetry.js';

export type RunEnd = Parameters<Telemetry['runEnded']>[0];

const ENDS: ReadonlyMap<PublicEventType, RunEnd> = new Map([
  ['run.completed', 'completed'],
  ['run.failed', 'failed'],
  ['run.cancelled', 'cancelled'],
]);

/** How the run ended with the event; null: it did not. */
export function endIn(event: RunEvent): RunEnd | null {
  const form = eventKind(event.type).facts.publicForm?.(event) ?? null;
  return form === null ? null : (ENDS.get(form.type) ?? null);
}

/** Counts the runs that begin and end by the events of an append. `createdAt`: that of their run, epoch ms. */
export function meterRun(telemetry: Telemetry, createdAt: number, events: readonly RunEvent[]): void {
  for (const event of events) {
    if (event.type === 'run-started') telemetry.runStarted();
    const end = endIn(event);
    if (end !== null) telemetry.runEnded(end, event.at - createdAt);
  }
}
