import { Controller, HttpCode, Post, Req, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { RequestContexts } from '../http/identity/request-contexts.js';
import { AccessGuard } from '../http/access/access.guard.js';
import { Requires } from '../http/access/route-access.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/refusals/flowgate-exception.filter.js';
import { TakesBody } from '../http/host-bodies/takes-body.js';
import { JsonBodyReader } from '../http/bodies/json-body-reader.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { ValidationSchema } from '../openapi/schemas/version-schemas.js';
import { RegisterWorkflowDto } from './dto/register-workflow.dto.js';
import { postedDocument } from './posted-document.js';
import { WorkflowsService, type Validation } from './workflows.service.js';

/** Makes the checks of a registration. It stores nothing, so units may call it, too. */
@Controller({ path: 'workflows', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate workflows')
@UseGuards(WebPageGuard, AccessGuard)
@UseFilters(FlowgateExceptionFilter)
export class ValidationController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly bodies: JsonBodyReader,
    private readonly contexts: RequestContexts,
  ) {}

  @Post('validate')
  @HttpCode(200)
  @TakesBody()
  @Described({
    summary: 'Says whether a workflow would be registered, and what is wrong with it',
    body: { schema: RegisterWorkflowDto, required: true, isYamlToo: true },
    responses: [{ status: 200, description: 'Whatever it found', schema: ValidationSchema }],
    codes: ['busy', 'malformed-json', 'foreign-page', 'body-too-large', 'uploads-full'],
  })
  @Requires('workflow:register')
  async validate(@Req() request: EdgeRequest): Promise<Validation> {
    const context = await this.contexts.ofSharing(request);
    return this.workflows.validate(await postedDocument(this.bodies, request), context);
  }
}
