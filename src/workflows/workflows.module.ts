import { Module, type DynamicModule } from '@nestjs/common';
import { SchemaController } from './schema.controller.js';
import { WorkflowFolder } from './workflow-folder.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsService } from './workflows.service.js';

/** Registration, the list of workflows, and the schema of their language. */
@Module({
  controllers: [WorkflowsController, SchemaController],
  providers: [WorkflowsService, WorkflowFolder],
})
export class WorkflowsModule {
  static around(shared: readonly DynamicModule[]): DynamicModule {
    return { module: WorkflowsModule, imports: [...shared] };
  }
}
