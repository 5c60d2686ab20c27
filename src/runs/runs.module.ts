import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { HttpParts } from '../config/placement.js';
import { RunHistoryController } from './run-history.controller.js';
import { RunHistoryService } from './run-history.service.js';
import { RunsController } from './runs.controller.js';
import { RunsService } from './runs.service.js';

@Module({ providers: [RunsService, RunHistoryService], exports: [RunsService] })
export class RunsModule {
  static around(imports: readonly DynamicModule[], { runs }: HttpParts): DynamicModule {
    const controllers = runs === true ? [RunsController, RunHistoryController] : [];
    return featureOf(RunsModule, { imports, controllers });
  }
}
