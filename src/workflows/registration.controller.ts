import { Catch, Controller, Post, Req, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { AccessGuard } from '../http/access/access.guard.js';
import { Requires } from '../http/access/route-access.js';
import type { ErrorResponse } from '../http/refusals/error-response.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { RequestContexts } from '../http/identity/request-contexts.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { TakesBody } from '../http/host-bodies/takes-body.js';
import { JsonBodyReader } from '../http/bodies/json-body-reader.js';
import { ReentrantCallGuard } from '../http/reentrant-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { RegisteredSchema } from '../openapi/schemas/service-schemas.js';
import { RegisterWorkflowDto } from './dto/register-workflow.dto.js';
import { postedDocument } from './posted-document.js';
import { WorkflowsService, type Registered } from './workflows.service.js';

/** An internal fault of from-yaml has the `type` `Error` (interface, section 7). */
@Catch()
class RegistrationExceptionFilter extends FlowgateExceptionFilter {
  protected override errorResponse(error: unknown): ErrorResponse {
    const response = super.errorResponse(error);
    return response.status === 500 ? { ...response, body: { ...response.body, type: 'Error' } } : response;
  }
}

/** Separate from the list, because a host may show its workflows without allowing registration. */
@Controller({ path: 'workflows', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate workflows')
@UseGuards(WebPageGuard, AccessGuard, ReentrantCallGuard)
@UseFilters(RegistrationExceptionFilter)
export class RegistrationController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly bodies: JsonBodyReader,
    private readonly contexts: RequestContexts,
  ) {}

  @Post('from-yaml')
  @TakesBody()
  @Described({
    summary: 'Registers a workflow, or replaces the one of its id',
    body: { schema: RegisterWorkflowDto, required: true, isYamlToo: true },
    responses: [{ status: 201, description: 'It is registered', schema: RegisteredSchema }],
    codes: ['yaml-validation', 'yaml-load', 'registry-full', 'busy'],
    changes: true,
  })
  @Requires('workflow:register')
  async register(@Req() request: EdgeRequest): Promise<Registered> {
    const context = await this.contexts.ofSharing(request);
    return this.workflows.register(await postedDocument(this.bodies, request), context);
  }
}
