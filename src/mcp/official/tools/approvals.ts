import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type ElicitResult,
  type InputRequiredResult,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { JsonValue, OpenGate, RunRecord } from '../../../engine/index.js';
import { IdempotencyConflictError } from '../../../errors/request-errors.js';
import { ShuttingDownError } from '../../../errors/service-errors.js';
import type { HitlService } from '../../../hitl/hitl.service.js';
import { isNameClaimed, type RequestContext } from '../../../http/identity/request-context.js';
import { errorResponseOf } from '../../../http/refusals/error-response.js';
import { isLongerThan } from '../../../http/long-responses/json-length.js';
import type { ToolArguments } from '../../tools/tool-arguments.js';
import type { ToolName } from '../../tools/tool-definitions.js';
import { digestOf } from './arguments-digest.js';
import { contextIn, personIn } from '../keys.js';

/** The open question of a call, as it travels through the client: signed, and for this principal alone. */
export interface GateQuestion {
  /** The tool whose call asked it. */
  readonly tool: ToolName;
  readonly workflowId: string;
  readonly runId: string;
  readonly gateId: number;
  /** The run whose gate it is: that one, or a run that it waits for. Absent: an earlier version asked it. */
  readonly gateRunId?: string | undefined;
  /**
   * The digest of the call's arguments, whatever the order of their keys (`digestOf`). Absent: the question was asked
   * by an earlier version, less than a day ago.
   */
  readonly argumentsDigest?: string | undefined;
  /** The idempotency key of the decision: the same response twice is one decision. */
  readonly nonce: string;
}

/** The result of what a person said, including that they did not decide. */
export type DecisionResult =
  | { readonly kind: 'decided'; readonly record: RunRecord }
  /** Another decision was first, or this one is not allowed: `why` tells the person. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'left-open' }
  | { readonly kind: 'unclear' };

/** What the client sent, unchecked. */
interface Said {
  readonly action: ElicitResult['action'];
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** A question for a person, and its form. */
export interface Asked {
  readonly question: GateQuestion;
  readonly form: ElicitRequestFormParams;
}

export interface ApprovalsOptions {
  readonly hitl: HitlService;
  /** At least 32 bytes. It is the same after a restart, because questions outlive the process. */
  readonly key: Uint8Array;
  /** Whether decisions are accepted over MCP at all. */
  readonly areTaken: boolean;
}

/** How long a question can be answered, in a repeated call and while a call waits. */
const ANSWER_SECONDS = 86_400;
const ANSWER_MS = 600_000;
const INPUT = 'decision';
const ANSWERED = 'This question was answered before, otherwise: the first answer counts';
/** The longest part of a question. */
const MAX_SHOWN_CHARS = 4_000;
/** A longer payload is not even serialised to be truncated. */
const MAX_WRITTEN_CHARS = 65_536;

/** Asks the person at the client, if one can be asked, for the decision that a gate waits for. */
export class Approvals {
  private readonly codec: RequestStateCodec<GateQuestion>;

  constructor(private readonly options: ApprovalsOptions) {
    this.codec = createRequestStateCodec({
      key: options.key,
      ttlSeconds: ANSWER_SECONDS,
      bind: ({ mcpReq, http }) => JSON.stringify([mcpReq.method, personIn(contextIn(http?.authInfo))]),
    });
  }

  /** Called by the SDK: the state that comes back with an answer is verified before anything else is read. */
  verify(state: string, ctx: ServerContext): Promise<GateQuestion> {
    return this.codec.verify(state, ctx);
  }

  /** Whether the person at the client can be asked at all. */
  canAsk(client: ClientCapabilities | undefined): boolean {
    return this.options.areTaken && canFillForms(client);
  }

  /** The question about the oldest open gate; null if nobody can be asked, or may decide. */
  async question(
    { workflowId, runId }: Pick<RunRecord, 'workflowId' | 'runId'>,
    gates: readonly OpenGate[],
    { name: tool, client, requestContext }: Asking,
  ): Promise<Asked | null> {
    const [gate] = gates;
    if (gate === undefined || !this.canAsk(client)) return null;
    if (!(await this.options.hitl.mayDecide(workflowId, runId, requestContext))) return null;
    return {
      question: {
        tool,
        workflowId,
        runId,
        gateId: gate.gateId,
        // A decision about one gate must never apply to another of the same number.
        gateRunId: gate.runId ?? runId,
        nonce: crypto.randomUUID(),
      },
      form: {
        mode: 'form',
        message: messageOf(gate, gate.runId ?? runId),
        requestedSchema: formFields(isNameClaimed(requestContext)),
      },
    };
  }

