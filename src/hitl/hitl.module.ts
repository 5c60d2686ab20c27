import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { HttpParts } from '../config/placement.js';
import { GatesController } from './gates.controller.js';
import { GatesService } from './gates.service.js';
import { HitlController } from './hitl.controller.js';
import { HitlService } from './hitl.service.js';

@Module({ providers: [HitlService, GatesService], exports: [HitlService] })
export class HitlModule {
  static around(imports: readonly DynamicModule[], { hitl }: HttpParts): DynamicModule {
    return featureOf(HitlModule, {
      imports,
      controllers: hitl === true ? [HitlController, GatesController] : [],
    });
  }
}
