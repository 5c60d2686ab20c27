import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type ListToolsResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { eventsUntilStop, type ActingEngine, type OpenGate, type RunRecord } from '../../../engine/index.js';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import type { HitlService } from '../../../hitl/hitl.service.js';
import type { RequestContext } from '../../../http/identity/request-context.js';
import { errorResponseOf } from '../../../http/refusals/error-response.js';
import type { McpSettings } from '../../mcp-settings.js';
import { BUILT_IN_TOOLS, wholeDefinition, type ToolName } from '../../tools/tool-definitions.js';
import { TOOL_PERMISSIONS } from '../../tools/tool-permissions.js';
import { argumentsOf, type ToolArguments } from '../../tools/tool-arguments.js';
import type { ToolOperations } from '../../tools/tool-operations.js';
import { digestOf } from './arguments-digest.js';
import type { Approvals, Asking, DecisionResult, GateQuestion } from './approvals.js';
import { contextIn } from '../keys.js';
import { notifyProgress } from './progress.js';
import type { RpcCall } from '../server-parts.js';
import { errorResult, resultOf, runResult } from './tool-results.js';
import type { WorkflowTools } from './workflow-tools.js';

export interface OfficialToolsOptions {
  readonly settings: McpSettings;
  readonly operations: ToolOperations;
  readonly hitl: HitlService;
  readonly approvals: Approvals;
  readonly workflowTools: WorkflowTools;
  /** Called with faults of ours, unabridged. */
  readonly onFault: (error: unknown) => void;
}

/** The tools that wait for a run, and whose result is its record. */
const MOVING_TOOLS: ReadonlySet<ToolName> = new Set([
  'run_workflow',
  'resume_run',
  'respond_hitl',
  'cancel_run',
  'pause_run',
  'compensate_run',
  'fork_run',
]);

/** The tools that begin a run, which their arguments cannot name. */
const STARTING_TOOLS: ReadonlySet<ToolName> = new Set(['run_workflow', 'fork_run']);

type ToolResponse = CallToolResult | InputRequiredResult;

/** The most questions within one call; they are asked sequentially, one for each gate. */
const MAX_QUESTIONS = 20;

/** How the record of a run is reported. */
interface ReportOptions {
  /** Of the call that it is reported to. */
  readonly context: RequestContext;
  /** The call in which a person can be asked; null: nobody is asked. */
  readonly asking: Asking | null;
  /** How many questions this call has waited for. */
  readonly asked: number;
  /** A message to the caller in addition to the record. */
  readonly note?: string | undefined;
}

/** `tools/list` and `tools/call` of the official profile. */
export class OfficialTools {
  constructor(private readonly options: OfficialToolsOptions) {}

  /** The tools that the caller may call: ours, and those of workflows, which start them. */
  async list({ params }: RpcCall, { http }: Pick<ServerContext, 'http'>): Promise<ListToolsResult> {
    const { settings, workflowTools } = this.options;
    const { engine } = contextIn(http?.authInfo);
    const own: object[] = [];
    for (const name of settings.tools.official) {
      const tool = BUILT_IN_TOOLS.get(name);
      if (tool !== undefined && (await engine.may(...TOOL_PERMISSIONS[name])))
        own.push({ ...wholeDefinition(tool), ...tool.details });
    }
    const mayRun = await engine.may(...TOOL_PERMISSIONS.run_workflow);
    const page = mayRun ? await workflowTools.page(params?.['cursor'], engine) : { tools: [] };
    const tools = params?.['cursor'] === undefined ? [...own, ...page.tools] : page.tools;
    return { ...page, tools } as unknown as ListToolsResult;
  }

  /** A tool that fails gives a result that says so. Throws a `ProtocolError` for a tool that does not exist. */
  async call(
    { params = {} }: RpcCall,
    ctx: ServerContext,
    client: ClientCapabilities | undefined,
  ): Promise<ToolResponse> {
    const context = contextIn(ctx.http?.authInfo);
    const named = await this.toolNamed(params['name'], params['arguments'], context.engine);
    try {
      const { name } = named;
      await context.engine.assertMay(...TOOL_PERMISSIONS[name]);
      const given = argumentsOf(named.given);
      // Whoever can be asked is asked as soon as a gate opens, whatever else moves.
      const asksEarly =
        waitsForStop(name, given) &&
        !isRecordedAtOnce(given) &&
        this.options.approvals.canAsk(client) &&
        (await mayFollow(given, context));
      const waiting = {
        waitMs: this.options.settings.waitMs,
        signal: ctx.mcpReq.signal,
        ...(asksEarly ? ({ syncUntil: 'gate' } as const) : {}),
      };
      const requestContext: RequestContext = { ...context, waiting };
      const call: Asking = { name, given, ctx, client, requestContext };
      const question = ctx.mcpReq.requestState<GateQuestion>();
      return await (question === undefined ? this.carryOut(call) : this.proceed(question, call));
    } catch (error) {
      const { body, isFault } = errorResponseOf(error, 'interface', 'mcp');
      if (isFault) this.options.onFault(error);
      return errorResult(body);
    }
  }

