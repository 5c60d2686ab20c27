import { assembleMailbox, type MailboxRoom } from './assembly/mailbox.js';
import { assembleObservation, type ObservationRoom } from './assembly/observation.js';
import { assembleOwnership, type OwnershipRoom } from './assembly/ownership.js';
import { portsOf, type EnginePorts } from './assembly/ports.js';
import { assembleRequests, type RequestsRoom } from './assembly/requests.js';
import { RunChanges } from './assembly/run-changes.js';
import { assembleUnits, type UnitsRoom } from './assembly/units.js';
import type { EngineOptions } from './engine-options.js';

/** All parts of an engine, of whichever room. */
export type EngineParts = EnginePorts &
  UnitsRoom &
  MailboxRoom &
  RequestsRoom &
  OwnershipRoom &
  ObservationRoom;

/**
 * Puts an engine together, room after room. A room knows those before it; what it does in a later one it is given as a
 * function that is called only when runs move, never a field that is set afterwards. `isClosing`: the engine takes nothing
 * new any more.
 */
export function assemble(given: EngineOptions, isClosing: () => boolean): EngineParts {
  const ports: EnginePorts = portsOf(given, isClosing);
  const units: UnitsRoom = assembleUnits({
    ports,
    indexed: () => observation.memories.hurry(),
    lacksUnit: (runId) => requests.completions.lacksUnit(runId),
  });
  const mailbox: MailboxRoom = assembleMailbox({
    ports,
    units,
    changed: (run, events, before) => changes.changed(run, events, before),
    nudged: (runId) => ownership.owner.nudged(runId),
    followsDeath: (runId, updatedAt) => ownership.owner.followsDeath(runId, updatedAt),
    tenure: (runId) => ownership.owner.tenure(runId),
    wakeAt: (runId, at) => ownership.due.set(runId, at),
    wakeFamilies: () => observation.families.wake(),
  });
  const requests: RequestsRoom = assembleRequests({
    ports,
    units,
    mailbox,
    imported: (run) => changes.imported(run),
  });
  const ownership: OwnershipRoom = assembleOwnership({ ports, units, mailbox, requests });
  const observation: ObservationRoom = assembleObservation({ ports, units, mailbox, requests });
  const changes: RunChanges = new RunChanges({ ...ports, ...mailbox, ...requests, ...observation });
  return { ...ports, ...units, ...mailbox, ...requests, ...ownership, ...observation };
}
