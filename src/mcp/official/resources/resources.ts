import {
  ResourceNotFoundError,
  type RequestMethod,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ActingEngine } from '../../../engine/index.js';
import type { ToolName } from '../../tools/tool-definitions.js';
import { TOOL_PERMISSIONS } from '../../tools/tool-permissions.js';
import { workflowPage } from '../../tools/workflow-page.js';
import { contextIn } from '../keys.js';
import type { RequestHandler, RpcCall } from '../server-parts.js';
import { summarisedRecord } from '../tools/summarised-record.js';

const WORKFLOWS = 'flowgate://workflows/';
const RUNS = 'flowgate://runs/';
const JSON_TYPE = 'application/json';

const WORKFLOW_TEMPLATE = {
  uriTemplate: `${WORKFLOWS}{id}`,
  name: 'workflow',
  title: 'A registered workflow',
  description: 'What it is for, which input it takes, and what it consists of',
  mimeType: JSON_TYPE,
};
const RUN_TEMPLATE = {
  uriTemplate: `${RUNS}{runId}`,
  name: 'run',
  title: 'A run',
  description: 'Its record: status, state, messages',
  mimeType: JSON_TYPE,
};

/**
 * Workflows and runs as resources: the workflows are listed, runs are read by their id. If the tool that gives the
 * same information was removed, the resource does not exist either; whoever may not call that tool may not read it.
 */
export class WorkflowResources {
  constructor(private readonly tools: ReadonlySet<ToolName>) {}

  handlers(): readonly (readonly [RequestMethod, RequestHandler])[] {
    return [
      ['resources/list', (request, ctx) => this.list(request, engineIn(ctx))],
      ['resources/templates/list', (_request, ctx) => this.templates(engineIn(ctx))],
      ['resources/read', (request, ctx) => this.read(request, engineIn(ctx))],
    ];
  }

  private async templates(engine: ActingEngine): Promise<Result> {
    const resourceTemplates = [
      ...((await this.shows('describe_workflow', engine)) ? [WORKFLOW_TEMPLATE] : []),
      ...((await this.shows('get_run', engine)) ? [RUN_TEMPLATE] : []),
    ];
    return { resourceTemplates };
  }

  private async shows(tool: ToolName, engine: ActingEngine): Promise<boolean> {
    return this.tools.has(tool) && (await engine.may(...TOOL_PERMISSIONS[tool]));
  }

  private async list({ params }: RpcCall, engine: ActingEngine): Promise<Result> {
    if (!(await this.shows('list_workflows', engine))) return { resources: [] };
    const cursor = typeof params?.['cursor'] === 'string' ? params['cursor'] : null;
    const { workflows, ...next } = workflowPage(await engine.workflows.list(), cursor);
    const resources = workflows.map(({ workflowId, description }) => ({
      uri: `${WORKFLOWS}${encodeURIComponent(workflowId)}`,
      name: workflowId,
      ...(description === null ? {} : { description }),
      mimeType: JSON_TYPE,
    }));
    return { resources, ...next };
  }

  /** Throws a `ResourceNotFoundError` or a `ForbiddenError`. */
  private async read({ params }: RpcCall, engine: ActingEngine): Promise<Result> {
    const uri = String(params?.['uri']);
    const found = await this.at(uri, engine);
    if (found === null) throw new ResourceNotFoundError(uri.slice(0, 500));
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(found) }] };
  }

  private async at(uri: string, engine: ActingEngine): Promise<object | null> {
    const { tools } = this;
    const workflowId = tools.has('describe_workflow') ? idIn(uri, WORKFLOWS) : null;
    if (workflowId !== null) {
      await engine.assertMay(...TOOL_PERMISSIONS.describe_workflow);
      return engine.workflows.describe(workflowId);
    }
    const runId = tools.has('get_run') ? idIn(uri, RUNS) : null;
    if (runId === null) return null;
    await engine.assertMay(...TOOL_PERMISSIONS.get_run);
    const address = await engine.runs.locate(runId);
    return address === null ? null : summarisedRecord(await engine.runs.get(address));
  }
}

function engineIn({ http }: ServerContext): ActingEngine {
  return contextIn(http?.authInfo).engine;
}

/** The decoded id after the prefix; null for another address, or one that cannot be decoded. */
function idIn(uri: string, prefix: string): string | null {
  if (!uri.startsWith(prefix)) return null;
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    return null;
  }
}
