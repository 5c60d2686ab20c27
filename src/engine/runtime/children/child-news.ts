import { deepFreeze } from '../../core/freeze.js';
import type { Signal } from '../../core/signal.js';
import { charsOfWrites, recordedStateSteps } from '../../core/state/recorded-state.js';
import { recordedState } from '../../core/state/state-view.js';
import type { GateDecision, RunState } from '../../core/state/state.js';
import { statusOf } from '../../core/state/status.js';
import { childOf, isKnownStanding } from '../../core/waits/child.js';
import { hasChildrenToPause } from '../../core/waits/family-orders.js';
import { isFollowing, stoppedSeqOf } from '../../core/waits/pause.js';
import { inTurns } from '../../ports/turns.js';

/** A smaller state is put together in a millisecond or two. */
const SMALL_CHARS = 262_144;

/** What a child's parent is told: how the child stands, or what it came to. Null of a run that is nobody's child. */
export async function newsOf(child: RunState, at: number): Promise<Signal | null> {
  const { parent, phase, runId: childRunId, usage, error, seq, endedSeq } = child;
  if (parent === null || phase === 'pending') return null;
  const named = { at, childRunId, key: parent.executionId };
  if (phase === 'live') {
    const isPaused = statusOf(child) === 'paused';
    const { followedSeq } = child;
    const stoppedSeq = stoppedSeqOf(child);
    const follows = { followedSeq, isFollowing: isFollowing(child), isApart: hasChildrenToPause(child) };
    const stands = { isPaused, seq, stoppedSeq, ...follows, usage };
    return { type: 'child-stands', ...named, ...stands };
  }
  const output = phase === 'completed' ? await finalState(child) : null;
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

/** That somebody decided in it stays known to its parent, whose forks go by it. */
function lastDecided({ decisions }: RunState): Pick<Signal & { readonly type: 'child-ended' }, 'decided'> {
  let last: GateDecision | null = null;
  for (const decision of decisions.values())
    if (decision.isTakenBack !== true && (last === null || decision.decidedAt >= last.decidedAt))
      last = decision;
  if (last === null) return {};
  const { approved, responder, decidedAt } = last;
  return { decided: { approved, responder, decidedAt } };
}

/** Whether the parent would do nothing about it: it does not wait for the child, or knows how it stands. */
export function isKnownTo(parent: RunState, news: Signal): boolean {
  if (parent.phase !== 'live') return true;
  if (news.type !== 'child-stands' && news.type !== 'child-ended') return true;
  const open = childOf(parent, news);
  if (open === undefined) return true;
  if (news.type === 'child-ended') return news.status === 'failed' && news.seq <= open.toldSeq;
  return isKnownStanding(open, news);
}

async function finalState(state: RunState) {
  const isSmall = charsOfWrites(state) <= SMALL_CHARS;
  return deepFreeze(isSmall ? recordedState(state) : await inTurns(recordedStateSteps(state)));
}
