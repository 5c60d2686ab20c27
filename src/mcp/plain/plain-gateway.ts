import { Injectable, Logger } from '@nestjs/common';
import { ShuttingDownError } from '../../errors/service-errors.js';
import type { RequestContext } from '../../http/identity/request-context.js';
import { errorResponseOf, type ErrorBody } from '../../http/refusals/error-response.js';
import type { JsonSource } from '../../http/bodies/json-body-reader.js';
import { JsonText } from '../../http/long-responses/json-text.js';
import { isLong } from '../../http/long-responses/long-response.js';
import { McpSettings } from '../mcp-settings.js';
import {
  INTERNAL_ERROR,
  METHOD_NOT_FOUND,
  RpcFault,
  rpcError,
  UNAVAILABLE,
  type RpcResponse,
} from '../json-rpc.js';
import { readRpcRequest, type RpcRequest } from './rpc-request.js';
import { argumentsOf } from '../tools/tool-arguments.js';
import { ToolOperations } from '../tools/tool-operations.js';
import type { ToolDefinition, ToolName } from '../tools/tool-definitions.js';
import { TOOL_PERMISSIONS } from '../tools/tool-permissions.js';
import { plainDefinitions } from '../tools/tool-selection.js';

/** Fixed by the interface (section 9). */
const PROTOCOL_VERSION = '2024-11-05';

/** The result of `tools/call`; the text is JSON, a RunRecord or `{ "error": … }`. */
interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string | JsonText }];
  readonly isError?: true;
}

/** The plain JSON-RPC profile of the gateway: the interface to the letter. */
@Injectable()
export class PlainGateway {
  private readonly logger = new Logger('Mcp');
  private readonly tools: readonly ToolDefinition[];

  constructor(
    private readonly settings: McpSettings,
    private readonly operations: ToolOperations,
  ) {
    this.tools = plainDefinitions(settings.tools.plain);
  }

  /** Answers every body, also with errors of JSON-RPC. `from`: as whom, and by which engine. */
  async answer(body: JsonSource, from: RequestContext): Promise<RpcResponse> {
    const read = readRpcRequest(body);
    if (!read.ok) return rpcError(read.id, read.fault);
    const { id } = read.request;
    try {
      return { jsonrpc: '2.0', id, result: await this.resultOf(read.request, from) };
    } catch (error) {
      if (error instanceof RpcFault) return rpcError(id, error);
      if (error instanceof ShuttingDownError) return rpcError(id, new RpcFault(UNAVAILABLE, error.message));
      return rpcError(id, new RpcFault(INTERNAL_ERROR, this.errorBodyOf(error).error));
    }
  }

  private resultOf({ method, params }: RpcRequest, from: RequestContext): unknown {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: PROTOCOL_VERSION,
          capabilities: { tools: {} },
          serverInfo: this.settings.serverInfo,
        };
      case 'tools/list':
        return this.list(from);
      case 'tools/call':
        return this.callTool(params, from);
      default:
        throw new RpcFault(METHOD_NOT_FOUND, `Unknown method: ${method}`);
    }
  }

  /** The tools that the caller may call. */
  private async list({ engine }: RequestContext): Promise<{ readonly tools: readonly ToolDefinition[] }> {
    const tools: ToolDefinition[] = [];
    for (const tool of this.tools) {
      if (await engine.may(...TOOL_PERMISSIONS[tool.name as ToolName])) tools.push(tool);
    }
    return { tools };
  }

  /** A tool that fails gives a result; only a `ShuttingDownError`, and an `RpcFault`, are thrown. */
  private async callTool(
    { name, arguments: given }: RpcRequest['params'],
    from: RequestContext,
  ): Promise<ToolResult> {
    if (!this.has(name)) {
      const message = typeof name === 'string' ? `Unknown tool: ${name}` : 'params.name (string) is required';
      throw new RpcFault(METHOD_NOT_FOUND, `${message}; tools/list names the tools`);
    }
    try {
      await from.engine.assertMay(...TOOL_PERMISSIONS[name]);
      const result = await this.operations.perform(name, argumentsOf(given), from);
      const text = isLong(result) ? new JsonText(result) : JSON.stringify(result);
      return { content: [{ type: 'text', text }] };
    } catch (error) {
      if (error instanceof ShuttingDownError) throw error;
      return { content: [{ type: 'text', text: JSON.stringify(this.errorBodyOf(error)) }], isError: true };
    }
  }

  private has(name: unknown): name is ToolName {
    return this.settings.tools.plain.has(name as ToolName);
  }

  /** The error body for the caller; a fault of ours is logged unabridged. */
  private errorBodyOf(error: unknown): ErrorBody {
    const { body, isFault } = errorResponseOf(error, 'interface', 'mcp');
    if (isFault) this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return body;
  }
}
