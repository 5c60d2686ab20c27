import { Inject, Module, type DynamicModule, type OnModuleDestroy } from '@nestjs/common';
import { EDGE_DEFAULTS, checkedStatuses, type EdgeOptions } from '../config/edge-options.js';
import { checkedMcp } from '../config/mcp-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { useStatuses } from '../openapi/statuses-in-use.js';
import { Principal } from './principal.js';
import { EventStreams } from './event-stream/event-streams.js';
import { HostBodies } from './host-bodies/host-bodies.js';
import { JsonBodyReader } from './json-body-reader.js';

/** The providers that all controllers share. */
@Module({
  providers: [JsonBodyReader, Principal, HostBodies, EventStreams],
  exports: [JsonBodyReader, Principal, EventStreams],
})
export class HttpEdgeModule implements OnModuleDestroy {
  private readonly unuse: () => void;

  /** Throws a `ConfigError`. */
  constructor(@Inject(FLOWGATE_OPTIONS) { statuses = EDGE_DEFAULTS.statuses, mcp }: EdgeOptions) {
    checkedMcp(mcp);
    this.unuse = useStatuses(checkedStatuses(statuses));
  }

  static around(options: DynamicModule): DynamicModule {
    return { module: HttpEdgeModule, imports: [options], exports: [options] };
  }

  onModuleDestroy(): void {
    this.unuse();
  }
}
