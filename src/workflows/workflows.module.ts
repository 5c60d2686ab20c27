import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { HttpParts } from '../config/placement.js';
import { RegistrationController } from './registration.controller.js';
import { SchemaController } from './schema.controller.js';
import { WorkflowFolder } from './workflow-folder.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsService } from './workflows.service.js';

/** Registration, the list of workflows, and the schema of their language. */
@Module({ providers: [WorkflowsService, WorkflowFolder], exports: [WorkflowsService] })
export class WorkflowsModule {
  static around(imports: readonly DynamicModule[], parts: HttpParts): DynamicModule {
    return featureOf(WorkflowsModule, {
      imports,
      controllers: [
        ...(parts.workflows === true ? [WorkflowsController] : []),
        ...(parts.registration === true ? [RegistrationController] : []),
        ...(parts.schemas === true ? [SchemaController] : []),
      ],
    });
  }
}
