import { InvalidRequestError } from '../../../../errors/request-errors.js';
import { IncompatibleDefinitionError, UnknownRunError } from '../../../../errors/run-errors.js';
import { ShuttingDownError } from '../../../../errors/service-errors.js';
import { anonymous } from '../../../core/log/actor.js';
import type { Origin } from '../../../core/log/event.js';
import { DEFAULT_NAMESPACE } from '../../../core/namespace.js';
import type { RunState } from '../../../core/state/state.js';
import type { Definition } from '../../../definitions/definition.js';
import type { WorkflowRegistry } from '../../../definitions/registry/workflow-registry.js';
import type { RunLog } from '../../../ports/store/run-log.js';
import type { RunRow } from '../../../ports/store/run-row.js';
import type { RunRecord } from '../../../run-record.js';
import { charsOfSourceLogs, MAX_GENERATIONS } from '../../mailbox/loading/fork-sources.js';
import type { LoadedState } from '../../mailbox/loading/load-state.js';
import { againWhileStale } from '../again-while-stale.js';
import type { KeyedRequest } from '../idempotency.js';
import type { NewRun, NewRuns } from '../new-runs.js';
import { RunLogPages } from '../../reading/run-log-pages.js';
import { assertWayBack } from './way-back.js';
import type { RunReader } from '../../reading/run-reader.js';
import type { ForkRequest } from '../../run-requests.js';
import { checkedFork, contentOf, type CheckedFork } from './checked-fork.js';
import { checkDefinition, checkEdits, editsOf, inputOf, type ForkContent } from './fork-edits.js';
import { findLocation, type FoundLocation } from './fork-location.js';

export interface RunForkerOptions {
  readonly registry: WorkflowRegistry;
  readonly reader: RunReader;
  readonly store: Pick<RunLog, 'readRow' | 'readEvents'>;
  readonly newRuns: NewRuns;
  readonly isClosing: () => boolean;
  /** Whether edits that nobody saw may come after gates that were decided. */
  readonly isPastGatesAllowed: boolean;
}

const AS_FORK: Origin = Object.freeze({ type: 'fork' });
const SOMEBODY = Object.freeze(anonymous('in-process'));

/**
 * Begins runs from a point in the log of other runs. The other run is only read: its log stays as it is, whatever becomes of
 * the fork.
 *
 * 1. What is wrong is reported in a fixed order: the run, the request, the location, the edits, the definition, the gates.
 * 2. The fork is one append: it is there with all that it has, or it is not there.
 * 3. A request that was carried out keeps its key, with the run that it made; one that was refused keeps none.
 */
export class RunForker {
  private readonly log: RunLogPages;

  constructor(private readonly options: RunForkerOptions) {
    this.log = new RunLogPages(options.store);
  }

  /**
   * Throws an `UnknownRunError`, a `NoCheckpointError`, an `UnwoundError`, a `UnitNotReachedError`, a `DecidedGateError`, an
   * `IncompatibleDefinitionError`, an `InvalidInputError`, an `InvalidRequestError`, an `IdempotencyConflictError` or a
   * `ShuttingDownError`.
   */
  async fork(request: ForkRequest): Promise<RunRecord> {
    const { reader, newRuns, isClosing } = this.options;
    await reader.assertExists(request);
    const asked = checkedFork(request);
    if (isClosing()) throw new ShuttingDownError();
    const { idempotencyKey: key, keyOwner: owner, runId } = request;
    if (typeof key !== 'string') return this.begin(request, asked, null);
    const keyed: KeyedRequest = { scope: `fork:${runId}`, key, content: contentOf(asked), owner };
    return newRuns.beginOnce(request, keyed, () => this.begin(request, asked, keyed));
  }

  /** Begins again, and reads the run again, too, where what the fork is based on is gone by the time it is stored. */
  private begin(request: ForkRequest, asked: CheckedFork, keyed: KeyedRequest | null): Promise<RunRecord> {
    const { registry, newRuns, isClosing } = this.options;
    const { namespace = DEFAULT_NAMESPACE, workflowId } = request;
    return againWhileStale(registry, { namespace, workflowId }, async () => {
      const newRun = await this.newRun(request, asked);
      if (isClosing()) throw new ShuttingDownError();
      return newRuns.begin(request, newRun, keyed);
    });
  }

