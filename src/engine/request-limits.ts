/** How many items one page may hold. */
export interface PageLimit {
  readonly least: number;
  readonly most: number;
  /** Where a request names none. */
  readonly usual: number;
}

/** Runs, gates and versions; more are refused. */
export const LIST_PAGE: PageLimit = { least: 1, most: 200, usual: 50 };

/** Events of a run; more are refused. */
export const EVENT_PAGE: PageLimit = { least: 1, most: 1_000, usual: 100 };

/** Messages and checkpoints of a run; more are reduced to the most. */
export const HISTORY_PAGE: PageLimit = { least: 1, most: 1_000, usual: 1_000 };

/** Results of a search; more are reduced to the most. */
export const SEARCH_RESULTS: PageLimit = { least: 1, most: 100, usual: 5 };

/** Starts of one batch; more are refused. */
export const STARTS_OF_A_BATCH = { least: 1, most: 1_000 } as const;

/** Labels that one filter may name. */
export const MOST_LABELS_OF_A_FILTER = 3;

/** What a budget may allow a run; documents have the same bounds for `spec.policy.budget`. */
export const MOST_TOKENS = Number.MAX_SAFE_INTEGER;
/** In the currency that the units report. */
export const MOST_COST = 1e15;
