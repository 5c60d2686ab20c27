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
 * 2. Else one of the caller that has most sessions, if it has at least as many as this caller would have: one that is
 *    only listened to, or the one whose client has owed an answer for the longest time.
 * 3. Else, if another caller has more than this caller would have, the one of its sessions that was used longest ago:
 *    its calls are cancelled, the runs that they wait for are not.
 */
export function sessionToRelease<Session extends SharedSession>(
  sessions: readonly Session[],
  caller: string,
): Session | null {
  const unused = sessions.find(({ transport }) => transport.pending === 0 && !transport.isListenedTo);
  if (unused !== undefined) return unused;
  const shares = Map.groupBy(sessions, (session) => session.caller);
  const own = (shares.get(caller)?.length ?? 0) + 1;
  const held = (who: string, share: readonly Session[]) => (who === caller ? own : share.length);
  // Of callers with equally many, this caller's own sessions come first, so that no other client notices.
  const rank = (who: string, share: readonly Session[]) => held(who, share) + (who === caller ? 0.5 : 0);
  const byMost = [...shares].sort(([a, ofA], [b, ofB]) => rank(b, ofB) - rank(a, ofA));
  for (const [who, share] of byMost) {
    if (held(who, share) < own) return null;
    const hasMore = who !== caller && share.length > own;
    const released = leastMissed(share) ?? (hasMore ? share[0] : undefined);
    if (released !== undefined) return released;
  }
  return null;
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
