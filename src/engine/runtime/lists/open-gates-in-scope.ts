import { isInScope, type AccessScope } from '../../ports/access/policy.js';
import type { GateCursor } from '../../ports/store/gates.js';
import type { RunIndex } from '../../ports/store/run-index.js';

/** The rows that are looked at together, and how many at most: beyond that a count says no more than that there are many. */
const PAGE = 200;
const MOST_COUNTED = 10_000;

export interface GatesInScope {
  readonly namespace: string;
  /** Null: of any workflow. */
  readonly workflowId: string | null;
  readonly scope: AccessScope;
}

type GateIndex = Pick<RunIndex, 'countOpenGates' | 'listGates'>;

/** How many gates wait for a decision, of the workflows that the scope shows: a count must not tell of others. */
export async function openGatesInScope(
  store: GateIndex,
  { namespace, workflowId, scope }: GatesInScope,
): Promise<number> {
  if (workflowId !== null)
    return isInScope(scope, workflowId) ? store.countOpenGates({ namespace, workflowId }) : 0;
  if (scope === 'all') return store.countOpenGates({ namespace, workflowId });
  if (scope.some((pattern) => pattern.endsWith('*'))) return countedOneByOne(store, namespace, scope);
  let open = 0;
  for (const one of new Set(scope)) open += await store.countOpenGates({ namespace, workflowId: one });
  return open;
}

/** Nobody knows which workflows fit a pattern but who sees the gates. */
async function countedOneByOne(store: GateIndex, namespace: string, scope: AccessScope): Promise<number> {
  let open = 0;
  let before: GateCursor | null = null;
  for (let seen = 0; seen < MOST_COUNTED; seen += PAGE) {
    const page: Awaited<ReturnType<GateIndex['listGates']>> = await store.listGates({
      namespace,
      status: 'open',
      workflowId: null,
      before,
      limit: PAGE,
    });
    for (const gate of page.gates) if (isInScope(scope, gate.workflowId)) open += 1;
    if (page.next === null) break;
    before = page.next;
  }
  return open;
}
