import type { GateCursor, ListedGate } from '../ports/store/gates.js';
import type { RunIndex } from '../ports/store/run-index.js';
import { fitting } from '../ports/access/workflow-patterns.js';
import type { StoredRun } from './stored-run.js';

type Request = Parameters<RunIndex['listGates']>[0];
/** Whose gates are meant. */
type Which = Parameters<RunIndex['countOpenGates']>[0];

/** The runs that have gates, open or decided, so that lists of gates look at no others. */
export class GatesAtHand {
  private readonly open = new Set<StoredRun>();
  private readonly decided = new Set<StoredRun>();

  /** To be called after each append. */
  appended(run: StoredRun): void {
    if (run.openGates.length > 0) this.open.add(run);
    else this.open.delete(run);
    if (run.decidedGates !== null) this.decided.add(run);
  }

  /** To be called when the run is removed. */
  forget(run: StoredRun): void {
    this.open.delete(run);
    this.decided.delete(run);
  }

  /** Null: those of all namespaces. */
  count(which: Which | null): number {
    const isCounted = which === null ? () => true : isOneOf(which);
    let count = 0;
    for (const run of this.open) if (isCounted(run)) count += run.openGates.length;
    return count;
  }

  /** Newest first. One pass over the gates there are, in which the newest `limit` and one more are kept. */
  list(request: Request): Awaited<ReturnType<RunIndex['listGates']>> {
    const { status, before, limit } = request;
    const isListed = isOneOf(request);
    const newest: ListedGate[] = [];
    for (const run of status === 'open' ? this.open : this.decided) {
      if (!isListed(run)) continue;
      for (const gate of gatesOf(run, status)) {
        if (before === null || isNewer(before, cursorOf(gate))) keep(newest, gate, limit + 1);
      }
    }
    const gates = newest.slice(0, limit);
    const last = gates.at(-1);
    return { gates, next: newest.length > limit && last !== undefined ? cursorOf(last) : null };
  }
}

function isOneOf({ namespace, workflowId, workflows }: Which): (run: StoredRun) => boolean {
  const fits = fitting(workflows);
  return ({ row }) =>
    row.namespace === namespace &&
    (workflowId === null || row.workflowId === workflowId) &&
    fits(row.workflowId);
}

function* gatesOf(run: StoredRun, status: Request['status']): Iterable<ListedGate> {
  const { runId, workflowId, definitionHash } = run.row;
  const about = { runId, workflowId, definitionHash };
  if (status === 'open') {
    for (const gate of run.openGates) yield { ...about, ...gate, decidedAt: null, decidedSeq: null };
  } else for (const gate of run.decidedGates?.values() ?? []) yield { ...about, ...gate };
}

/** Inserts the gate in its order among the newest, of which at most `most` are kept. */
function keep(newest: ListedGate[], gate: ListedGate, most: number): void {
  const cursor = cursorOf(gate);
  const last = newest.at(-1);
  if (newest.length >= most && last !== undefined && isNewer(cursorOf(last), cursor)) return;
  let low = 0;
  let high = newest.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = newest[middle];
    if (other !== undefined && isNewer(cursorOf(other), cursor)) low = middle + 1;
    else high = middle;
  }
  newest.splice(low, 0, gate);
  if (newest.length > most) newest.pop();
}

function cursorOf({ decidedAt, openedAt, runId, gateId }: ListedGate): GateCursor {
  return { at: decidedAt ?? openedAt, runId, gateId };
}

function isNewer(a: GateCursor, b: GateCursor): boolean {
  if (a.at !== b.at) return a.at > b.at;
  return a.runId === b.runId ? a.gateId > b.gateId : a.runId > b.runId;
}
