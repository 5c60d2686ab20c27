import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { Place } from '../config/placement.js';
import { FlowgateHealthIndicator } from './flowgate-health-indicator.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { ReadinessService } from './readiness.service.js';

/** What probes ask: how the service is, whether it lives, whether it takes work. */
@Module({ providers: [HealthService, ReadinessService] })
export class HealthModule {
  /** Exports the indicator of the instance that has no name; of a named one the host makes it from its engine. */
  static around(imports: readonly DynamicModule[], { name, parts }: Place): DynamicModule {
    const controllers = parts.health ? [HealthController] : [];
    const shared = name === undefined ? [FlowgateHealthIndicator] : [];
    return { ...featureOf(HealthModule, { imports, controllers }), providers: shared, exports: shared };
  }
}
