import { Inject, Module, type DynamicModule } from '@nestjs/common';
import type { EdgeOptions } from '../config/edge-options.js';
import { checkedMcp } from '../config/mcp-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { JsonBodyReader } from './bodies/json-body-reader.js';
import { EventStreams } from './event-stream/event-streams.js';
import { HostBodies } from './host-bodies/host-bodies.js';
import { EngineLife } from './identity/engine-life.js';
import { RequestContexts } from './identity/request-contexts.js';

/** The providers that all controllers share. */
@Module({
  providers: [JsonBodyReader, RequestContexts, EngineLife, HostBodies, EventStreams],
  exports: [JsonBodyReader, RequestContexts, EngineLife, EventStreams],
})
export class HttpEdgeModule {
  /** Throws a `ConfigError`. */
  constructor(@Inject(FLOWGATE_OPTIONS) { mcp }: EdgeOptions) {
    checkedMcp(mcp);
  }

  /** `engine` exports the engine of the instance, `authentication` who is asking. */
  static around(options: DynamicModule, engine: DynamicModule, authentication: DynamicModule): DynamicModule {
    return { module: HttpEdgeModule, imports: [options, engine, authentication], exports: [options] };
  }
}
