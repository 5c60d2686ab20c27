import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  type RequestMethod,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { HitlService } from '../../hitl/hitl.service.js';
import { errorResponseOf } from '../../http/refusals/error-response.js';
import type { McpSettings } from '../mcp-settings.js';
import type { ToolOperations } from '../tools/tool-operations.js';
import { Approvals } from './tools/approvals.js';
import { signingKey } from './keys.js';
import { OfficialTools } from './tools/official-tools.js';
import { promptHandlers } from './resources/prompts.js';
import { WorkflowResources } from './resources/resources.js';
import type { CreateServer, RequestHandler, RpcCall, ServerExtension, ServerParts } from './server-parts.js';
import { Serving } from './sessions/serving.js';
import { WorkflowTools } from './tools/workflow-tools.js';

/** The instructions about the whole server, which a model gets once. */
const instructions = [
  'Flowgate runs workflows: documents of units and a flow between them. Runs are durable and survive crashes.',
  'list_workflows tells which there are and describe_workflow which input one takes; run_workflow with sync waits for the run.',
  'A run that is "paused" at a gate waits for a person: ask them, never decide for them. A "running" one goes on: read it with get_run.',
  'A "failed" run says why in "error"; resume_run tries it again from its last checkpoint.',
].join('\n');

export interface AssemblyOptions {
  readonly settings: McpSettings;
  readonly operations: ToolOperations;
  readonly hitl: HitlService;
  /** See `keys.ts`. */
  readonly rootKey: Uint8Array;
  readonly extension: ServerExtension;
  /** Called with faults of ours, unabridged. */
  readonly onFault: (error: unknown) => void;
  /** Called with errors of clients. */
  readonly onError: (error: Error) => void;
}

export interface OfficialProfile {
  readonly serving: Serving;
  /** To be called when workflows were registered: cached tools are dropped. */
  readonly workflowsChanged: () => void;
  /** Notifies the clients of the namespace that the lists have changed. */
  readonly announce: (namespace: string) => void;
}

/** Assembles the official profile. Only this file loads the SDK, so its cost arises with the first use. */
export function assembleOfficial(options: AssemblyOptions): OfficialProfile {
  const { settings, operations, hitl, rootKey, extension, onFault, onError } = options;
  const workflowTools = new WorkflowTools(settings.workflowTools);
  const approvals = new Approvals({
    hitl,
    key: signingKey(rootKey, 'questions'),
    areTaken: settings.tools.official.has('respond_hitl'),
  });
  const tools = new OfficialTools({ settings, operations, hitl, approvals, workflowTools, onFault });
  const resources = new WorkflowResources(settings.tools.official);
  const parts = extension({
    capabilities: {
      tools: settings.workflowTools ? { listChanged: true } : {},
      resources: { listChanged: true },
      prompts: {},
    },
    handlers: new Map<RequestMethod, RequestHandler>([
      ['tools/list', (request, ctx) => tools.list(request, ctx)],
      ['tools/call', (request, ctx, client) => tools.call(request, ctx, client)],
      ...resources.handlers(),
      ...promptHandlers(),
    ]),
    verifyState: (state, ctx) => approvals.verify(state, ctx),
  });
  const createServer: CreateServer = (only = null) => serverOf(parts, options, only);
  const serving = new Serving({
    createServer,
    serverSpeaksUp: parts.capabilities.logging !== undefined,
    rootKey,
    maxSessions: settings.maxSessions,
    onError,
  });
  return {
    serving,
    workflowsChanged: () => workflowTools.forget(),
    announce: (namespace) => {
      if (settings.workflowTools) serving.announce('tools', namespace);
      serving.announce('resources', namespace);
    },
  };
}

function serverOf(
  { capabilities, handlers, verifyState }: ServerParts,
  { settings: { serverInfo }, onFault }: Pick<AssemblyOptions, 'settings' | 'onFault'>,
  only: string | null,
): Server {
  const server = new Server(serverInfo, {
    capabilities,
    instructions,
    requestState: { verify: verifyState },
  });
  for (const [method, handler] of handlers) {
    if (only !== null && only !== method) continue;
    const respond = async (request: unknown, ctx: ServerContext) => {
      try {
        return (await handler(request as RpcCall, ctx, clientOf(server, ctx))) as never;
      } catch (error) {
        throw protocolErrorOf(error, onFault);
      }
    };
    server.setRequestHandler(method, respond);
  }
  return server;
}

/** The capabilities of the client, which it states with each request, or stated once for the session. */
function clientOf(server: Server, { mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return declared ?? server.getClientCapabilities();
}

/** The error that a caller gets. A fault of ours is not described to the caller, but passed to `onFault`. */
function protocolErrorOf(error: unknown, onFault: (error: unknown) => void): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const { body, isFault, status } = errorResponseOf(error, 'interface', 'mcp');
  if (isFault) onFault(error);
  const code = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, body.error, { code: body.code });
}
