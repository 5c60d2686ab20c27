import type { StatusKind } from '../errors/http-status.js';

/**
 * How many modules of this process use each kind of statuses. Of the process and not of an instance, because operations are
 * described on their classes, which all instances have in common (decision 0060).
 */
const users = new Map<StatusKind, number>();
const followers: (() => void)[] = [];

/** The kinds that a document must show: those of the existing modules, or that of the interface. */
export function kindsInUse(): readonly StatusKind[] {
  const kinds = [...users.keys()];
  return kinds.length === 0 ? ['interface'] : kinds;
}

/** Calls the follower at every change, for the life of the process, because classes are described. */
export function onKindsInUse(follower: () => void): void {
  followers.push(follower);
}

/** Registers that a module uses this kind; the returned function ends it. */
export function useStatuses(kind: StatusKind): () => void {
  change(kind, 1);
  return () => change(kind, -1);
}

function change(kind: StatusKind, by: 1 | -1): void {
  const before = kindsInUse().join();
  const count = (users.get(kind) ?? 0) + by;
  if (count > 0) users.set(kind, count);
  else users.delete(kind);
  if (kindsInUse().join() !== before) for (const follow of followers) follow();
}
