import { ConsoleLogger, Module, type DynamicModule, type LogLevel } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { ConfiguredLogLevel } from '../config/flowgate-config.js';
import { JsonBodyReader } from './json-body-reader.js';
import { LeanExpressAdapter } from './lean-express-adapter.js';
import { UnroutedFilter } from './unrouted.filter.js';

/** What every controller shares. */
@Module({ providers: [JsonBodyReader], exports: [JsonBodyReader] })
export class HttpEdgeModule {
  static around(options: DynamicModule): DynamicModule {
    return { module: HttpEdgeModule, imports: [options], exports: [options] };
  }
}

/** For the standalone service alone: in a host, what no route takes is the host's. */
@Module({ providers: [{ provide: APP_FILTER, useClass: UnroutedFilter }] })
export class StandaloneHttpModule {
  static adapter(): LeanExpressAdapter {
    return new LeanExpressAdapter();
  }

  /** Lines for people on a terminal, JSON lines elsewhere. */
  static logger(level: ConfiguredLogLevel, isTerminal: boolean): ConsoleLogger {
    return new ConsoleLogger({
      logLevels: levelsFrom(level),
      json: !isTerminal,
      flattenParams: true,
    });
  }
}

/** Nest's names, from the gravest on. */
const NEST_LEVELS: readonly (readonly [ConfiguredLogLevel, LogLevel])[] = [
  ['fatal', 'fatal'],
  ['error', 'error'],
  ['warn', 'warn'],
  ['info', 'log'],
  ['debug', 'debug'],
  ['trace', 'verbose'],
];

function levelsFrom(level: ConfiguredLogLevel): LogLevel[] {
  const last = NEST_LEVELS.findIndex(([name]) => name === level);
  return NEST_LEVELS.slice(0, last + 1).map(([, nestLevel]) => nestLevel);
}
