import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ENGINE } from '../config/instance-tokens.js';
import { ApplicationStart } from '../discovery/application-start.js';
import type { Engine } from '../engine/index.js';
import { registerUnits } from './register-units.js';

const UNITS = Symbol('UNITS');

/** The units that are methods of the host's providers. */
@Module({})
export class UnitsModule {
  /** `engine` exports the engine of the instance of that name. */
  static around(engine: DynamicModule, name?: string): DynamicModule {
    const units = {
      provide: UNITS,
      inject: [ENGINE, DiscoveryService, MetadataScanner, ApplicationStart],
      useFactory: async (
        own: Engine,
        discovery: DiscoveryService,
        scanner: MetadataScanner,
        start: ApplicationStart,
      ) => {
        await registerUnits({ discovery, scanner }, { engine: own, name, start });
        return UNITS;
      },
    };
    return {
      module: UnitsModule,
      imports: [engine, DiscoveryModule],
      providers: [ApplicationStart, units],
      exports: [ApplicationStart],
    };
  }
}
