import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { HttpParts } from '../config/placement.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';

/** `GET /metrics`. The meter is among the imports, and the engine imports it as well. */
@Module({})
export class MetricsModule {
  static around(imports: readonly DynamicModule[], { metrics }: HttpParts): DynamicModule {
    if (metrics !== true) return featureOf(MetricsModule, { imports: [], controllers: [] });
    const feature = featureOf(MetricsModule, { imports, controllers: [MetricsController] });
    return { ...feature, providers: [MetricsService] };
  }
}
