import { FamilySteering } from '../runtime/requests/family-steering.js';
import { GateLists } from '../runtime/lists/gate-lists.js';
import { RunLists } from '../runtime/lists/run-lists.js';
import { CompletionWaiters } from '../runtime/streams/completion-waiters.js';
import { BatchStarter } from '../runtime/starting/batch-starter.js';
import { RunForker } from '../runtime/starting/forks/run-forker.js';
import { NewRuns } from '../runtime/starting/new-runs.js';
import { FullRecords } from '../runtime/reading/full-records.js';
import { RunReader } from '../runtime/reading/run-reader.js';
import { RunStarter } from '../runtime/starting/run-starter.js';
import { RunSteering } from '../runtime/requests/run-steering.js';
import { RunExporter } from '../runtime/transfer/run-exporter.js';
import { RunImporter, type RunImporterOptions } from '../runtime/transfer/run-importer.js';
import { KeptVersions } from '../runtime/lists/kept-versions.js';
import type { MailboxRoom } from './mailbox.js';
import type { EnginePorts } from './ports.js';
import type { UnitsRoom } from './units.js';

export type RequestsRoom = ReturnType<typeof assembleRequests>;

export interface RequestsRoomOptions {
  readonly ports: EnginePorts;
  readonly units: UnitsRoom;
  readonly mailbox: MailboxRoom;
  /** See `RunChanges`. */
  readonly imported: RunImporterOptions['imported'];
}

/** What the later rooms know: runs, and who requests something of them. */
export interface RunRooms extends Omit<RequestsRoomOptions, 'imported'> {
  readonly requests: RequestsRoom;
}

/** What callers request: to begin runs, to steer them, to read and list them, and to wait for them. */
export function assembleRequests({ ports, units, mailbox, imported }: RequestsRoomOptions) {
  const { options, ids, driver, watch, isClosing } = ports;
  const { store, clock } = options;
  const { registry, registrar, sealer, comparer, logChecker, waitingForUnits } = units;
  const { live, openRuns, slices, settings, limits, notifier, orders, ownership } = mailbox;
  const { isAlone } = driver;
  const reader = new RunReader({
    store,
    slices,
    peek: (runId) => live.peek(runId),
    isAlone,
    isBarred: ownership.isBarred,
    // Where nobody is authenticated, every name is a claim.
    tellsClaims: options.policy !== undefined,
  });
  const completions = new CompletionWaiters({
    store,
    watch,
    clock,
    reader,
    owns: ownership.owns,
    awaitsUnit: (runId) => waitingForUnits.has(runId),
    unitWaitMs: options.resumeWaitMs,
  });
  const family = new FamilySteering({ live, reader, store, notifier });
  const newRuns = new NewRuns({ live, openRuns, reader, completions, store, driver, ids, clock });
  const starter = new RunStarter({ registry, newRuns, isClosing });
  return {
    reader,
    completions,
    family,
    steering: new RunSteering({
      live,
      reader,
      completions,
      store,
      clock,
      waitMs: options.resumeWaitMs,
      sameInstantMs: options.sameInstantMs,
      cancelGraceMs: options.cancelGraceMs,
      family,
      orders,
    }),
    starter,
    batchStarter: new BatchStarter({ starter, registry, isClosing }),
    forker: new RunForker({
      registry,
      reader,
      store,
      newRuns,
      isClosing,
      isPastGatesAllowed: options.forkPastGates,
    }),
    importer: new RunImporter({
      store,
      registry,
      registrar,
      reader,
      settings,
      logChecker,
      clock,
      limits,
      isClosing,
      imported,
    }),
    exporter: new RunExporter({ store, registry, registrar }),
    fullRecords: new FullRecords({ store, reader, registry, sealer, comparer }),
    runLists: new RunLists({ store, clock }),
    gateLists: new GateLists(store),
    versions: new KeptVersions({ store, registry, sealer, comparer }),
  };
}
