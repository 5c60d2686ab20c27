import type { EngineLogger } from '../ports/logger.js';

export type { EngineLogger };

/** Says nothing: the default of an embedded engine. */
export const SILENT: EngineLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  isOn: () => false,
};

/** The logger, from which nothing is thrown: a line that could not be written must not stop a run. */
export function unfailing(logger: EngineLogger): EngineLogger {
  if (logger === SILENT) return logger;
  const safely =
    (level: 'debug' | 'info' | 'warn' | 'error'): EngineLogger['info'] =>
    (message, fields) => {
      try {
        logger[level](message, fields);
      } catch {
        // There is nowhere left to say it.
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
