import { Module, type DynamicModule } from '@nestjs/common';
import { RunHistoryController } from './run-history.controller.js';
import { RunHistoryService } from './run-history.service.js';
import { RunsController } from './runs.controller.js';
import { RunsService } from './runs.service.js';

@Module({
  controllers: [RunsController, RunHistoryController],
  providers: [RunsService, RunHistoryService],
  exports: [RunsService],
})
export class RunsModule {
  static around(shared: readonly DynamicModule[]): DynamicModule {
    return { module: RunsModule, imports: [...shared] };
  }
}
