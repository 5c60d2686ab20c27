/** The compiled `document-worker`, for engines of tests: `global-setup.ts` made it. */
export const builtDocumentWorker = new URL(
  '../../.tmp/sqlite-worker/engine/definitions/thread/document-worker.js',
  import.meta.url,
);
