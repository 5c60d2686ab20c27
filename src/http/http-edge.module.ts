import { Module, type DynamicModule, type LoggerService } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { ConfiguredLogLevel } from '../config/flowgate-config.js';
import { JsonBodyReader } from './json-body-reader.js';
import { LeanExpressAdapter } from './lean-express-adapter.js';
import { ServiceLogger } from './service-logger.js';
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

  static logger(level: ConfiguredLogLevel): LoggerService {
    return new ServiceLogger(level, process.stdout.isTTY);
  }
}
