import type { EngineLogger } from '../ports/logger.js';

export type { EngineLogger };

/** Says nothing: the default of an embedded engine. */
export const SILENT: EngineLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
