import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { ConfiguredLogLevel } from '../config/flowgate-config.js';
import { LineWriter } from './line-writer.js';

/** Nest's names, from the gravest on. */
const NEST_LEVELS: readonly (readonly [ConfiguredLogLevel, LogLevel])[] = [
  ['fatal', 'fatal'],
  ['error', 'error'],
  ['warn', 'warn'],
  ['info', 'log'],
  ['debug', 'debug'],
  ['trace', 'verbose'],
];

/** Where Nest tells at length how it starts. */
const NEST_CONTEXTS: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'NestApplication',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
]);

/** What fails at the start is thrown, and said once by whoever started it. */
const START_FAILURE = 'ExceptionHandler';

/** Longer texts are left to Nest, which cuts what is endless. */
const MAX_PLAIN_CHARS = 10_000;

const standardOutput = new LineWriter(process.stdout);

/**
 * Lines for people on a terminal, JSON lines elsewhere. What Nest says about its own start is for `debug`.
 *
 * The engine says something about every run, so a JSON line with plain fields goes a short way: it is written together
 * with the others of its turn, in Nest's own format. Everything else is Nest's. Errors are written at once.
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

  /** False: it is for Nest to write, after what has gathered. */
  private wrote(level: LogLevel, message: unknown, rest: readonly unknown[]): boolean {
    if (!this.isOn.has(level)) return true;
    const line = this.isTerminal ? null : plainLine(level, message, rest);
    if (line === null) this.lines.flush();
    else this.lines.write(line);
    return line !== null;
  }
}

/** What Nest writes first; fields of the same name do not win against it. */
interface Head {
  readonly level: LogLevel;
  readonly pid: number;
  readonly timestamp: number;
  readonly message: string;
  readonly context: string;
}

const { pid } = process;

/** The line of a message with a context, and fields before it or none; null where anything about it is out of the way. */
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
