/** The compiled `src/storage/sqlite`, for `workers` of the SQLite adapters: `global-setup.ts` made it. */
export const builtWorkers = new URL('../../.tmp/sqlite-worker/storage/sqlite/', import.meta.url);
