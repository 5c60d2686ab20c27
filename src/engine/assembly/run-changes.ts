import type { RunEvent } from '../core/log/event.js';
import type { RunState } from '../core/state/state.js';
import type { RunInMemory, RunNotifier } from '../runtime/run-shell.js';
import { meterRun } from '../runtime/telemetry/run-meter.js';
import type { MailboxRoom } from './mailbox.js';
import type { ObservationRoom } from './observation.js';
import type { EnginePorts } from './ports.js';
import type { RequestsRoom } from './requests.js';

/** Who is notified of what runs did. */
export type NotifiedParts = Pick<EnginePorts, 'watch' | 'telemetry' | 'tracing'> &
  Pick<MailboxRoom, 'children'> &
  Pick<RequestsRoom, 'completions'> &
  Pick<ObservationRoom, 'memories' | 'audits' | 'logTail' | 'runLogger' | 'observers'>;

export interface ChangeListener {
  readonly name: string;
  readonly changed: RunNotifier['changed'];
}

/**
 * What happens when a run has changed, in this order.
 *
 * 1. What they are notified of is durable, and the run is still in memory: it leaves only afterwards.
 * 2. None of them is waited for. What throws in a host's code is caught where that is called.
 * 3. Promises that are resolved here continue in the order of the list: callers first, then the run's family, then those who
 *    read the log, then those who only report.
 */
export function changeListeners(parts: NotifiedParts): readonly ChangeListener[] {
  const { completions, children, watch, memories, audits, logTail } = parts;
  const { runLogger, observers, telemetry, tracing } = parts;
  const listeners: readonly (ChangeListener | null)[] = [
    { name: 'callers that wait', changed: (run) => completions.changed(run) },
    { name: 'family', changed: (run, events, before) => children.changed(run, events, before) },
    { name: 'watch', changed: ({ runId, durable }) => watch.announce({ runId, seq: durable.seq }) },
    { name: 'memory', changed: () => memories.wake() },
    audits && { name: 'audit', changed: () => audits.wake() },
    { name: 'streams', changed: () => logTail.wake() },
    {
      name: 'log of the process',
      changed: ({ durable }, events, before) => runLogger.fromEvents(durable, events, before),
    },
    {
      name: 'observers',
      changed: ({ durable }, events, before) => observers.fromEvents(durable, events, before),
    },
    telemetry && {
      name: 'metrics',
      changed: ({ durable }, events) => meterRun(telemetry, durable.createdAt, events),
    },
    { name: 'traces', changed: ({ durable }, events) => tracing.runMoved(durable, events) },
  ];
  return listeners.filter((listener) => listener !== null);
}

/** Notifies of everything that became of runs here. */
export class RunChanges {
  private readonly listeners: readonly ChangeListener[];

  constructor(private readonly parts: NotifiedParts) {
    this.listeners = changeListeners(parts);
  }

  changed(run: RunInMemory, events: readonly RunEvent[], before: RunState | null): void {
    for (const listener of this.listeners) listener.changed(run, events, before);
  }

  /** A run was imported: nobody here did anything, so there is nothing to report, and nobody waits for it but those who read the log. */
  imported({ runId, seq }: RunState): void {
    const { watch, memories, audits, logTail } = this.parts;
    watch.announce({ runId, seq });
    memories.wake();
    audits?.wake();
    logTail.wake();
  }
}
