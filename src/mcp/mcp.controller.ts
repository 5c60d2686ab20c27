import {
  Controller,
  HttpCode,
  Post,
  Req,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type StreamableFile,
} from '@nestjs/common';
import { ActingPerson } from '../http/acting-person.js';
import type { EdgeRequest } from '../http/edge-request.js';
import { TakesBody } from '../http/host-bodies/takes-body.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { SelfCallGuard } from '../http/self-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { inChunksIfLong } from '../http/long-answers/long-answer.js';
import { JsonRpcExceptionFilter } from './json-rpc-exception.filter.js';
import type { RpcResponse } from './json-rpc.js';
import { McpService } from './mcp.service.js';

@Controller({ path: 'mcp', version: VERSION_NEUTRAL })
@UseGuards(WebPageGuard, SelfCallGuard)
@UseFilters(JsonRpcExceptionFilter)
export class McpController {
  constructor(
    private readonly mcp: McpService,
    private readonly bodies: JsonBodyReader,
    private readonly person: ActingPerson,
  ) {}

  @Post()
  @HttpCode(200)
  @TakesBody()
  async answer(@Req() request: EdgeRequest): Promise<RpcResponse | StreamableFile> {
    const asked = this.person.of(request);
    const person = asked === undefined ? undefined : await asked;
    return inChunksIfLong(await this.mcp.answer(await this.bodies.readSource(request), person));
  }
}
