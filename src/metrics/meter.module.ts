import { Module, type DynamicModule } from '@nestjs/common';
import { TELEMETRY } from '../config/instance-tokens.js';
import { Meter } from './meter.js';

/** Provides the telemetry of an instance's engine; null if the instance has no metrics. */
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
