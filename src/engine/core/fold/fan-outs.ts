import { approximateChars } from '../json-size.js';
import type { NodePath, ScopeId } from '../log/event-base.js';
import type { BranchClosed, ItemsOpened, NodeClosed, PassOpened, RaceEntered } from '../log/event.js';
import { childScope, fanOutKey, locationOfScope, type Cursor } from '../state/scope.js';
import { closingAround } from '../state/closings.js';
import { charsOfKeys } from '../state/overhead.js';
import type { Draft } from '../state/state.js';
import { dropInside, parkInside } from './closing/close-early.js';
import { moveCursor, scopeOf, UNOPENED, withWrites } from './scopes.js';

/**
 * Opens the items of a foreach, or takes up (or ends) the rounds of a delegation.
 *
 * A fan-out counts the branches that were opened and closed; its scopes live from their first event to the join.
 */
export function openItems(draft: Draft, event: ItemsOpened): void {
  const { path, scope: id, items } = event;
  if (event.kind === 'passes') {
    const chars = approximateChars(items);
    draft.forks = draft.forks.set(fanOutKey(id, path), { ...UNOPENED, items, chars });
    draft.stateChars += chars;
    moveCursor(draft, id, { phase: 'forked', path });
    return;
  }
  const scope = scopeOf(draft, id);
  const number = (scope.rounds.get(path)?.number ?? 0) + 1;
  const rounds =
    items.length === 0
      ? scope.rounds.delete(path)
      : scope.rounds.set(path, { number, delegations: items, next: 0 });
  draft.scopes = draft.scopes.set(id, { ...scope, rounds, cursor: { phase: 'delegating', path } });
}

/** The branches of a race of which some may be undone are about to open. */
export function enterRace(draft: Draft, { seq, path, scope: id }: RaceEntered): void {
  draft.forks = draft.forks.set(fanOutKey(id, path), { ...UNOPENED, since: seq });
  moveCursor(draft, id, { phase: 'forked', path });
}

/** The scope of a pass, before anything of it happens. */
export function openPass(draft: Draft, { scope: id, key }: PassOpened): void {
  draft.scopes = draft.scopes.set(id, { ...scopeOf(draft, id), key });
}

/** Hands out the next delegation of the round that is open at the node, if one is. */
export function takeRound(draft: Draft, id: ScopeId, path: NodePath): void {
  const scope = draft.scopes.get(id);
  const round = scope?.rounds.get(path);
  if (scope === undefined || round === undefined) return;
  const rounds = scope.rounds.set(path, { ...round, next: round.next + 1 });
  draft.scopes = draft.scopes.set(id, { ...scope, rounds });
}

export function closeBranch(draft: Draft, event: BranchClosed): void {
  const { scope: id, error, retried, failedAt: at, facts, failures, decides } = event;
  if (retried) parkInside(draft, id);
  else dropInside(draft, id);
  // Read once: for a branch that failed before its first event, this opens the scope.
  const scope = scopeOf(draft, id);
  const failedAt = retried ? scope.cursor : null;
  const known = facts === undefined ? {} : { facts };
  const cursor: Cursor = { phase: 'closed', path: at ?? scope.cursor.path, error, failedAt, ...known };
  const tries = retried ? scope.tries : scope.tries.clear();
  draft.scopes = draft.scopes.set(id, { ...scope, tries, closing: null, cursor });
  const { fanOut: key, index } = locationOfScope(id);
  draft.forks = draft.forks.update(key, UNOPENED, (fanOut) => ({
    ...fanOut,
    closed: fanOut.closed + 1,
    ...(failures === undefined ? {} : { failures }),
    // Of several that failed before the race went on, the first declared decides.
    ...(decides === undefined ? {} : { decidedBy: Math.min(index, fanOut.decidedBy ?? index) }),
  }));
}

/** The join: writes of the child scopes in declaration order, then what the event adds. */
export function closeNode(draft: Draft, { seq, path, scope: id, writes: added, winner }: NodeClosed): void {
  if (winner !== undefined) dropLosers(draft, fanOutKey(id, path), winner);
  const scope = scopeOf(draft, id);
  const key = fanOutKey(id, path);
  const fanOut = draft.forks.get(key) ?? UNOPENED;
  const writes = scope.writes.asMutable();
  const scopes = draft.scopes.asMutable();
  let chars = scope.chars - charsOfKeys(scope.writes.size);
  draft.stateChars -= scope.chars + fanOut.chars;
  for (let index = 0; index < fanOut.end; index++) {
    const child = scopes.get(childScope(key, index));
    if (child === undefined) continue;
    draft.stateChars -= child.chars;
    if (
      winner === undefined ? child.cursor.phase !== 'closed' || child.cursor.error === null : index === winner
    ) {
      child.writes.forEach((write, name) => {
        chars += write.chars - (writes.get(name)?.chars ?? 0);
        writes.set(name, write);
      });
    }
    scopes.delete(childScope(key, index));
  }
  chars += charsOfKeys(writes.size);
  const joined = withWrites({ writes: writes.asImmutable(), chars }, Object.entries(added), seq);
  draft.stateChars += joined.chars;
  draft.forks = draft.forks.delete(key);
  draft.scopes = scopes.asImmutable().set(id, {
    ...scope,
    ...joined,
    cursor: { phase: 'joined', path },
    closing: closingAround(scope.closing, path),
  });
}

function dropLosers(draft: Draft, key: string, winner: number): void {
  const { end } = draft.forks.get(key) ?? UNOPENED;
  for (let index = 0; index < end; index++) if (index !== winner) dropInside(draft, childScope(key, index));
}
