import type { WorkflowPatterns } from '../../../engine/ports/access/workflow-patterns.js';

/** An entry on its way to the memory's thread. */
export interface IndexedEntry {
  readonly id: string;
  readonly runId: string | null;
  readonly namespace: string;
  readonly workflowId: string;
  readonly content: string;
  /** Content and metadata as JSON: it keeps what SQLite's text would not (zeros, halves of surrogate pairs). */
  readonly body: string;
}

/** A task of the memory's thread. */
export type MemoryTask =
  | { readonly kind: 'put'; readonly entries: readonly IndexedEntry[] }
  | SearchTask
  | { readonly kind: 'remove-runs'; readonly runIds: readonly string[] };

export interface SearchTask {
  readonly kind: 'search';
  readonly namespace: string;
  /** Null: of all, and of none. */
  readonly workflows: WorkflowPatterns | null;
  readonly query: string;
  readonly topK: number;
}

export type MemoryTaskResult =
  { readonly kind: 'found'; readonly hits: readonly FoundEntry[] } | { readonly kind: 'done' };

export interface FoundEntry {
  readonly id: string;
  readonly body: string;
  /** Greater is better. */
  readonly rank: number;
}
