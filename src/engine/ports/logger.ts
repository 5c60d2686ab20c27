export type EngineLogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Where the engine says what it does. Never given an input, an output, a header or a secret. */
export interface EngineLogger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Whether that level is on: a message of a level that is off is not even put together. Absent: every level is on. */
  isOn?(level: EngineLogLevel): boolean;
}
