/**
 * Whose share of what is scarce something uses, as text: what stands before a line break is the group that the caller is in, and a
 * caller without one is a group by itself. Groups take turns, and then those in them: all of a namespace are one group.
 */
export function callerIn(namespace: string, name: string): string {
  return `namespace ${namespace}\n${name}`;
}

/** The caller that an owner is in a namespace, whichever of their keys and tokens they use. */
export function callerOfOwner(namespace: string, owner: string): string {
  return callerIn(namespace, `owner ${owner}`);
}

/** The group of a caller. */
export function groupOf(caller: string): string {
  const end = caller.indexOf('\n');
  return end < 0 ? caller : caller.slice(0, end);
}