  private async newRun(request: ForkRequest, asked: CheckedFork): Promise<NewRun> {
    const { store, registry, isPastGatesAllowed } = this.options;
    const { runId, namespace = DEFAULT_NAMESPACE, by = SOMEBODY, caller = null } = request;
    const row = await store.readRow({ runId });
    if (row === null) throw new UnknownRunError(runId);
    const pinned = await registry.pinnedTo({ ...row, hash: row.definitionHash });
    const location = await findLocation(
      { reader: this.options.reader, log: this.log },
      runId,
      asked.from,
      pinned.plan,
    );
    const loaded = await this.loadedAt(request, location);
    const source = loaded?.state ?? null;
    const definition = asked.definition === 'pinned' ? pinned : await this.current(row);
    const content: ForkContent = {
      source,
      location,
      pinned,
      definition,
      isImported: row.origin === 'import',
      isImportedByAnother: source !== null && (await this.isImportedByAnother(row, source, definition)),
    };
    const first = source ?? (await this.startOf(runId));
    const sourceInput = first.input;
    const input = await inputOf(asked, sourceInput, content, caller);
    checkEdits(asked, content);
    checkDefinition(asked, content, isPastGatesAllowed);
    const edits = editsOf(asked, content, isPastGatesAllowed);
    const { before } = location;
    const fork = { fromRunId: runId, source, edits, ...(before === undefined ? {} : { before }) };
    const { labels } = asked;
    const isCurrent = asked.definition === 'current';
    const keepsVars = asked.input === undefined && definition.plan.hash === pinned.plan.hash;
    return {
      definition,
      start: { type: 'start', namespace, input, labels, by, origin: AS_FORK, parent: null, fork },
      startedFrom: () => (isCurrent ? registry.startedFrom(definition) : null),
      sourceChars: loaded === null ? 0 : charsOfSourceLogs(loaded),
      ...(keepsVars ? { vars: first.vars ?? null } : {}),
    };
  }

  /** The state with which the fork begins; null: it begins anew. */
  private async loadedAt(address: ForkRequest, { fromSeq }: FoundLocation): Promise<LoadedState | null> {
    if (fromSeq === 0) return null;
    const { reader } = this.options;
    const { runId } = address;
    const loaded = await reader.foldAsLongLoad(address, fromSeq);
    const { cancelling, generation } = loaded.state;
    await assertWayBack(reader, address, loaded.state, async () => (await reader.fold(runId, null)).state);
    if (cancelling !== null)
      throw new InvalidRequestError('The run was being cancelled there: fork it from before that');
    if (generation < MAX_GENERATIONS) return loaded;
    throw new InvalidRequestError(
      `The run is a fork of a fork, ${MAX_GENERATIONS} times over: fork one of those before it`,
    );
  }

  /** Checks the run and those that its state is folded from. */
  private async isImportedByAnother(
    row: RunRow,
    { generation }: RunState,
    definition: Definition,
  ): Promise<boolean> {
    let isImported = false;
    let isOther = false;
    let at: RunRow | null = row;
    for (let left = generation; at !== null; left--) {
      isImported ||= at.origin === 'import';
      isOther ||= at.definitionHash !== definition.plan.hash;
      if ((isImported && isOther) || left === 0 || at.forkedFrom === null) break;
      at = await this.options.store.readRow({ runId: at.forkedFrom });
    }
    return isImported && isOther;
  }

  private async current({ namespace, workflowId }: RunRow): Promise<Definition> {
    const current = await this.options.registry.current(namespace, workflowId);
    if (current !== null) return current;
    throw new IncompatibleDefinitionError(
      `The workflow ${workflowId} is not registered any more: register it, or fork the run by its pinned definition`,
      [],
    );
  }

  private async startOf(runId: string): Promise<Pick<RunState, 'input' | 'vars'>> {
    const [first] = await this.log.after(runId, 0, 1);
    if (first?.type !== 'run-started') throw new UnknownRunError(runId);
    return first;
  }
}
