import { groupOf } from '../../../engine/scheduling/caller.js';

/** The state of a session that decides whether it makes room for another one. */
export interface SharedSession {
  readonly caller: string;
  readonly transport: {
    readonly pending: number;
    readonly isListenedTo: boolean;
    readonly asksSince: number | null;
  };
}

/**
 * The session that makes room for one more of the caller; null: none does. The sessions are in the order of their
 * last use, the oldest first.
 *
 * 1. A session that nothing depends on, whoever has it: its client does not notice.
 * 2. Else one of the caller that has most sessions, in the group of callers that has most (`groupOf`), if it has at least as many as
 *    this caller, or its group, would have: one that is only listened to, or the one whose client has owed an answer for the longest
 *    time.
 * 3. Else, if another caller has more than this caller would have, or its group more than this one's, the one of its sessions that was used longest ago:
 *    its calls are cancelled, the runs that they wait for are not.
 */
export function sessionToRelease<Session extends SharedSession>(
  sessions: readonly Session[],
  caller: string,
): Session | null {
  const unused = sessions.find(({ transport }) => transport.pending === 0 && !transport.isListenedTo);
  if (unused !== undefined) return unused;
  for (const { who, count, least, share } of inOrder(sessions, caller)) {
    if (count < least) return null;
    const hasMore = who !== caller && count > least;
    const released = leastMissed(share) ?? (hasMore ? share[0] : undefined);
    if (released !== undefined) return released;
  }
  return null;
}

interface Share<Session> {
  readonly who: string;
  readonly share: readonly Session[];
  /** How many the caller has, or, if it is of another group, its group. With one more for this caller. */
  readonly count: number;
  /** How many this caller, or its group, would have. */
  readonly least: number;
}

/** Who has most comes first; of those who have equally many, this caller's own, so that no other client notices. */
function inOrder<Session extends SharedSession>(
  sessions: readonly Session[],
  caller: string,
): readonly Share<Session>[] {
  const shares = Map.groupBy(sessions, (session) => session.caller);
  const groups = Map.groupBy(sessions, (session) => groupOf(session.caller));
  const ownGroup = groupOf(caller);
  const own = (shares.get(caller)?.length ?? 0) + 1;
  const ofOwnGroup = (groups.get(ownGroup)?.length ?? 0) + 1;
  const ranked = [...shares].map(([who, share]) => {
    const group = groupOf(who);
    const isNear = group === ownGroup;
    const held = who === caller ? own : share.length;
    const ofGroup = isNear ? ofOwnGroup : (groups.get(group)?.length ?? 0);
    const rank = [ofGroup + (isNear ? 0.5 : 0), held + (who === caller ? 0.5 : 0)] as const;
    const [count, least] = isNear ? [held, own] : [ofGroup, ofOwnGroup];
    return { who, share, count, least, isNear, rank };
  });
  const inGroups = ranked.toSorted((a, b) => b.rank[0] - a.rank[0] || b.rank[1] - a.rank[1]);
  // Of their own group those who have less than they would have make no room; another group may.
  return inGroups.filter(({ isNear, count, least }) => !isNear || count >= least);
}

function leastMissed<Session extends SharedSession>(share: readonly Session[]): Session | undefined {
  let asked: Session | undefined;
  for (const session of share) {
    const { pending, asksSince } = session.transport;
    if (pending === 0) return session;
    if (asksSince !== null && asksSince < (asked?.transport.asksSince ?? Infinity)) asked = session;
  }
  return asked;
}