  /** A workflow's own tool stands for `run_workflow` with its id. */
  private async toolNamed(
    name: unknown,
    given: unknown,
    engine: ActingEngine,
  ): Promise<{ readonly name: ToolName; readonly given: unknown }> {
    const { settings, workflowTools } = this.options;
    if (settings.tools.official.has(name as ToolName)) return { name: name as ToolName, given };
    const workflowId = typeof name === 'string' ? await workflowTools.workflowOf(name, engine) : null;
    if (workflowId === null) {
      throw new ProtocolError(
        ProtocolErrorCode.MethodNotFound,
        `Unknown tool: ${String(name).slice(0, 200)}; tools/list names the tools`,
      );
    }
    return { name: 'run_workflow', given: { workflowId, input: given, sync: true } };
  }

  private async carryOut(call: Asking): Promise<ToolResponse> {
    const { name, given, ctx } = call;
    if (!MOVING_TOOLS.has(name)) {
      const result = await this.options.operations.perform(name, given, call.requestContext);
      return name === 'get_run' ? this.read(result as RunRecord, call.requestContext) : resultOf(result);
    }
    const isFollowed = await mayFollow(given, call.requestContext);
    const progressToken = isFollowed ? ctx.mcpReq._meta?.progressToken : undefined;
    const record = await (progressToken === undefined
      ? this.options.operations.perform(name, given, call.requestContext)
      : this.withProgress(call, progressToken));
    // A caller that ends or pauses a run is not asked how it should continue.
    if (name === 'cancel_run' || name === 'pause_run') return this.stopped(record as RunRecord, name);
    // A caller that does not wait is not asked either.
    const waits = isFollowed && waitsForStop(name, given) && !isRecordedAtOnce(given);
    return this.responseFor(record as RunRecord, {
      context: call.requestContext,
      asking: waits ? call : null,
      asked: 0,
    });
  }

  /** Continues a call that came back with what a person said, or did not say. */
  private async proceed(question: GateQuestion, call: Asking): Promise<ToolResponse> {
    await assertAskedIn(question, call);
    const result = await this.options.approvals.takeDecision(question, call);
    return this.after(result, question, { context: call.requestContext, asking: call, asked: 0 });
  }

  /** The record or, if the run waits for a person who can be asked, the question. */
  private async responseFor(
    record: RunRecord,
    { context, asking, asked, note }: ReportOptions,
  ): Promise<ToolResponse> {
    const { approvals } = this.options;
    const gates = asking === null && record.status !== 'paused' ? [] : await this.gatesOf(record, context);
    const next = asking === null ? null : await approvals.question(record, gates, asking);
    if (asking === null || next === null || asked >= MAX_QUESTIONS) {
      const isEarly =
        gates.length > 0 && record.status === 'running' && asking?.given['syncUntil'] !== 'gate';
      if (isEarly && asking !== null)
        return this.responseFor(await this.stoppedRecord(record, asking), { context, asking: null, asked });
      return runResult(record, { gates, canDecide: this.canDecide, failureIsError: true, note });
    }
    if (isStateless(asking.ctx)) return approvals.askByResult(next, asking);
    return this.after(await approvals.askNow(next, asking), next.question, {
      context,
      asking,
      asked: asked + 1,
    });
  }

  private async after(
    result: DecisionResult,
    question: GateQuestion,
    { context, asking, asked }: ReportOptions,
  ): Promise<ToolResponse> {
    if (result.kind === 'decided') return this.responseFor(result.record, { context, asking, asked });
    const present = await context.engine.runs.get(address(question));
    // After an unreadable answer the person is asked again; a person who does not want to decide is not.
    if (result.kind === 'unclear' || asking === null)
      return this.responseFor(present, { context, asking, asked });
    // Who wants no more than to hear of a gate does not wait for the rest.
    const isEarly = present.status === 'running' && asking.given['syncUntil'] !== 'gate';
    const record = isEarly ? await this.stoppedRecord(present, asking) : present;
    return this.responseFor(record, {
      context,
      asking: null,
      asked,
      note: result.kind === 'refused' ? result.why : undefined,
    });
  }

  /** The record once the run stops, or the call has taken too long. */
  private async stoppedRecord(record: RunRecord, { requestContext }: Asking): Promise<RunRecord> {
    const { waitMs, signal } = requestContext.waiting ?? {};
    return requestContext.engine.runs.wait({ ...address(record), waitMs, signal });
  }

