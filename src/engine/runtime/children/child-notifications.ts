import { deepFreeze } from '../../core/freeze.js';
import type { Signal } from '../../core/signal.js';
import { charsOfWrites, recordedStateSteps } from '../../core/state/view/recorded-state.js';
import { recordedState } from '../../core/state/view/state-view.js';
import type { GateDecision, RunState } from '../../core/state/state.js';
import { statusOf } from '../../core/state/status.js';
import { childOf, isKnownActivity } from '../../core/waits/child.js';
import { hasChildrenToPause } from '../../core/family/family-orders.js';
import { isFollowing, stoppedSeqOf } from '../../core/waits/pause.js';
import { inSlices } from '../../scheduling/slice.js';

/** A smaller state is built in a millisecond or two. */
const SMALL_CHARS = 262_144;

/** The notification for a child's parent: the child's activity, or its end. Null for a run without a parent. */
export async function childNotificationsOf(child: RunState, at: number): Promise<Signal | null> {
  const { parent, phase, runId: childRunId, usage, error, seq, endedSeq } = child;
  if (parent === null || phase === 'pending') return null;
  const named = { at, childRunId, key: parent.executionId };
  if (phase === 'live') {
    const isPaused = statusOf(child) === 'paused';
    const { followedSeq } = child;
    const stoppedSeq = stoppedSeqOf(child);
    const follows = { followedSeq, isFollowing: isFollowing(child), isApart: hasChildrenToPause(child) };
    const activity = { isPaused, seq, stoppedSeq, ...follows, usage };
    return { type: 'child-stands', ...named, ...activity };
  }
  const output = phase === 'completed' ? (child.output ?? (await finalState(child))) : null;
  return {
    type: 'child-ended',
    ...named,
    status: phase,
    output,
    error,
    usage,
    seq: endedSeq,
    ...lastDecided(child),
  };
}

/** The last decision in the child stays known to its parent, because forks of the parent need it. */
function lastDecided({ decisions }: RunState): Pick<Signal & { readonly type: 'child-ended' }, 'decided'> {
  let last: GateDecision | null = null;
  for (const decision of decisions.values())
    if (decision.isTakenBack !== true && (last === null || decision.decidedAt >= last.decidedAt))
      last = decision;
  if (last === null) return {};
  const { approved, responder, decidedAt } = last;
  return { decided: { approved, responder, decidedAt } };
}

/** Whether the notification would change nothing: the parent does not wait for the child, or knows its activity. */
export function isKnownTo(parent: RunState, notification: Signal): boolean {
  if (parent.phase !== 'live') return true;
  if (notification.type !== 'child-stands' && notification.type !== 'child-ended') return true;
  const open = childOf(parent, notification);
  if (open === undefined) return true;
  if (notification.type === 'child-ended')
    return notification.status === 'failed' && notification.seq <= open.toldSeq;
  return isKnownActivity(open, notification);
}

async function finalState(state: RunState) {
  const isSmall = charsOfWrites(state) <= SMALL_CHARS;
  return deepFreeze(isSmall ? recordedState(state) : await inSlices(recordedStateSteps(state)));
}
