/** What somebody imports or runs by its address; everything else is in the files that these share. */
export const ENTRIES = [
  // The package.
  'index.js',
  'engine/index.js',
  'postgres.js',
  'testing/index.js',
  // The service and the command line.
  'main.js',
  'cli/flowgate.js',
  // Threads.
  'engine/definitions/thread/document-worker.js',
  'engine/runtime/transfer/replay/follow-worker.js',
  'storage/sqlite/memory/memory-worker.js',
  'storage/sqlite/reader/reader-worker.js',
  'storage/sqlite/writer/writer-worker.js',
  // What scripts and tests of this repository load.
  'app.module.js',
  'cli/terminal/interruption.js',
  'config/service/read-config.js',
  'engine/assemble.js',
  'engine/ports/store/run-filter.js',
  'mcp/official/server-factory.js',
  'openapi/schemas/event-schemas.js',
  'shut-down.js',
];
