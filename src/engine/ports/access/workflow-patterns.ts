import { isInScope } from './policy.js';

/**
 * Which workflows a list is of: ids, each of which may end in `*` for all that begin so. At most 50, and none that another one
 * has in it: a workflow fits one of them at most.
 */
export type WorkflowPatterns = readonly string[];

/** No query is given more of them. */
export const MAX_PATTERNS = 50;

/** Ids from `least` on, before `beyond`, in the order of their code points. */
export interface IdRange {
  readonly least: string;
  readonly beyond: string;
}

/** No id has a character that sorts before it, or after it. */
const FIRST_CHARACTER = '\u0001';
const LAST_CHARACTER = '\u{10FFFF}';

/** The ids that fit the pattern, as a range, by which an index finds them. */
export function rangeOf(pattern: string): IdRange {
  if (!pattern.endsWith('*')) return { least: pattern, beyond: pattern + FIRST_CHARACTER };
  const beginning = pattern.slice(0, -1);
  return { least: beginning, beyond: beginning + LAST_CHARACTER };
}

/** Where the ids after this one begin. */
export function after(workflowId: string): string {
  return workflowId + FIRST_CHARACTER;
}

/** Whether ids fit, for many runs of few workflows: each id is compared once. */
export function fitting(patterns: WorkflowPatterns | null): (workflowId: string) => boolean {
  if (patterns === null) return () => true;
  const known = new Map<string, boolean>();
  return (workflowId) => {
    const answer = known.get(workflowId) ?? isInScope(patterns, workflowId);
    known.set(workflowId, answer);
    return answer;
  };
}
