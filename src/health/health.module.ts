import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { Mount } from '../config/placement.js';
import { FlowgateHealthIndicator } from './flowgate-health-indicator.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { ReadinessService } from './readiness.service.js';

/** The probes: health, liveness and readiness. */
@Module({ providers: [HealthService, ReadinessService] })
export class HealthModule {
  /** Exports the indicator of the instance without a name; for a named one the host makes it from its engine. */
  static around(imports: readonly DynamicModule[], { name, parts }: Mount): DynamicModule {
    const controllers = parts.health ? [HealthController] : [];
    const shared = name === undefined ? [FlowgateHealthIndicator] : [];
    return { ...featureOf(HealthModule, { imports, controllers }), providers: shared, exports: shared };
  }
}
