import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ENGINE } from '../config/instance-tokens.js';
import { ApplicationStart } from '../discovery/application-start.js';
import type { Engine } from '../engine/index.js';
import { RunHooks } from './run-hooks.js';

/** The hooks of the host. */
@Module({})
export class RunEventsModule {
  /** `engine` exports the engine of the instance of that name. */
  static around(engine: DynamicModule, name?: string): DynamicModule {
    const hooks = {
      provide: RunHooks,
      inject: [ENGINE, DiscoveryService, MetadataScanner, ApplicationStart],
      useFactory: (
        own: Engine,
        discovery: DiscoveryService,
        scanner: MetadataScanner,
        start: ApplicationStart,
      ) => new RunHooks({ discovery, scanner }, { engine: own, name, start }),
    };
    return {
      module: RunEventsModule,
      imports: [engine, DiscoveryModule],
      providers: [ApplicationStart, hooks],
    };
  }
}
