import { Inject, Module, type LoggerService } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { ACCESS } from '../../config/access/access-tokens.js';
import type { ConfiguredLogLevel, FlowgateConfig } from '../../config/service/settings.js';
import type { Access } from '../access/access.js';
import { isKnown } from '../access/admission.js';
import { corsFor } from './cors.js';
import { LeanExpressAdapter } from './lean-express-adapter.js';
import { ServiceLogger } from './service-logger.js';
import { UnroutedFilter } from './unrouted.filter.js';
import { crossOriginCheck } from '../web-pages/cross-origin.js';
import { checkOneHost } from '../web-pages/host-name.js';
import { listensOnLoopback } from '../web-pages/local-listener.js';

/** For the standalone service only: in a host, unrouted requests are the host's, and Express may not be installed. */
@Module({ providers: [{ provide: APP_FILTER, useClass: UnroutedFilter }] })
export class StandaloneHttpModule {
  constructor({ httpAdapter }: HttpAdapterHost<LeanExpressAdapter>, @Inject(ACCESS) access: Access | null) {
    if (access !== null) httpAdapter.knows = (request) => isKnown(request, access);
  }

  static adapter(config: FlowgateConfig): LeanExpressAdapter {
    return new LeanExpressAdapter({
      maxConnections: config.maxConnections,
      checks: (server) => [
        checkOneHost,
        crossOriginCheck(
          config,
          listensOnLoopback(() => server),
        ),
      ],
    });
  }

  /** What `enableCors` of the application is called with; null: nothing is said to pages of other origins. */
  static cors({ corsOrigins }: FlowgateConfig): ReturnType<typeof corsFor> | null {
    return corsOrigins.length === 0 ? null : corsFor(corsOrigins);
  }

  static logger(level: ConfiguredLogLevel): LoggerService {
    return new ServiceLogger(level, process.stdout.isTTY);
  }
}
