import { Module, type DynamicModule } from '@nestjs/common';
import { WorkflowFolder } from './workflow-folder.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsService } from './workflows.service.js';

/** Registration, and the list of workflows. */
@Module({
  controllers: [WorkflowsController],
  providers: [WorkflowsService, WorkflowFolder],
})
export class WorkflowsModule {
  static around(shared: readonly DynamicModule[]): DynamicModule {
    return { module: WorkflowsModule, imports: [...shared] };
  }
}
