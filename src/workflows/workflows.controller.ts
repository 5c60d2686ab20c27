import { Controller, Get, Post, Req, UseFilters, UseGuards, type StreamableFile } from '@nestjs/common';
import type { EdgeRequest } from '../http/edge-request.js';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { SelfCallGuard } from '../http/self-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { inChunksIfLong } from '../http/long-answers/long-answer.js';
import { Described, DescribedUnder } from '../openapi/operation.js';
import { RegisteredSchema, WorkflowListSchema } from '../openapi/schemas/service-schemas.js';
import { RegisterWorkflowDto } from './dto/register-workflow.dto.js';
import { RegistrationExceptionFilter } from './registration-exception.filter.js';
import { WorkflowsService, type Registered, type WorkflowList } from './workflows.service.js';

@Controller('workflows')
@DescribedUnder('Flowgate workflows')
@UseGuards(WebPageGuard, SelfCallGuard)
@UseFilters(FlowgateExceptionFilter)
export class WorkflowsController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly bodies: JsonBodyReader,
  ) {}

  @Get()
  @Described({
    summary: 'Lists the registered workflows',
    answers: [{ status: 200, description: 'In the order of their registration', schema: WorkflowListSchema }],
  })
  async list(): Promise<WorkflowList | StreamableFile> {
    return inChunksIfLong(await this.workflows.list());
  }

  @Post('from-yaml')
  @Described({
    summary: 'Registers a workflow, or replaces the one of its id',
    body: { schema: RegisterWorkflowDto, required: true, isYamlToo: true },
    answers: [{ status: 201, description: 'It is registered', schema: RegisteredSchema }],
    codes: ['yaml-validation', 'yaml-load', 'registry-full', 'busy'],
    changes: true,
  })
  @UseFilters(RegistrationExceptionFilter)
  async register(@Req() request: EdgeRequest): Promise<Registered> {
    const body = isYaml(request)
      ? { yaml: await this.bodies.readText(request) }
      : await this.bodies.read(request);
    return this.workflows.register(body);
  }
}

/** The media types of YAML, RFC 9512's first; with one of them the body is the document itself. */
const YAML_TYPES: readonly string[] = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];

function isYaml({ headers }: EdgeRequest): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return YAML_TYPES.includes(type.trim().toLowerCase());
}