  /** From revision 2026-07-28 on, a call ends with the question and is repeated with the answer. */
  async askByResult({ question, form }: Asked, { ctx, given }: Asking): Promise<InputRequiredResult> {
    const asked: GateQuestion = { ...question, argumentsDigest: await digestOf(given) };
    return inputRequired({
      inputRequests: { [INPUT]: inputRequired.elicit(form) },
      requestState: await this.codec.mint(asked, ctx),
    });
  }

  /** In earlier revisions the client is asked while the call waits. If the client fails, the gate stays open. */
  async askNow({ question, form }: Asked, { ctx, requestContext }: Asking): Promise<DecisionResult> {
    const options = { timeout: ANSWER_MS, signal: ctx.mcpReq.signal };
    const said = await ctx.mcpReq
      .send({ method: 'elicitation/create', params: { ...form } }, options)
      .catch(() => null);
    return said === null ? { kind: 'left-open' } : this.decide(question, said, requestContext);
  }

  /** Takes the answer that came with a repeated call. */
  async takeDecision(question: GateQuestion, { ctx, requestContext }: Asking): Promise<DecisionResult> {
    const said = inputResponse(ctx.mcpReq.inputResponses, INPUT);
    return said.kind === 'elicit' ? this.decide(question, said, requestContext) : { kind: 'unclear' };
  }

  /** Carries out what the person said, by the same service as `POST …/hitl`. */
  private async decide(
    { workflowId, runId, gateId, gateRunId, nonce }: GateQuestion,
    { action, content = {} }: Said,
    requestContext: RequestContext,
  ): Promise<DecisionResult> {
    // The question may be older than the setting, because it outlives the process that asked it.
    if (!this.options.areTaken || action !== 'accept') return { kind: 'left-open' };
    const { approved, comment, responder } = content;
    if (typeof approved !== 'boolean') return { kind: 'unclear' };
    const decision = { approved, gateId, ...filledIn({ comment, responder }) };
    try {
      const keyed = { ...requestContext, gateRunId, idempotencyKey: nonce };
      const record = await this.options.hitl.respond(workflowId, runId, () => decision, keyed);
      return { kind: 'decided', record };
    } catch (error) {
      const { body, isFault } = errorResponseOf(error, 'interface', 'mcp');
      if (isFault || error instanceof ShuttingDownError) throw error;
      const why = error instanceof IdempotencyConflictError ? ANSWERED : (body.detail ?? body.error);
      return { kind: 'refused', why };
    }
  }
}

/** The call in which a person can be asked. */
export interface Asking {
  readonly name: ToolName;
  readonly given: ToolArguments;
  readonly ctx: ServerContext;
  readonly client: ClientCapabilities | undefined;
  readonly requestContext: RequestContext;
}

/** A client that names no mode supports forms. */
function canFillForms(client: ClientCapabilities | undefined): boolean {
  const elicitation = client?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function formFields(asksWho: boolean) {
  return {
    type: 'object' as const,
    properties: {
      approved: {
        type: 'boolean' as const,
        title: 'Approve',
        description: 'Yes approves, no rejects; to leave the gate as it is, close this question',
      },
      comment: { type: 'string' as const, title: 'Comment', maxLength: 10_000 },
      ...(asksWho ? { responder: { type: 'string' as const, title: 'Your name', maxLength: 256 } } : {}),
    },
    required: ['approved'],
  };
}

/** The fields without those that were left empty. */
function filledIn(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined),
  );
}

function messageOf({ title, description, payload, unitId }: OpenGate, runId: string): string {
  return [shown(title), shown(description ?? ''), payloadShown(payload), `Run ${runId} waits at ${unitId}.`]
    .filter((part) => part !== '')
    .join('\n\n');
}

function payloadShown(payload: JsonValue): string {
  if (payload === null) return '';
  if (isLongerThan(payload, MAX_WRITTEN_CHARS))
    return 'What there is to decide upon is too long for a question: read the run.';
  return shown(JSON.stringify(payload, null, 2));
}

function shown(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)} …` : text;
}
