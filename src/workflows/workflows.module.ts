import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { HttpParts } from '../config/placement.js';
import { RemovalController } from './removal.controller.js';
import { RegistrationController } from './registration.controller.js';
import { SchemaController } from './schema.controller.js';
import { ValidationController } from './validation.controller.js';
import { WorkflowFolder } from './workflow-folder.js';
import { WorkflowVersionsController } from './workflow-versions.controller.js';
import { WorkflowVersionsService } from './workflow-versions.service.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsService } from './workflows.service.js';

/** Registration, the list of workflows, their versions, and the schema of the language. */
@Module({
  providers: [WorkflowsService, WorkflowVersionsService, WorkflowFolder],
  exports: [WorkflowsService],
})
export class WorkflowsModule {
  static around(imports: readonly DynamicModule[], parts: HttpParts): DynamicModule {
    return featureOf(WorkflowsModule, {
      imports,
      controllers: [
        ...(parts.workflows === true ? [WorkflowsController, WorkflowVersionsController] : []),
        ...(parts.registration === true
          ? [RegistrationController, ValidationController, RemovalController]
          : []),
        ...(parts.schemas === true ? [SchemaController] : []),
      ],
    });
  }
}
