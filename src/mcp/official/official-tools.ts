import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type ListToolsResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Engine, OpenGate, RunRecord } from '../../engine/index.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import type { HitlService } from '../../hitl/hitl.service.js';
import type { Arrival } from '../../http/arrival.js';
import { answerTo } from '../../http/error-answer.js';
import type { McpSettings } from '../mcp-settings.js';
import { BUILT_IN_TOOLS, wholeDefinition, type ToolName } from '../tools/tool-definitions.js';
import { argumentsOf, type ToolArguments } from '../tools/tool-arguments.js';
import type { ToolOperations } from '../tools/tool-operations.js';
import { digestOf } from './arguments-digest.js';
import type { Approvals, Asking, GateAnswer, GateQuestion } from './approvals.js';
import { callerIn, personOf } from './keys.js';
import { tellProgress } from './progress.js';
import type { RpcCall } from './server-parts.js';
import { errorResult, resultOf, runResult } from './tool-results.js';
import type { WorkflowTools } from './workflow-tools.js';

export interface OfficialToolsOptions {
  readonly settings: McpSettings;
  readonly operations: ToolOperations;
  readonly hitl: HitlService;
  readonly engine: Engine;
  readonly approvals: Approvals;
  readonly workflowTools: WorkflowTools;
  /** Told of faults of ours, whole. */
  readonly onFault: (error: unknown) => void;
}

/** The tools whose answer is a run's record, and that wait for the run. */
const MOVING_TOOLS: ReadonlySet<ToolName> = new Set([
  'run_workflow',
  'resume_run',
  'respond_hitl',
  'cancel_run',
  'pause_run',
  'fork_run',
]);

/** Those that begin a run, which their arguments cannot name. */
const STARTING_TOOLS: ReadonlySet<ToolName> = new Set(['run_workflow', 'fork_run']);

type ToolAnswer = CallToolResult | InputRequiredResult;

/** So many questions are asked within one call, one gate after the other. */
const MAX_QUESTIONS = 20;

/** How the record of a run is told. */
interface Telling {
  /** In which call a person can be asked; null: nobody is asked. */
  readonly asking: Asking | null;
  /** How many questions this call has waited for. */
  readonly asked: number;
  /** What the caller must hear beside the record. */
  readonly note?: string | undefined;
}

/** `tools/list` and `tools/call` of the official profile. */
export class OfficialTools {
  constructor(private readonly options: OfficialToolsOptions) {}

  async list({ params }: RpcCall): Promise<ListToolsResult> {
    const { settings, workflowTools } = this.options;
    const own = [...settings.tools.official].flatMap((name) => {
      const tool = BUILT_IN_TOOLS.get(name);
      return tool === undefined ? [] : [{ ...wholeDefinition(tool), ...tool.details }];
    });
    const page = await workflowTools.page(params?.['cursor']);
    const tools = params?.['cursor'] === undefined ? [...own, ...page.tools] : page.tools;
    return { ...page, tools } as unknown as ListToolsResult;
  }

  /** A tool that fails is a result that says so. Throws a `ProtocolError` for a tool that does not exist. */
  async call(
    { params = {} }: RpcCall,
    ctx: ServerContext,
    client: ClientCapabilities | undefined,
  ): Promise<ToolAnswer> {
    const named = await this.toolNamed(params['name'], params['arguments']);
    const authInfo = ctx.http?.authInfo;
    const person = authInfo === undefined ? undefined : personOf(authInfo);
    const caller = authInfo === undefined ? undefined : callerIn(authInfo);
    const waiting = { waitMs: this.options.settings.waitMs, signal: ctx.mcpReq.signal };
    const arrival: Arrival = { via: 'mcp', person, caller, waiting };
    try {
      const call: Asking = { name: named.name, given: argumentsOf(named.given), ctx, client, arrival };
      const question = ctx.mcpReq.requestState<GateQuestion>();
      return await (question === undefined ? this.carryOut(call) : this.goOn(question, call));
    } catch (error) {
      const { body, isFault } = answerTo(error);
      if (isFault) this.options.onFault(error);
      return errorResult(body);
    }
  }

  /** A workflow that is a tool is `run_workflow` with its id. */
  private async toolNamed(
    name: unknown,
    given: unknown,
  ): Promise<{ readonly name: ToolName; readonly given: unknown }> {
    const { settings, workflowTools } = this.options;
    if (settings.tools.official.has(name as ToolName)) return { name: name as ToolName, given };
    const workflowId = typeof name === 'string' ? await workflowTools.workflowOf(name) : null;
    if (workflowId === null) {
      throw new ProtocolError(
        ProtocolErrorCode.MethodNotFound,
        `Unknown tool: ${String(name).slice(0, 200)}; tools/list names the tools`,
      );
    }
    return { name: 'run_workflow', given: { workflowId, input: given, sync: true } };
  }

