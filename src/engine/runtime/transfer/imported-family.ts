import { InvalidRequestError } from '../../../errors/request-errors.js';
import { KnownRunError } from '../../../errors/run-errors.js';
import type { RunEvent, RunForked } from '../../core/log/event.js';
import { locationsThatDiffer } from '../../core/locations-that-differ.js';
import type { Plan } from '../../core/plan/plan.js';
import { isReservedKey } from '../../core/plan/reserved-key.js';
import type { RunState } from '../../core/state/state.js';
import type { WorkflowRegistry } from '../../definitions/registry/workflow-registry.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunRow } from '../../ports/store/run-row.js';
import { MAX_GENERATIONS } from '../mailbox/loading/fork-sources.js';
import type { LoadedState } from '../mailbox/loading/load-state.js';
import { unitScheduledBy } from '../starting/forks/fork-location.js';
import { RunLogPages } from '../reading/run-log-pages.js';
import type { RunReader } from '../reading/run-reader.js';

export interface ImportedFamilyOptions {
  readonly store: Pick<RunLog, 'readRow' | 'readEvents'>;
  readonly registry: Pick<WorkflowRegistry, 'pinnedTo'>;
  readonly reader: Pick<RunReader, 'foldAsLongLoad'>;
}

/** Checks an imported run against the runs that are here: the one that it is a fork of, and its parent. */
export class ImportedFamily {
  private readonly log: RunLogPages;

  constructor(private readonly options: ImportedFamilyOptions) {
    this.log = new RunLogPages(options.store);
  }

  /**
   * A parent that may yet begin its child, or waits for it, keeps the child's id to itself. Throws an `InvalidRequestError` or,
   * where the parent is one of another namespace, a `KnownRunError`.
   */
  async checkParent([first]: readonly RunEvent[]): Promise<void> {
    if (first?.type !== 'run-started' || first.parent === null) return;
    const { parent } = first;
    const row = await this.options.store.readRow({ runId: parent.runId });
    if (row === null || row.endedAt !== null) return;
    // Nothing is told of a run of another namespace, not even that it is there.
    if (row.namespace !== first.namespace) throw new KnownRunError(first.runId);
    throw new InvalidRequestError(
      `The run is a child of the run ${parent.runId}, which is here and not over: import it when that run has ended`,
    );
  }

  /**
   * The state with which the run began, if it is a fork; null: it is none, or began anew. Throws an `InvalidRequestError`
   * where its source is not here, or not one that it can be a fork of.
   */
  async sourceOf(
    [, second]: readonly RunEvent[],
    { plan, namespace }: { readonly plan: Plan; readonly namespace: string },
  ): Promise<LoadedState | null> {
    if (second?.type !== 'run-forked') return null;
    const { fromRunId, fromSeq } = second;
    if (fromSeq === 0 && second.before === undefined) return null;
    const row = await this.options.store.readRow({ runId: fromRunId });
    if (row === null || row.namespace !== namespace || row.lastSeq < fromSeq) {
      throw new InvalidRequestError(
        `The run is a fork of the run ${fromRunId}, which is not here up to its event ${fromSeq}: import that run first`,
      );
    }
    await this.checkLocation(second);
    const source = await this.options.reader.foldAsLongLoad({ runId: fromRunId, namespace }, fromSeq);
    checkInput(row, source.state);
    await this.checkDefinition(source, second, plan);
    if (source.state.generation < MAX_GENERATIONS) return source;
    throw new InvalidRequestError(`The run is a fork of a fork more than ${MAX_GENERATIONS} times over`);
  }

  /**
   * A fork begins before the unit that its source scheduled next: before another one it could be given an input that is used
   * after a gate, or a thread that has passed one.
   */
  private async checkLocation({ fromRunId, fromSeq, before }: RunForked): Promise<void> {
    if (before === undefined) return;
    const [next] = await this.log.after(fromRunId, fromSeq, 1);
    const scheduled = next === undefined ? null : unitScheduledBy(next);
    const isThere =
      scheduled?.path === before.path &&
      scheduled.scope === before.scope &&
      scheduled.unitId === before.unitId;
    if (isThere) return;
    throw new InvalidRequestError(
      `The run is a fork in front of a unit that the run ${fromRunId} did not come to after its event ${fromSeq}: export the run again`,
    );
  }

  /** A fork continues with its source's definition, or with another one that has the same wherever its source was active. */
  private async checkDefinition(
    { state, row }: LoadedState,
    { fromRunId, edits }: RunForked,
    plan: Plan,
  ): Promise<void> {
    const { workflowId, definitionHash: hash } = row;
    const isOther = hash !== plan.hash;
    const isNamed = edits.definition === (isOther ? hash : undefined);
    const isFork = workflowId === plan.workflowId && isNamed;
    const from = isFork && isOther ? await this.options.registry.pinnedTo({ ...row, hash }) : null;
    if (isFork && (from === null || locationsThatDiffer(state, from.plan, plan).length === 0)) return;
    throw new InvalidRequestError(
      `The run is a fork of the run ${fromRunId}, but of another workflow than that run is here: import it where its source is`,
    );
  }
}

/**
 * The input of an imported run is in the state of its forks, and was never checked here for keys that only the engine
 * writes.
 */
function checkInput({ origin, runId }: RunRow, { input }: RunState): void {
  const reserved = origin === 'import' ? Object.keys(input).find(isReservedKey) : undefined;
  if (reserved === undefined) return;
  throw new InvalidRequestError(
    `The run is a fork of the run ${runId}, whose input holds the reserved key ${JSON.stringify(reserved.slice(0, 100))}: fork that one from its start, with another input`,
  );
}
