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
import { Described, DescribedUnder } from '../openapi/operation.js';
import { RpcRequestSchema, RpcResponseSchema } from '../openapi/schemas/rpc-schemas.js';
import { JsonRpcExceptionFilter } from './json-rpc-exception.filter.js';
import type { RpcResponse } from './plain/json-rpc.js';
import { McpService } from './mcp.service.js';

@Controller({ path: 'mcp', version: VERSION_NEUTRAL })
@DescribedUnder('Flowgate tools')
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
  @Described({
    summary: 'The same operations over JSON-RPC 2.0, for agents',
    description: 'What reaches the gateway is answered with 200, faults in `error`, whatever the body is.',
    body: { schema: RpcRequestSchema, required: true },
    answers: [{ status: 200, description: 'The answer of JSON-RPC', schema: RpcResponseSchema }],
    changes: true,
  })
  async answer(@Req() request: EdgeRequest): Promise<RpcResponse | StreamableFile> {
    const asked = this.person.of(request);
    const person = asked === undefined ? undefined : await asked;
    return inChunksIfLong(await this.mcp.answer(await this.bodies.readSource(request), person));
  }
}
