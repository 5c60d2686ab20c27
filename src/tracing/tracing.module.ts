import {
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { FlowgateConfig } from '../config/service/settings.js';
import type { OtlpTracing } from './otlp-tracing.js';

/** The SDK of the standalone service; null if nothing is traced. */
export const TRACING = Symbol('TRACING');

/** Part of the time that a shutdown has after the grace of units (see `shut-down.ts`). */
const SENT_WITHIN_MS = 2_000;

/** For the standalone service only: hosts have an SDK of their own, or none. */
@Module({})
export class TracingModule implements OnApplicationShutdown {
  constructor(@Inject(TRACING) private readonly tracing: OtlpTracing | null) {}

  /** OpenTelemetry is loaded only if there is an endpoint. */
  static with(config: FlowgateConfig): DynamicModule {
    const provider: FactoryProvider<OtlpTracing | null> = {
      provide: TRACING,
      useFactory: async () => {
        const { otlpEndpoint } = config;
        if (otlpEndpoint === null) return null;
        const { otlpTracing } = await import('./otlp-tracing.js');
        return otlpTracing({ ...config, otlpEndpoint }, new Logger('Tracing'));
      },
    };
    return { module: TracingModule, providers: [provider], exports: [TRACING] };
  }

  /** The engine is closed by now, and has reported its last runs. */
  async onApplicationShutdown(): Promise<void> {
    await this.tracing?.close(SENT_WITHIN_MS);
  }
}
