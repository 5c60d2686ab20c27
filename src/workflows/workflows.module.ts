import { Module, type DynamicModule } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { SchemaController } from './schema.controller.js';
import { WorkflowFolder } from './workflow-folder.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsService } from './workflows.service.js';

/** Registration, the list of workflows, the health that names them, and the schema of their language. */
@Module({
  controllers: [WorkflowsController, HealthController, SchemaController],
  providers: [WorkflowsService, HealthService, WorkflowFolder],
})
export class WorkflowsModule {
  static around(shared: readonly DynamicModule[]): DynamicModule {
    return { module: WorkflowsModule, imports: [...shared] };
  }
}
