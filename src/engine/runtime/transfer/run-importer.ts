import { InvalidRequestError } from '../../../errors/request-errors.js';
import { KnownRunError } from '../../../errors/run-errors.js';
import { ShuttingDownError, StoreError } from '../../../errors/service-errors.js';
import { anonymous, type Actor } from '../../core/log/actor.js';
import type { RunEvent } from '../../core/log/event.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { endImport } from '../../core/turn/outside-turns.js';
import type { RunState } from '../../core/state/state.js';
import type { Limits } from '../../core/turn/limits/limits.js';
import type { PreparedImport, Registrar } from '../../definitions/registrar.js';
import type { SettingsAtRest } from '../../definitions/settings-at-rest.js';
import type { WorkflowRegistry } from '../../definitions/registry/workflow-registry.js';
import type { Clock } from '../../ports/clock.js';
import type { DefinitionStore } from '../../ports/store/definition-store.js';
import type { RunLog } from '../../ports/store/run-log.js';
import { inSlices } from '../../scheduling/slice.js';
import type { RunRecord } from '../../run-record.js';
import { importRequest } from '../mailbox/appending/append-request.js';
import { charsOfSourceLogs } from '../mailbox/loading/fork-sources.js';
import type { LoadedState } from '../mailbox/loading/load-state.js';
import { StateWriteInterval } from '../mailbox/loading/state-write-interval.js';
import { checkedLabels, checkNamespace, type Labels } from '../starting/checked-start.js';
import type { ImportRequest } from '../run-requests.js';
import type { RunReader } from '../reading/run-reader.js';
import { logSteps } from './checked-log.js';
import { MAX_IMPORT_BYTES, type ExportHeader } from './export-format.js';
import { foldSteps } from './folded-log.js';
import { ImportedFamily } from './imported-family.js';
import type { LogChecker } from './replay/log-checker.js';
import { exportSteps, type ReadExport } from './read-export.js';
import { Semaphore } from '../../scheduling/semaphore.js';

export interface RunImporterOptions {
  readonly store: Pick<RunLog, 'acceptsRunId' | 'append' | 'readRow' | 'readEvents'> &
    Pick<DefinitionStore, 'readDefinition'>;
  readonly registry: Pick<WorkflowRegistry, 'keep' | 'pinnedTo'>;
  readonly registrar: Pick<Registrar, 'imported'>;
  readonly reader: Pick<RunReader, 'record' | 'foldAsLongLoad'>;
  readonly settings: Pick<SettingsAtRest, 'sealed'>;
  readonly logChecker: Pick<LogChecker, 'follow'>;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly isClosing: () => boolean;
  /** Called with the run that was appended. */
  readonly imported: (run: RunState) => void;
}

/** Each import takes some ten times the memory of what was sent. */
const AT_ONCE = 2;
/** Those that wait hold what was sent. */
const MAX_WAITING = 6;
/** How often an import is written whose definition is deleted meanwhile, which can hardly happen twice. */
const TRIES = 3;

/**
 * Imports runs that were exported, here or elsewhere.
 *
 * 1. Nothing of what was sent is believed: the checksum, the shape of every event, its location in the workflow, and that
 *    the document comes to the hash that the run is pinned to are checked, and all of the log is folded, before anything is
 *    written.
 * 2. A run is there whole or not at all: its log and the event that ends it are one append.
 * 3. Nothing of it is ever called, woken or steered; its parent and its children are runs of elsewhere.
 */
export class RunImporter {
  private readonly slots = new Semaphore(AT_ONCE, { name: 'import of runs', maxWaiting: MAX_WAITING });
  private readonly family: ImportedFamily;

  constructor(private readonly options: RunImporterOptions) {
    this.family = new ImportedFamily(options);
  }

  /**
   * Throws an `InvalidRequestError`, a `YamlValidationError`, a `YamlLoadError`, a `KnownRunError`, a `RegistryFullError`, a
   * `BusyError` or a `ShuttingDownError`.
   */
  async import(request: ImportRequest): Promise<RunRecord> {
    const { namespace = DEFAULT_NAMESPACE } = request;
    checkNamespace(namespace);
    if (request.ndjson.length > MAX_IMPORT_BYTES) {
      throw new InvalidRequestError(
        `The export is larger than ${MAX_IMPORT_BYTES} bytes, and cannot be imported`,
      );
    }
    return this.slots.run(() => this.importNow(request), { caller: namespace });
  }

