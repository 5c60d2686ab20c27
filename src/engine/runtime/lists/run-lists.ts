import { beginningOf } from '../../core/turn/failing/beginning-of.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import type { JsonValue } from '../../core/json.js';
import type { Clock } from '../../ports/clock.js';
import type { RunFilter } from '../../ports/store/run-filter.js';
import type { RunCursor, RunIndex } from '../../ports/store/run-index.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { ListedRun, RunRow } from '../../ports/store/run-row.js';
import { gateDueAt } from '../../core/waits/events/gate-events.js';
import type { ListedGateSummary, Page, RunItem } from '../../run-lists.js';
import type { WaitingFor } from '../../vocabulary.js';
import type { ListRunsRequest } from '../run-requests.js';
import { RunLogPages } from '../reading/run-log-pages.js';
import { eachInSlices } from '../../scheduling/slice.js';
import { filterOf } from './filter-of.js';
import { GateEvents } from './gate-events.js';
import { checkedLimit, decodeCursor, encodeCursor, type CursorOf } from './list-cursor.js';
import { listedTitle, type ListedTitle } from './listed-texts.js';
import { pageInScope } from './page-in-scope.js';
import { queriesOf } from './queries-of-scope.js';
import { SeenGates } from './seen-gates.js';

const MAX_ERROR_CHARS = 1_000;
/** Each gate has a title of 200 characters at most. */
const MAX_SEEN = { gates: 4_000, chars: 1_000_000 };
const NO_REASON = 'The run failed';

/** What a gate asks, as lists of runs show it. */
type ListedQuestion = ListedTitle & Pick<ListedGateSummary, 'dueAt'>;

export interface RunListsOptions {
  readonly store: RunIndex & Pick<RunLog, 'readEvents'>;
  readonly clock: Clock;
}

/**
 * Lists runs. The texts that they show are in no row: why a run failed is at the end of its log, what a gate asks in the
 * event that opened it.
 */
export class RunLists {
  private readonly log: RunLogPages;
  private readonly titles: SeenGates<ListedQuestion>;

  constructor(private readonly options: RunListsOptions) {
    this.log = new RunLogPages(options.store);
    this.titles = new SeenGates(
      new GateEvents(this.log),
      (opened) => ({ ...listedTitle(opened.title), ...gateDueAt(opened) }),
      MAX_SEEN,
    );
  }

  /** Throws an `InvalidRequestError`. */
  async list(request: ListRunsRequest): Promise<Page<RunItem>> {
    const { namespace = DEFAULT_NAMESPACE, scope = 'all' } = request;
    const filter = filterOf(request);
    const limit = checkedLimit(request.limit);
    const of: CursorOf<readonly [number, string]> = {
      list: 'runs',
      filter: [namespace, ...boundTo(filter)],
      key: ['number', 'string'],
    };
    const key = decodeCursor(of, request.cursor);
    const before = key === null ? null : { createdAt: key[0], runId: key[1] };
    const { rows, next } = await pageInScope<ListedRun, RunCursor>({
      queries: queriesOf(scope, filter.workflowId),
      before,
      limit,
      read: async (workflows, from, most) => {
        const asked = { namespace, filter: { ...filter, workflows }, before: from, limit: most };
        const page = await this.options.store.findRuns(asked);
        return { rows: page.runs, next: page.next };
      },
      keyOf: ({ row: { createdAt, runId } }) => ({ createdAt, runId }),
      isNewer: (a, b) => a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.runId > b.runId),
    });
    return {
      items: await eachInSlices(rows, (listed) => this.item(listed)),
      next: next === null ? null : encodeCursor(of, [next.createdAt, next.runId]),
    };
  }

  /** What a list says of the run. */
  async item({ row, labels, openGates }: ListedRun): Promise<RunItem> {
    const { runId, workflowId, status, createdAt, updatedAt, endedAt, figures } = row;
    const { origin, forkedFrom, parentRunId, definitionHash } = row;
    const titles = await this.titles.shown(runId, openGates);
    return {
      runId,
      workflowId,
      status,
      createdAt,
      updatedAt,
      endedAt,
      duration: figures === null ? null : durationOf(figures, this.options.clock.now()),
      tokenUsage: figures?.tokens ?? null,
      cost: figures?.cost ?? null,
      labels,
      origin,
      forkedFrom,
      parentRunId,
      definitionHash,
      cancelled: row.isCancelled,
      error: status === 'failed' ? await this.errorOf(row) : null,
      compensation: row.compensation,
      waitingFor: await this.waitingFor(row, openGates.length > 0),
      openGates: openGates.map(({ gateId, unitId, openedAt }): ListedGateSummary => ({
        gateId,
        unitId,
        // The title is missing where the run was purged a moment ago.
        ...(titles.get(gateId) ?? listedTitle(unitId)),
        openedAt,
      })),
    };
  }

  private async errorOf(row: RunRow): Promise<string> {
    const error = (await this.log.failure(row))?.error ?? NO_REASON;
    return error.length <= MAX_ERROR_CHARS ? error : `${beginningOf(error, MAX_ERROR_CHARS - 1)}…`;
  }

  private async waitingFor(row: RunRow, hasGates: boolean): Promise<WaitingFor | null> {
    if (row.endedAt !== null) return null;
    if (hasGates) return 'gate';
    if (row.status === 'paused') return (await this.hasChildren(row)) ? 'child' : 'resume';
    if (row.openExecutions > 0 || row.status === 'pending') return 'unit';
    return row.wakeAt === null ? 'child' : 'time';
  }

  private async hasChildren({ runId }: RunRow): Promise<boolean> {
    const request = { parentRunId: runId, afterRunId: null, limit: 1 };
    return (await this.options.store.listChildren(request)).length > 0;
  }
}

/**
 * What a cursor is bound to: without the parent, the same as before there was that filter, so that walks outlive an upgrade; and
 * not to what whoever asks may see, which may change on the way.
 */
function boundTo({ parentRunId, workflows: _shown, ...filter }: RunFilter): JsonValue[] {
  return [...Object.values(filter), ...(parentRunId === null ? [] : [parentRunId])];
}

/** The duration of a run that is under way counts until now. */
function durationOf({ activeMs, activeSince }: NonNullable<RunRow['figures']>, now: number): number {
  return activeMs + (activeSince === null ? 0 : Math.max(0, now - activeSince));
}
