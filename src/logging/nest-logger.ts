import { Logger } from '@nestjs/common';
import type { EngineLogger } from '../engine/index.js';

/** What the engine and its parts say, in the log of the application. */
export function nestLogger(context: string): EngineLogger {
  const logger = new Logger(context);
  return {
    debug: (message, fields = {}) => logger.debug(message, fields),
    info: (message, fields = {}) => logger.log(message, fields),
    warn: (message, fields = {}) => logger.warn(message, fields),
    error: (message, fields = {}) => logger.error(message, fields),
    isOn: (level) => Logger.isLevelEnabled(level === 'info' ? 'log' : level),
  };
}
