/** An entry on its way to the memory's thread. */
export interface IndexedEntry {
  readonly id: string;
  readonly runId: string | null;
  /** What of the content can be searched. */
  readonly words: string;
  /** Content and metadata as JSON: it keeps what SQLite's text would not (zeros, halves of surrogate pairs). */
  readonly body: string;
}

/** What the memory's thread is asked. */
export type MemoryTask =
  | { readonly kind: 'open' }
  | { readonly kind: 'put'; readonly entries: readonly IndexedEntry[] }
  | { readonly kind: 'search'; readonly query: string; readonly topK: number }
  | { readonly kind: 'remove-runs'; readonly runIds: readonly string[] };

export type MemoryTaskResult =
  | { readonly kind: 'opened'; readonly isNew: boolean }
  | { readonly kind: 'found'; readonly hits: readonly FoundEntry[] }
  | { readonly kind: 'done' };

export interface FoundEntry {
  readonly id: string;
  readonly body: string;
  /** Greater is better. */
  readonly rank: number;
}
