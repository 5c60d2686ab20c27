import type { RunEvent } from '../../core/log/event.js';
import type { Telemetry } from '../../ports/telemetry.js';

/** Counts the runs that begin and end by the events of an append. `createdAt`: that of their run, epoch ms. */
export function meterRun(telemetry: Telemetry, createdAt: number, events: readonly RunEvent[]): void {
  for (const { type, at } of events) {
    if (type === 'run-started') telemetry.runStarted();
    const status = ENDS[type];
    if (status !== undefined) telemetry.runEnded(status, at - createdAt);
  }
}

const ENDS: Readonly<Partial<Record<RunEvent['type'], Parameters<Telemetry['runEnded']>[0]>>> = {
  'run-completed': 'completed',
  'run-failed': 'failed',
  'run-cancelled': 'cancelled',
};
