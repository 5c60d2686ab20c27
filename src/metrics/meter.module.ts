import { Module, type DynamicModule } from '@nestjs/common';
import { TELEMETRY } from '../config/telemetry.js';
import { Meter } from './meter.js';

/** Who measures the engine of an instance: nobody, where it has no metrics. */
@Module({})
export class MeterModule {
  static with({ metrics }: { readonly metrics: boolean }): DynamicModule {
    return {
      module: MeterModule,
      providers: [{ provide: TELEMETRY, useFactory: () => (metrics ? new Meter() : null) }],
      exports: [TELEMETRY],
    };
  }
}
