import { isInScope, type AccessScope } from '../../ports/access/policy.js';
import { MAX_PATTERNS, type WorkflowPatterns } from '../../ports/access/workflow-patterns.js';

/**
 * The queries that have what a scope shows, by their patterns; null: without any. Nothing is found by two of them, and none: the
 * scope shows nothing of the list. `workflowId`: the only one that the list is of; null: of any.
 */
export function queriesOf(
  scope: AccessScope,
  workflowId: string | null,
): readonly (WorkflowPatterns | null)[] {
  if (scope === 'all') return [null];
  if (workflowId !== null) return isInScope(scope, workflowId) ? [null] : [];
  const patterns = disjoint(scope);
  if (patterns[0] === '*') return [null];
  const queries: WorkflowPatterns[] = [];
  for (let from = 0; from < patterns.length; from += MAX_PATTERNS) {
    queries.push(patterns.slice(from, from + MAX_PATTERNS));
  }
  return queries;
}

/** The patterns of a search of what a scope shows, however many; null: it shows all. */
export function patternsOf(scope: AccessScope): WorkflowPatterns | null {
  const patterns = scope === 'all' ? null : disjoint(scope);
  return patterns?.[0] === '*' ? null : patterns;
}

/** Equal for equal scopes, whatever the order of their patterns: lists that are watched are shared by it. */
export function keyOfScope(scope: AccessScope): AccessScope {
  return scope === 'all' ? scope : disjoint(scope);
}

/** The patterns of a scope in one order, without those that another one has in it. */
function disjoint(scope: readonly string[]): WorkflowPatterns {
  const kept: string[] = [];
  let beginning: string | null = null;
  // Whatever begins with a text comes right after it.
  for (const pattern of [...scope].sort(byBeginning)) {
    if (beginning !== null && pattern.startsWith(beginning)) continue;
    if (pattern === kept.at(-1)) continue;
    kept.push(pattern);
    if (pattern.endsWith('*')) beginning = pattern.slice(0, -1);
  }
  return kept;
}

/** By their beginnings; of two with the same, the one with the star comes first. */
function byBeginning(a: string, b: string): number {
  const [one, other] = [a.replace(/\*$/, ''), b.replace(/\*$/, '')];
  if (one === other) return b.length - a.length;
  return one < other ? -1 : 1;
}
