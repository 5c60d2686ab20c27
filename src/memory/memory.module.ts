import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { HttpParts } from '../config/placement.js';
import { MemoryController } from './memory.controller.js';
import { MemoryService } from './memory.service.js';

@Module({ providers: [MemoryService] })
export class MemoryModule {
  static around(imports: readonly DynamicModule[], { memory }: HttpParts): DynamicModule {
    return featureOf(MemoryModule, { imports, controllers: memory === true ? [MemoryController] : [] });
  }
}