  private stopped(record: RunRecord, name: 'cancel_run' | 'pause_run'): CallToolResult {
    const isEndWanted = name === 'cancel_run';
    return runResult(record, { gates: [], canDecide: this.canDecide, failureIsError: false, isEndWanted });
  }

  private async read(record: RunRecord, context: RequestContext): Promise<CallToolResult> {
    const gates = await this.gatesOf(record, context);
    return runResult(record, { gates, canDecide: this.canDecide, failureIsError: false });
  }

  /** The gates that the run waits at, whether or not something else of it moves. */
  private async gatesOf(
    { status, workflowId, runId }: RunRecord,
    context: RequestContext,
  ): Promise<readonly OpenGate[]> {
    const isUnderWay = status === 'paused' || status === 'running';
    // A run was steered all the same by somebody who may not see its gates.
    if (!isUnderWay || !(await context.engine.mayTo(workflowId, 'gate:read'))) return [];
    return this.options.hitl.openGates(workflowId, runId, context);
  }

  private get canDecide(): boolean {
    return this.options.settings.tools.official.has('respond_hitl');
  }

  /** As `perform`, with notifications of the run's progress. */
  private async withProgress(call: Asking, progressToken: string | number): Promise<object> {
    const { operations, settings } = this.options;
    const { name, given, requestContext, ctx } = call;
    const { engine } = requestContext;
    const isStart = STARTING_TOOLS.has(name);
    const afterSeq = isStart ? 0 : await positionOf(engine, given);
    // The operation only starts the run; the waiting is done here.
    const { syncUntil: _until, ...unbounded } = given;
    const atOnce = isStart ? { ...unbounded, sync: false } : given;
    const begun = (await operations.perform(name, atOnce, {
      ...requestContext,
      waiting: { waitMs: 0 },
    })) as RunRecord;
    if (isRecordedAtOnce(given) || (isStart && given['sync'] !== true)) return begun;
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), settings.waitMs);
    try {
      const signal = AbortSignal.any([ctx.mcpReq.signal, over.signal]);
      const isEarly = requestContext.waiting?.syncUntil === 'gate' || given['syncUntil'] === 'gate';
      const isAtGate = async (): Promise<boolean> => (await this.gatesOf(begun, requestContext)).length > 0;
      const events = eventsUntilStop(engine.runs, {
        ...address(begun),
        afterSeq,
        signal,
        ...(isEarly ? { isAtGate } : {}),
      });
      await notifyProgress({ runId: begun.runId, events }, progressToken, ctx);
    } finally {
      clearTimeout(timer);
      over.abort();
    }
    return engine.runs.get(address(begun));
  }
}

/** Whether the call waits for its run, and asks whoever can be asked: not where it ends or pauses it, or begins it and goes on. */
function waitsForStop(name: ToolName, given: ToolArguments): boolean {
  if (!MOVING_TOOLS.has(name) || name === 'cancel_run' || name === 'pause_run') return false;
  return !STARTING_TOOLS.has(name) || given['sync'] === true;
}

/**
 * Whether the call may read on of its run: who may begin or steer it, and no more, gets its record as over HTTP. A refusal would come
 * after the run has begun.
 */
async function mayFollow({ workflowId }: ToolArguments, { engine }: RequestContext): Promise<boolean> {
  return typeof workflowId === 'string' && (await engine.mayTo(workflowId, 'run:read'));
}

function isRecordedAtOnce(given: ToolArguments): boolean {
  return given['syncUntil'] === 'recorded';
}

/** An answer counts only in the call that was asked, made again with the same arguments. */
async function assertAskedIn(
  { tool, workflowId, runId, argumentsDigest }: GateQuestion,
  { name, given }: Asking,
): Promise<void> {
  const isNamed = STARTING_TOOLS.has(name) || given['runId'] === runId;
  const isSameRun = given['workflowId'] === workflowId && isNamed;
  const isSameCall = name === tool && isSameRun;
  if (isSameCall && (argumentsDigest === undefined || argumentsDigest === (await digestOf(given)))) return;
  throw new InvalidRequestError(
    'requestState belongs to another call: send it with the arguments of the call that it came back from',
  );
}

/** From revision 2026-07-28 on, a request itself states everything about its client. */
function isStateless({ mcpReq }: ServerContext): boolean {
  return mcpReq.envelope !== undefined;
}

function address({ workflowId, runId }: { readonly workflowId: string; readonly runId: string }) {
  return { workflowId, runId };
}

/** The position after what a run has done so far; 0 if the arguments name none, which is refused where they are read. */
async function positionOf(engine: ActingEngine, { workflowId, runId }: ToolArguments): Promise<number> {
  if (typeof workflowId !== 'string' || typeof runId !== 'string') return 0;
  return engine.runs.position({ workflowId, runId });
}