  private async importNow(request: ImportRequest): Promise<RunRecord> {
    const { namespace = DEFAULT_NAMESPACE, ndjson, by = anonymous('in-process') } = request;
    const { store, reader, registry, clock } = this.options;
    if (this.options.isClosing()) throw new ShuttingDownError();
    const read = await inSlices(exportSteps(Buffer.from(ndjson)));
    const { runId, workflowId } = read.header;
    await request.admit?.(workflowId);
    this.checkId(runId);
    if ((await store.readRow({ runId })) !== null) throw new KnownRunError(runId);
    const prepared = await this.prepared(read.header, namespace);
    const events = await inSlices(logSteps(read, clock.now()));
    const labels = checkedStart(events, read.header, namespace);
    const [, second] = events;
    if (second?.type === 'run-forked') this.checkId(second.fromRunId);
    await this.family.checkParent(events);
    const { plan } = prepared.definition;
    const source = await this.family.sourceOf(events, { plan, namespace });
    const log = { events, plan, source: source?.state ?? null };
    const before = await inSlices(foldSteps(log));
    checkSize(before, this.options.limits);
    await this.options.logChecker.follow({ ...log, ndjson, planText: prepared.planText });
    if (this.options.isClosing()) throw new ShuttingDownError();
    const state = await this.append(before, read, { by, labels, source, definition: prepared.stored });
    // The definition may have been deleted before the run named it.
    const { hash } = prepared.stored;
    if ((await store.readDefinition({ namespace, hash })) === null) await registry.keep(prepared.stored);
    this.options.imported(state);
    return reader.record({ namespace, workflowId, runId });
  }

  /** Throws an `InvalidRequestError` for the id of a run that this store can never have. */
  private checkId(runId: string): void {
    const { store } = this.options;
    if (store.acceptsRunId === undefined || store.acceptsRunId(runId)) return;
    throw new InvalidRequestError(
      `The export names the run ${JSON.stringify(runId.slice(0, 100))}, and runs of this service have UUIDs in lower case: ` +
        'import it into a service that keeps its runs in a data folder',
    );
  }

  private async prepared(header: ExportHeader, namespace: string): Promise<PreparedImport> {
    const { registrar, clock } = this.options;
    const prepared = await registrar.imported(header, { namespace, registeredAt: clock.now() });
    const { workflowId, hash } = prepared.stored;
    if (workflowId !== header.workflowId) {
      throw new InvalidRequestError(
        `The workflow in the export is ${workflowId}, and the run is one of ${header.workflowId.slice(0, 256)}: export the run again`,
      );
    }
    if (hash !== header.hash) {
      throw new InvalidRequestError(
        'The workflow in the export does not come to the hash that its run is pinned to: the document or the way its ' +
          'units were resolved ("uses") is another, or another version of Flowgate reads it differently',
      );
    }
    return prepared;
  }

  /** Throws a `KnownRunError` where another import was first. */
  private async append(
    before: RunState,
    { events: stored, sha256 }: ReadExport,
    { by, labels, source, definition }: Beside,
  ): Promise<RunState> {
    const { store, registry, settings, clock } = this.options;
    const { event, state } = endImport(before, clock.now(), { sha256, by });
    const interval = new StateWriteInterval();
    if (source !== null) interval.restart(-charsOfSourceLogs(source));
    const storedState = interval.stateToStore(state);
    const request = importRequest(state, [...stored, event], { labels, storedState });
    // Nothing names the definition before the run does: whoever deletes what nobody needs may come between.
    for (let tries = 0; tries < TRIES; tries += 1) {
      await registry.keep(definition);
      const result = await store.append(settings.sealed(request));
      if (result === 'appended') return state;
      if (result === 'conflict') throw new KnownRunError(state.runId);
    }
    throw new StoreError(
      `The definition of the run ${state.runId} was deleted again and again while the run was stored: import it again`,
    );
  }
}

/** What is stored together with the log. */
interface Beside {
  readonly by: Actor;
  readonly labels: Labels;
  /** The state that the run was forked from. */
  readonly source: LoadedState | null;
  /** That of its workflow. */
  readonly definition: PreparedImport['stored'];
}

/** The labels that the run was started with. */
function checkedStart([first]: readonly RunEvent[], header: ExportHeader, namespace: string): Labels {
  if (first?.type !== 'run-started')
    throw new InvalidRequestError('The export has no events: export the run again');
  const isSame =
    first.runId === header.runId &&
    first.workflowId === header.workflowId &&
    first.definitionHash === header.hash;
  if (!isSame) {
    throw new InvalidRequestError(
      'The header and the first event of the export are of different runs: export the run again',
    );
  }
  if (first.namespace !== namespace) {
    throw new InvalidRequestError(`The run is one of the namespace ${first.namespace}: import it there`);
  }
  return checkedLabels(first.labels);
}

function checkSize({ stateChars, logChars }: RunState, { maxStateChars, maxLogChars }: Limits): void {
  if (stateChars > maxStateChars) {
    throw new InvalidRequestError(
      `The state of the run is larger than ${maxStateChars} bytes: raise FLOWGATE_MAX_STATE_BYTES to import it`,
    );
  }
  if (logChars > maxLogChars) {
    throw new InvalidRequestError(
      `The log of the run is larger than ${maxLogChars} bytes: raise FLOWGATE_MAX_LOG_BYTES to import it`,
    );
  }
}
