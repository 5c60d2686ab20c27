import { Controller, Post, Req, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { ActingPerson } from '../http/acting-person.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { TakesBody } from '../http/host-bodies/takes-body.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { SelfCallGuard } from '../http/self-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { RegisteredSchema } from '../openapi/schemas/service-schemas.js';
import { RegisterWorkflowDto } from './dto/register-workflow.dto.js';
import { postedDocument } from './posted-document.js';
import { RegistrationExceptionFilter } from './registration-exception.filter.js';
import { WorkflowsService, type Registered } from './workflows.service.js';

/** Apart from the list: a host may show its workflows and let nobody register any. */
@Controller({ path: 'workflows', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate workflows')
@UseGuards(WebPageGuard, SelfCallGuard)
@UseFilters(RegistrationExceptionFilter)
export class RegistrationController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly bodies: JsonBodyReader,
    private readonly person: ActingPerson,
  ) {}

  @Post('from-yaml')
  @TakesBody()
  @Described({
    summary: 'Registers a workflow, or replaces the one of its id',
    body: { schema: RegisterWorkflowDto, required: true, isYamlToo: true },
    answers: [{ status: 201, description: 'It is registered', schema: RegisteredSchema }],
    codes: ['yaml-validation', 'yaml-load', 'registry-full', 'busy'],
    changes: true,
  })
  async register(@Req() request: EdgeRequest): Promise<Registered> {
    const caller = await this.person.callerOf(request);
    return this.workflows.register(await postedDocument(this.bodies, request), { via: 'http', caller });
  }
}
