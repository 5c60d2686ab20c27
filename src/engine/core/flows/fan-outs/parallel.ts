import type { FlowBehaviour, Step, Thread } from '../../turn/behaviour.js';
import { enter, fail, leave, READ, WAIT } from '../../turn/behaviour.js';
import { errorsTogether } from '../../turn/failing/error-text.js';
import type { JsonObject } from '../../json.js';
import { unitsInside, type FlowNode, type ParallelNode } from '../../plan/plan.js';
import { branchCursor, openInOrder, standAt } from './branches.js';

/** All branches at once, each in its own scope; then the reducer, which sees all of their writes. */
export const parallel: FlowBehaviour<ParallelNode> = {
  enter: open,
  branch: (node, index) => node.branches[index],
  childLeft: (_thread, node) => leave(node),
  proceed: (thread, node, cursor) => {
    if (cursor.phase !== 'joined') return open(thread, node);
    return node.reducer === null ? leave(node) : enter(node.reducer);
  },
  outlivesBranches: (_thread, { failureStrategy }) => failureStrategy !== 'fail-fast',
  branchFailed: ({ turn, scope }, node, branch, { message: error, path: at, unwound = false }) => {
    const retried = node.failureStrategy === 'collect-errors' && !unwound;
    const isInside = turn.state.scopes.get(branch)?.cursor.path !== at;
    turn.emit({ type: 'branch-closed', scope: branch, error, retried, ...(isInside && { failedAt: at }) });
    turn.ready.add(scope);
    return WAIT;
  },
};

function open(thread: Thread, node: ParallelNode): Step {
  if (!openInOrder(thread, node, node.branches.length, node.maxConcurrency)) return standAt(thread, node);
  const failures = failuresOf(thread, node);
  if (failures.length > 0 && node.failureStrategy === 'collect-errors') {
    const errors = errorsTogether(failures.map(({ error }) => error));
    const [first] = failures;
    const isUnwound = failures.some(({ isRetried }) => !isRetried);
    return fail(
      `${failures.length} of ${node.branches.length} branches failed: ${errors}`,
      first?.branch.path ?? null,
      { code: 'unit', attempts: 0, ...(isUnwound ? { unwound: true } : {}) },
    );
  }
  const writes: Record<string, string> = {};
  for (const { branch, error } of failures) writes[`errors.${unitOf(thread, branch)}`] = error;
  thread.turn.emit({
    type: 'node-closed',
    path: node.path,
    scope: thread.scope,
    writes: writes as JsonObject,
  });
  return READ;
}

interface BranchFailure {
  readonly branch: FlowNode;
  readonly error: string;
  /** A resumed run takes it up again. */
  readonly isRetried: boolean;
}

function failuresOf(thread: Thread, node: ParallelNode): BranchFailure[] {
  return node.branches.flatMap((branch, index) => {
    const cursor = branchCursor(thread, node, index);
    if (cursor?.phase !== 'closed' || cursor.error === null) return [];
    const { path, error, failedAt } = cursor;
    return [{ branch: thread.turn.plan.nodes.get(path) ?? branch, error, isRetried: failedAt !== null }];
  });
}

/** The unit that names a failed branch: the one that failed, or else the first inside of where it failed. */
function unitOf({ turn }: Thread, failedAt: FlowNode): string {
  return unitsInside(turn.plan, failedAt)[0] ?? failedAt.path;
}
