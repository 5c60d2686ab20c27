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
import type { JsonValue, OpenGate, RunRecord } from '../../engine/index.js';
import { IdempotencyConflictError } from '../../errors/request-errors.js';
import { ShuttingDownError } from '../../errors/service-errors.js';
import type { HitlService } from '../../hitl/hitl.service.js';
import type { Arrival } from '../../http/arrival.js';
import { answerTo } from '../../http/error-answer.js';
import { isLongerThan } from '../../http/long-answers/json-length.js';
import type { ToolArguments } from '../tools/tool-arguments.js';
import type { ToolName } from '../tools/tool-definitions.js';
import { digestOf } from './arguments-digest.js';
import { personOf } from './keys.js';

/** The question that is open in a call, as it travels through the client: signed, and for this person alone. */
export interface GateQuestion {
  /** In whose call it was asked. */
  readonly tool: ToolName;
  readonly workflowId: string;
  readonly runId: string;
  readonly gateId: number;
  /** The run whose gate it is: that one, or a run that it waits for. Absent: asked by a version before there were any. */
  readonly gateRunId?: string | undefined;
  /**
   * In whose call it was asked: of its arguments, whatever the order of their keys (`digestOf`). Absent: asked by a version
   * before these counted, less than a day ago.
   */
  readonly argumentsDigest?: string | undefined;
  /** The decision's key: the same answer twice is one decision. */
  readonly nonce: string;
}

/** What came of what the person said, or that they said nothing that decides. */
export type GateAnswer =
  | { readonly kind: 'decided'; readonly record: RunRecord }
  /** Somebody else was first, or it may not be decided so: `why` tells the person. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'left-open' }
  | { readonly kind: 'unclear' };

/** What the client brought; nobody has looked at it. */
interface Said {
  readonly action: ElicitResult['action'];
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** What a person is to be asked, and in which form. */
export interface Asked {
  readonly question: GateQuestion;
  readonly form: ElicitRequestFormParams;
}

export interface ApprovalsOptions {
  readonly hitl: HitlService;
  /** At least 32 bytes; the same after a restart: questions outlive it. */
  readonly key: Uint8Array;
  /** Whether decisions are taken over MCP at all. */
  readonly areTaken: boolean;
}

/** How long a question can be answered that comes back with a call, and one that a call waits for. */
const ANSWER_SECONDS = 86_400;
const ANSWER_MS = 600_000;
const INPUT = 'decision';
const ANSWERED = 'This question was answered before, otherwise: the first answer counts';
/** Of each part of a question. */
const MAX_SHOWN_CHARS = 4_000;
/** A longer payload is not even written out to be cut. */
const MAX_WRITTEN_CHARS = 65_536;

/** Asks the person at the client, where there is one who can be asked, what a gate waits for. */
export class Approvals {
  private readonly codec: RequestStateCodec<GateQuestion>;

  constructor(private readonly options: ApprovalsOptions) {
    this.codec = createRequestStateCodec({
      key: options.key,
      ttlSeconds: ANSWER_SECONDS,
      bind: ({ mcpReq, http }) =>
        JSON.stringify([
          mcpReq.method,
          http?.authInfo === undefined ? null : (personOf(http.authInfo) ?? null),
        ]),
    });
  }

  /** For the SDK: what comes back with an answer is looked at before anything else is. */
  verify(state: string, ctx: ServerContext): Promise<GateQuestion> {
    return this.codec.verify(state, ctx);
  }

  /** What to ask about the oldest open gate; null where nobody can be asked, or may decide. */
  async question(
    { workflowId, runId }: Pick<RunRecord, 'workflowId' | 'runId'>,
    gates: readonly OpenGate[],
    { name: tool, client, arrival }: Asking,
  ): Promise<Asked | null> {
    const [gate] = gates;
    if (gate === undefined || !this.options.areTaken || !canFillForms(client)) return null;
    if (!(await this.options.hitl.mayDecide(workflowId, runId, arrival))) return null;
    return {
      question: {
        tool,
        workflowId,
        runId,
        gateId: gate.gateId,
        // Who is asked about one gate never decides at another of the same number.
        gateRunId: gate.runId ?? runId,
        nonce: crypto.randomUUID(),
      },
      form: {
        mode: 'form',
        message: messageOf(gate, gate.runId ?? runId),
        requestedSchema: formFields(arrival.person === undefined),
      },
    };
  }

  /** From 2026-07-28 on a call ends with the question, and is made again with the answer. */
  async askByResult({ question, form }: Asked, { ctx, given }: Asking): Promise<InputRequiredResult> {
    const asked: GateQuestion = { ...question, argumentsDigest: await digestOf(given) };
    return inputRequired({
      inputRequests: { [INPUT]: inputRequired.elicit(form) },
      requestState: await this.codec.mint(asked, ctx),
    });
  }

  /** Before it the client is asked while the call waits. A client that fails at it has left the gate open. */
  async askNow({ question, form }: Asked, { ctx, arrival }: Asking): Promise<GateAnswer> {
    const options = { timeout: ANSWER_MS, signal: ctx.mcpReq.signal };
    const said = await ctx.mcpReq
      .send({ method: 'elicitation/create', params: { ...form } }, options)
      .catch(() => null);
    return said === null ? { kind: 'left-open' } : this.decide(question, said, arrival);
  }

  /** What came back with a call, as an answer to the question. */
  async answer(question: GateQuestion, { ctx, arrival }: Asking): Promise<GateAnswer> {
    const said = inputResponse(ctx.mcpReq.inputResponses, INPUT);
    return said.kind === 'elicit' ? this.decide(question, said, arrival) : { kind: 'unclear' };
  }

  /** Carries out what the person said: through the same door as `POST …/hitl`. */
  private async decide(
    { workflowId, runId, gateId, gateRunId, nonce }: GateQuestion,
    { action, content = {} }: Said,
    arrival: Arrival,
  ): Promise<GateAnswer> {
    // The question may be older than the setting: it outlives the process that asked it.
    if (!this.options.areTaken || action !== 'accept') return { kind: 'left-open' };
    const { approved, comment, responder } = content;
    if (typeof approved !== 'boolean') return { kind: 'unclear' };
    const decision = { approved, gateId, ...filledIn({ comment, responder }) };
    try {
      const keyed = { ...arrival, gateRunId, idempotencyKey: nonce };
      const record = await this.options.hitl.respond(workflowId, runId, () => decision, keyed);
      return { kind: 'decided', record };
    } catch (error) {
      const { body, isFault } = answerTo(error);
      if (isFault || error instanceof ShuttingDownError) throw error;
      const why = error instanceof IdempotencyConflictError ? ANSWERED : (body.detail ?? body.error);
      return { kind: 'refused', why };
    }
  }
}

/** In which call a person is asked. */
export interface Asking {
  readonly name: ToolName;
  readonly given: ToolArguments;
  readonly ctx: ServerContext;
  readonly client: ClientCapabilities | undefined;
  readonly arrival: Arrival;
}

/** A client that names no mode has forms. */
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

/** Fields that were left empty are none. */
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
