import { unitsInside, type RaceNode } from '../../plan/plan.js';
import { nextFinally } from '../../state/closings.js';
import type { Closing, Cursor } from '../../state/scope.js';
import { childScope, fanOutKey } from '../../state/scope.js';
import type { FlowBehaviour, Step, Thread } from '../../turn/behaviour.js';
import { fail, leave, READ, WAIT } from '../../turn/behaviour.js';
import { owes } from '../../turn/failing/compensating.js';
import { OF_A_FLOW } from '../../turn/failing/failures.js';
import { branchCursor, fanOutOf, isFannedOutAt, standAt } from './branches.js';

type Ended = Cursor & { readonly phase: 'closed' };

/** All branches at once, each in its own scope; the first to end decides, and of it alone the writes are kept. */
export const race: FlowBehaviour<RaceNode> = {
  enter: (thread, node) => {
    if (!node.compensates) return open(thread, node);
    const { turn, scope } = thread;
    turn.emit({ type: 'race-entered', path: node.path, scope });
    return READ;
  },
  branch: (node, index) => node.branches[index],
  childLeft: (_thread, node) => leave(node),
  proceed: (thread, node, cursor) => (cursor.phase === 'joined' ? leave(node) : open(thread, node)),
  outlivesBranches: () => true,
  branchFailed: ({ turn, scope }, _node, branch, { message: error, path: at, unwound = false }) => {
    const isInside = turn.state.scopes.get(branch)?.cursor.path !== at;
    turn.emit({
      type: 'branch-closed',
      scope: branch,
      error,
      retried: !unwound,
      decides: true,
      ...(isInside && { failedAt: at }),
    });
    turn.ready.add(scope);
    return WAIT;
  },
};

/** Opens the branches as declared until one of them has ended. Of several that ended meanwhile, the first declared decides. */
function open(thread: Thread, node: RaceNode): Step {
  const key = fanOutKey(thread.scope, node.path);
  for (;;) {
    const ended = firstEnded(thread, node);
    if (ended !== null) return decide(thread, node, ended);
    const { opened } = fanOutOf(thread, node);
    if (thread.turn.isFull || opened === node.branches.length) return WAIT;
    thread.advance(childScope(key, opened));
    if (!isFannedOutAt(thread, node)) return standAt(thread, node);
  }
}

/**
 * What follows the first end; again once each `finally` that was open in the other branches has run, and what they did is undone.
 * `isUnwound`: so it is the second time.
 */
export function decide(
  thread: Thread,
  node: RaceNode,
  [index, { error, path: at, failedAt }]: readonly [index: number, ended: Ended],
  isUnwound = false,
): Step {
  const { turn, scope } = thread;
  const { path } = node;
  const undone = undoneBy(thread, node, index);
  const isOpen = nextFinally(turn.plan, turn.state, scope, path) !== null;
  const isOwing = owes(turn.plan, turn.state, scope, { path, ...undone });
  if (!isUnwound && (isOwing || (isOpen && error === null))) {
    turn.emit({ type: 'unwinding', scope, path, reason: 'race', error: null, ...undone });
    return READ;
  }
  if (error !== null) {
    const known = failedAt?.phase === 'failed' ? failedAt.facts : undefined;
    const unwound = failedAt === null || isUnwound ? { unwound: true as const } : {};
    return fail(error, at, { ...(known ?? OF_A_FLOW), ...unwound });
  }
  const branch = node.branches[index];
  const unitId = (branch === undefined ? undefined : unitsInside(turn.plan, branch)[0]) ?? '';
  const writes = node.winner === null ? {} : { [node.winner]: { index, unitId } };
  turn.emit({ type: 'node-closed', path, scope, writes, winner: index });
  return READ;
}

/** What the branches that are not the first have done since the race began. */
function undoneBy({ turn, scope }: Thread, node: RaceNode, index: number): Pick<Closing, 'since' | 'except'> {
  const key = fanOutKey(scope, node.path);
  const since = turn.state.forks.get(key)?.since;
  return node.compensates && since !== undefined ? { since, except: childScope(key, index) } : {};
}

export function firstEnded(thread: Thread, node: RaceNode): readonly [index: number, ended: Ended] | null {
  const { end, closed } = fanOutOf(thread, node);
  if (closed === 0) return null;
  for (let index = 0; index < end; index++) {
    const cursor = branchCursor(thread, node, index);
    if (cursor?.phase === 'closed') return [index, cursor];
  }
  return null;
}
