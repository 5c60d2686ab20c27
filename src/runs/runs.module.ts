import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { HttpParts } from '../config/placement.js';
import { ForksController } from './forks.controller.js';
import { ForksService } from './forks.service.js';
import { AllEventsController } from './events/all-events.controller.js';
import { AllEventsService } from './events/all-events.service.js';
import { RunBatchesController } from './batches/run-batches.controller.js';
import { RunBatchesService } from './batches/run-batches.service.js';
import { RunEventsController } from './events/run-events.controller.js';
import { RunEventsService } from './events/run-events.service.js';
import { RunHistoryController } from './history/run-history.controller.js';
import { RunHistoryService } from './history/run-history.service.js';
import { RunListsController } from './lists/run-lists.controller.js';
import { RunListsService } from './lists/run-lists.service.js';
import { RunTransferController } from './run-transfer.controller.js';
import { RunTransferService } from './run-transfer.service.js';
import { RunByIdController } from './run-by-id.controller.js';
import { RunsController } from './runs.controller.js';
import { RunsService } from './runs.service.js';

const CONTROLLERS = [
  RunsController,
  RunBatchesController,
  RunListsController,
  RunHistoryController,
  ForksController,
  RunEventsController,
  AllEventsController,
  RunTransferController,
  RunByIdController,
];

@Module({
  providers: [
    RunsService,
    RunBatchesService,
    RunListsService,
    RunHistoryService,
    RunListsService,
    ForksService,
    RunEventsService,
    AllEventsService,
    RunTransferService,
  ],
  exports: [RunsService, ForksService],
})
export class RunsModule {
  static around(imports: readonly DynamicModule[], { runs }: HttpParts): DynamicModule {
    return featureOf(RunsModule, { imports, controllers: runs === true ? CONTROLLERS : [] });
  }
}
