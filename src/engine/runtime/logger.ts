import type { EngineLogger } from '../ports/logger.js';

export type { EngineLogger };

/** Logs nothing: the default of an embedded engine. */
export const SILENT: EngineLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  isOn: () => false,
};

/** A logger that never throws: a line that could not be written must not stop a run. */
export function unfailing(logger: EngineLogger): EngineLogger {
  if (logger === SILENT) return logger;
  const safely =
    (level: 'debug' | 'info' | 'warn' | 'error'): EngineLogger['info'] =>
    (message, fields) => {
      try {
        logger[level](message, fields);
      } catch {
        // There is nowhere left to report it.
      }
    };
  const isOn = logger.isOn?.bind(logger);
  const lines = {
    debug: safely('debug'),
    info: safely('info'),
    warn: safely('warn'),
    error: safely('error'),
  };
  return isOn === undefined ? lines : { ...lines, isOn };
}
