import { Controller, Post, Req, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import type { EdgeRequest } from '../http/edge-request.js';
import { TakesBody } from '../http/host-bodies/takes-body.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { SelfCallGuard } from '../http/self-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { RegistrationExceptionFilter } from './registration-exception.filter.js';
import { WorkflowsService, type Registered } from './workflows.service.js';

/** Apart from the list: a host may show its workflows and let nobody register any. */
@Controller({ path: 'workflows', version: VERSION_NEUTRAL })
@UseGuards(WebPageGuard, SelfCallGuard)
@UseFilters(RegistrationExceptionFilter)
export class RegistrationController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly bodies: JsonBodyReader,
  ) {}

  @Post('from-yaml')
  @TakesBody()
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
