import { Controller, HttpCode, Post, Req, UseFilters, UseGuards, type StreamableFile } from '@nestjs/common';
import type { EdgeRequest } from '../http/edge-request.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { SelfCallGuard } from '../http/self-call.guard.js';
import { WebPageGuard } from '../http/web-pages/web-page.guard.js';
import { inChunksIfLong } from '../http/long-answers/long-answer.js';
import { JsonRpcExceptionFilter } from './json-rpc-exception.filter.js';
import type { RpcResponse } from './json-rpc.js';
import { McpService } from './mcp.service.js';

@Controller('mcp')
@UseGuards(WebPageGuard, SelfCallGuard)
@UseFilters(JsonRpcExceptionFilter)
export class McpController {
  constructor(
    private readonly mcp: McpService,
    private readonly bodies: JsonBodyReader,
  ) {}

  @Post()
  @HttpCode(200)
  async answer(@Req() request: EdgeRequest): Promise<RpcResponse | StreamableFile> {
    return inChunksIfLong(await this.mcp.answer(await this.bodies.readSource(request)));
  }
}
