import { Module, type DynamicModule } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { ReadinessService } from './readiness.service.js';

/** What probes ask: how the service is, whether it lives, whether it takes work. */
@Module({ controllers: [HealthController], providers: [HealthService, ReadinessService] })
export class HealthModule {
  static around(shared: readonly DynamicModule[]): DynamicModule {
    return { module: HealthModule, imports: [...shared] };
  }
}
