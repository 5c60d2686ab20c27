import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { ConfiguredLogLevel } from '../config/flowgate-config.js';

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

/** Lines for people on a terminal, JSON lines elsewhere. What Nest says about its own start is for `debug`. */
export class ServiceLogger extends ConsoleLogger {
  constructor(level: ConfiguredLogLevel, isTerminal: boolean) {
    super({ logLevels: levelsFrom(level), json: !isTerminal, flattenParams: true });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (NEST_CONTEXTS.has(rest.at(-1))) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) !== START_FAILURE) super.error(message, ...rest);
  }
}

function levelsFrom(level: ConfiguredLogLevel): LogLevel[] {
  const last = NEST_LEVELS.findIndex(([name]) => name === level);
  return NEST_LEVELS.slice(0, last + 1).map(([, nestLevel]) => nestLevel);
}
