import { Inject, Module, type DynamicModule, type LoggerService, type OnModuleDestroy } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { ConfiguredLogLevel, FlowgateConfig } from '../config/flowgate-config.js';
import { EDGE_DEFAULTS, checkedStatuses, type EdgeOptions } from '../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { useStatuses } from '../openapi/statuses-in-use.js';
import { JsonBodyReader } from './json-body-reader.js';
import { LeanExpressAdapter } from './lean-express-adapter.js';
import { ServiceLogger } from './service-logger.js';
import { UnroutedFilter } from './unrouted.filter.js';
import { foreignPageCheck } from './web-pages/foreign-page.js';
import { checkOneHost } from './web-pages/host-name.js';
import { listensOnLoopback } from './web-pages/local-listener.js';

/** What every controller shares. */
@Module({ providers: [JsonBodyReader], exports: [JsonBodyReader] })
export class HttpEdgeModule implements OnModuleDestroy {
  private readonly unuse: () => void;

  /** Throws a `ConfigError`. */
  constructor(@Inject(FLOWGATE_OPTIONS) { statuses = EDGE_DEFAULTS.statuses }: EdgeOptions) {
    this.unuse = useStatuses(checkedStatuses(statuses));
  }

  static around(options: DynamicModule): DynamicModule {
    return { module: HttpEdgeModule, imports: [options], exports: [options] };
  }

  onModuleDestroy(): void {
    this.unuse();
  }
}

/** For the standalone service alone: in a host, what no route takes is the host's. */
@Module({ providers: [{ provide: APP_FILTER, useClass: UnroutedFilter }] })
export class StandaloneHttpModule {
  static adapter(config: FlowgateConfig): LeanExpressAdapter {
    return new LeanExpressAdapter({
      maxConnections: config.maxConnections,
      checks: (server) => [
        checkOneHost,
        foreignPageCheck(
          config,
          listensOnLoopback(() => server),
        ),
      ],
    });
  }

  static logger(level: ConfiguredLogLevel): LoggerService {
    return new ServiceLogger(level, process.stdout.isTTY);
  }
}
