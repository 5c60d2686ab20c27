import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { ConfiguredLogLevel } from '../../config/service/settings.js';
import { LineWriter } from './line-writer.js';

/** Nest's names, from the most severe on. */
const NEST_LEVELS: readonly (readonly [ConfiguredLogLevel, LogLevel])[] = [
  ['fatal', 'fatal'],
  ['error', 'error'],
  ['warn', 'warn'],
  ['info', 'log'],
  ['debug', 'debug'],
  ['trace', 'verbose'],
];

/** The contexts in which Nest logs its start at length. */
const NEST_CONTEXTS: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'NestApplication',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
]);

/** An error at the start is thrown, and reported once by the code that started the application. */
const START_FAILURE = 'ExceptionHandler';

/** Longer texts are left to Nest, which truncates very long ones. */
const MAX_PLAIN_CHARS = 10_000;

const standardOutput = new LineWriter(process.stdout);

/**
 * Lines for people on a terminal, JSON lines elsewhere. What Nest logs about its own start has the level `debug`.
 *
 * The engine logs something about every run, so a JSON line with plain fields takes a short path: it is written
 * together with the others of its round of the event loop, in Nest's own format. Everything else is left to Nest.
 * Errors are written at once.
 */
export class ServiceLogger extends ConsoleLogger {
  private readonly isOn: ReadonlySet<LogLevel>;

  constructor(
    level: ConfiguredLogLevel,
    private readonly isTerminal: boolean,
    private readonly lines = standardOutput,
  ) {
    const logLevels = levelsFrom(level);
    super({ logLevels, json: !isTerminal, flattenParams: true });
    this.isOn = new Set(logLevels);
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (NEST_CONTEXTS.has(rest.at(-1))) this.debug(message, ...rest);
    else if (!this.wrote('log', message, rest)) super.log(message, ...rest);
  }

  override warn(message: unknown, ...rest: unknown[]): void {
    if (!this.wrote('warn', message, rest)) super.warn(message, ...rest);
  }

  override debug(message: unknown, ...rest: unknown[]): void {
    if (!this.wrote('debug', message, rest)) super.debug(message, ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) === START_FAILURE) return;
    this.lines.flush();
    super.error(message, ...rest);
  }

  override fatal(message: unknown, ...rest: unknown[]): void {
    this.lines.flush();
    super.fatal(message, ...rest);
  }

  /** False: Nest must write the message, after the gathered lines. */
  private wrote(level: LogLevel, message: unknown, rest: readonly unknown[]): boolean {
    if (!this.isOn.has(level)) return true;
    const line = this.isTerminal ? null : plainLine(level, message, rest);
    if (line === null) this.lines.flush();
    else this.lines.write(line);
    return line !== null;
  }
}

/** The fields that Nest writes first; fields of the same name do not override them. */
interface Head {
  readonly level: LogLevel;
  readonly pid: number;
  readonly timestamp: number;
  readonly message: string;
  readonly context: string;
}

const { pid } = process;

/** The line of a message with a context, with or without fields before it; null if anything about it is unusual. */
function plainLine(level: LogLevel, message: unknown, rest: readonly unknown[]): string | null {
  const context = rest.at(-1);
  if (typeof message !== 'string' || typeof context !== 'string' || !isPlain(message)) return null;
  const head: Head = { level, pid, timestamp: Date.now(), message, context };
  if (rest.length === 1) return JSON.stringify(head);
  return rest.length === 2 && isFields(rest[0]) ? lineWith(head, rest[0]) : null;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function lineWith(head: Head, fields: Readonly<Record<string, unknown>>): string | null {
  const line: Record<string, unknown> = { ...head };
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (!isPlain(value)) return null;
    if (!(name in head)) line[name] = value;
  }
  return JSON.stringify(line);
}

function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value.length <= MAX_PLAIN_CHARS;
    case 'number':
    case 'boolean':
    case 'undefined':
      return true;
    default:
      return value === null;
  }
}

function levelsFrom(level: ConfiguredLogLevel): LogLevel[] {
  const last = NEST_LEVELS.findIndex(([name]) => name === level);
  return NEST_LEVELS.slice(0, last + 1).map(([, nestLevel]) => nestLevel);
}
