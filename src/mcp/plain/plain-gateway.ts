import { Inject, Injectable, Logger } from '@nestjs/common';
import { EDGE_DEFAULTS, type EdgeOptions } from '../../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../../config/options.module.js';
import { ShuttingDownError } from '../../errors/service-errors.js';
import type { Arrival } from '../../http/arrival.js';
import { answerTo } from '../../http/error-answer.js';
import type { JsonSource } from '../../http/json-body-reader.js';
import {
  INTERNAL_ERROR,
  METHOD_NOT_FOUND,
  RpcFault,
  rpcError,
  UNAVAILABLE,
  type RpcResponse,
} from './json-rpc.js';
import { readRpcRequest, type RpcRequest } from './rpc-request.js';
import { isToolName, TOOLS } from '../tools/tool-definitions.js';
import { ToolsService } from '../tools/tools.service.js';

/** Both are fixed by the interface (section 9), whatever the package's version is. */
const PROTOCOL_VERSION = '2024-11-05';
const SERVER_VERSION = '0.1.0';

/** The plain JSON-RPC profile of the gateway: the interface to the letter. */
@Injectable()
export class McpService {
  private readonly logger = new Logger('Mcp');
  private readonly serverName: string;

  constructor(
    @Inject(FLOWGATE_OPTIONS) { serverName = EDGE_DEFAULTS.serverName }: EdgeOptions,
    private readonly tools: ToolsService,
  ) {
    this.serverName = serverName;
  }

  /** Answers every body; errors of JSON-RPC are answers too. `person` as in `Arrival`. */
  async answer(body: JsonSource, person?: Arrival['person']): Promise<RpcResponse> {
    const read = readRpcRequest(body);
    if (!read.ok) return rpcError(read.id, read.fault);
    const { id } = read.request;
    try {
      return { jsonrpc: '2.0', id, result: await this.resultOf(read.request, person) };
    } catch (error) {
      if (error instanceof RpcFault) return rpcError(id, error);
      if (error instanceof ShuttingDownError) return rpcError(id, new RpcFault(UNAVAILABLE, error.message));
      const { body: said, isFault } = answerTo(error);
      if (isFault) this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return rpcError(id, new RpcFault(INTERNAL_ERROR, said.error));
    }
  }

  private resultOf({ method, params }: RpcRequest, person: Arrival['person']): unknown {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: PROTOCOL_VERSION,
          capabilities: { tools: {} },
          serverInfo: { name: this.serverName, version: SERVER_VERSION },
        };
      case 'tools/list':
        return { tools: TOOLS };
      case 'tools/call':
        return this.callTool(params, person);
      default:
        throw new RpcFault(METHOD_NOT_FOUND, `Unknown method: ${method}`);
    }
  }

  private callTool(
    { name, arguments: given }: RpcRequest['params'],
    person: Arrival['person'],
  ): Promise<unknown> {
    if (isToolName(name)) return this.tools.call(name, given, person);
    const message = typeof name === 'string' ? `Unknown tool: ${name}` : 'params.name (string) is required';
    throw new RpcFault(METHOD_NOT_FOUND, `${message}; tools/list names the tools`);
  }
}