  private async carryOut(call: Asking): Promise<ToolAnswer> {
    const { name, given, ctx } = call;
    const progressToken = ctx.mcpReq._meta?.progressToken;
    if (!MOVING_TOOLS.has(name)) {
      const answer = await this.options.operations.perform(name, given, call.arrival);
      return name === 'get_run' ? this.read(answer as RunRecord) : resultOf(answer);
    }
    const record = await (progressToken === undefined
      ? this.options.operations.perform(name, given, call.arrival)
      : this.whileTelling(call, progressToken));
    // Who ends a run, or has it stand still, is not asked how it should go on.
    if (name === 'cancel_run' || name === 'pause_run') return this.stopped(record as RunRecord, name);
    // Who does not wait is not asked either.
    const waits = !STARTING_TOOLS.has(name) || given['sync'] === true;
    return this.told(record as RunRecord, { asking: waits ? call : null, asked: 0 });
  }

  /** A client came back with what a person said, or did not say. */
  private async goOn(question: GateQuestion, call: Asking): Promise<ToolAnswer> {
    await assertAskedIn(question, call);
    const answer = await this.options.approvals.answer(question, call);
    return this.after(answer, question, { asking: call, asked: 0 });
  }

  /** The record, or, where the run waits for a person who can be asked, the question. */
  private async told(record: RunRecord, { asking, asked, note }: Telling): Promise<ToolAnswer> {
    const { approvals } = this.options;
    const gates = await this.gatesOf(record);
    const next = asking === null ? null : await approvals.question(record, gates, asking);
    if (asking === null || next === null || asked >= MAX_QUESTIONS) {
      return runResult(record, { gates, canDecide: this.canDecide, failureIsError: true, note });
    }
    if (isStateless(asking.ctx)) return approvals.askByResult(next, asking);
    return this.after(await approvals.askNow(next, asking), next.question, { asking, asked: asked + 1 });
  }

  private async after(
    answer: GateAnswer,
    question: GateQuestion,
    { asking, asked }: Telling,
  ): Promise<ToolAnswer> {
    if (answer.kind === 'decided') return this.told(answer.record, { asking, asked });
    const record = await this.options.engine.runs.get(address(question));
    // What could not be read is asked again; who does not want to decide is left alone.
    if (answer.kind === 'unclear') return this.told(record, { asking, asked });
    return this.told(record, {
      asking: null,
      asked,
      note: answer.kind === 'refused' ? answer.why : undefined,
    });
  }

  private stopped(record: RunRecord, name: 'cancel_run' | 'pause_run'): CallToolResult {
    const isEndWanted = name === 'cancel_run';
    return runResult(record, { gates: [], canDecide: this.canDecide, failureIsError: false, isEndWanted });
  }

  private async read(record: RunRecord): Promise<CallToolResult> {
    const gates = await this.gatesOf(record);
    return runResult(record, { gates, canDecide: this.canDecide, failureIsError: false });
  }

  /** Those that the run waits at. */
  private async gatesOf({ status, workflowId, runId }: RunRecord): Promise<readonly OpenGate[]> {
    return status === 'paused' ? this.options.hitl.openGates(workflowId, runId) : [];
  }

  private get canDecide(): boolean {
    return this.options.settings.tools.official.has('respond_hitl');
  }

  /** As `perform`; what the run does meanwhile is told. */
  private async whileTelling(call: Asking, progressToken: string | number): Promise<object> {
    const { operations, engine, settings } = this.options;
    const { name, given, arrival, ctx } = call;
    const isStart = STARTING_TOOLS.has(name);
    const afterSeq = isStart ? 0 : await positionOf(engine, given);
    // It only sets the run going: the waiting is done here.
    const atOnce = isStart ? { ...given, sync: false } : given;
    const begun = (await operations.perform(name, atOnce, {
      ...arrival,
      waiting: { waitMs: 0 },
    })) as RunRecord;
    if (isStart && given['sync'] !== true) return begun;
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), settings.waitMs);
    try {
      const signal = AbortSignal.any([ctx.mcpReq.signal, over.signal]);
      const steps = engine.runs.follow({ ...address(begun), afterSeq, signal });
      await tellProgress({ runId: begun.runId, steps }, progressToken, ctx);
    } finally {
      clearTimeout(timer);
      over.abort();
    }
    return engine.runs.get(address(begun));
  }
}

/** An answer counts in the call that was asked, made again: never in one about something else. */
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

/** From 2026-07-28 on a request says of itself all that must be known of its client. */
function isStateless({ mcpReq }: ServerContext): boolean {
  return mcpReq.envelope !== undefined;
}

function address({ workflowId, runId }: { readonly workflowId: string; readonly runId: string }) {
  return { workflowId, runId };
}

/** Behind what a run has done so far; 0 for arguments that name none, which is told of where they are read. */
async function positionOf(engine: Engine, { workflowId, runId }: ToolArguments): Promise<number> {
  if (typeof workflowId !== 'string' || typeof runId !== 'string') return 0;
  return engine.runs.position({ workflowId, runId });
}
