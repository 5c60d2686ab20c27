import { Inject, Module, type DynamicModule } from '@nestjs/common';
import type { EdgeOptions } from '../config/edge-options.js';
import { checkedMcp } from '../config/mcp-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { JsonBodyReader } from './bodies/json-body-reader.js';
import { EventStreams } from './event-stream/event-streams.js';
import { HostBodies } from './host-bodies/host-bodies.js';
import { Principal } from './identity/principal.js';

/** The providers that all controllers share. */
@Module({
  providers: [JsonBodyReader, Principal, HostBodies, EventStreams],
  exports: [JsonBodyReader, Principal, EventStreams],
})
export class HttpEdgeModule {
  /** Throws a `ConfigError`. */
  constructor(@Inject(FLOWGATE_OPTIONS) { mcp }: EdgeOptions) {
    checkedMcp(mcp);
  }

  static around(options: DynamicModule): DynamicModule {
    return { module: HttpEdgeModule, imports: [options], exports: [options] };
  }
}
