import type { EngineLogger, EngineLogLevel } from '../ports/logger.js';

export interface SaidLine {
  readonly level: EngineLogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Keeps what was logged, for a test to look at. */
export class RecordingLogger implements EngineLogger {
  readonly said: SaidLine[] = [];

  /** The messages of that level, in order. */
  at(level: EngineLogLevel): readonly string[] {
    return this.said.filter((line) => line.level === level).map(({ message }) => message);
  }

  debug(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.said.push({ level: 'debug', message, fields });
  }

  info(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.said.push({ level: 'info', message, fields });
  }

  warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.said.push({ level: 'warn', message, fields });
  }

  error(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.said.push({ level: 'error', message, fields });
  }
}
