import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { OpenGate, RunRecord } from '../../engine/index.js';
import { IdempotencyConflictError, InvalidRequestError } from '../../errors/request-errors.js';
import type { HitlService } from '../../hitl/hitl.service.js';
import type { Arrival } from '../../http/arrival.js';
import { personOf } from './keys.js';

/** The question that is open in a call, as it travels through the client: signed, and for this person alone. */
export interface GateQuestion {
  readonly workflowId: string;
  readonly runId: string;
  readonly gateId: number;
  /** The decision's key: the same answer twice is one decision. */
  readonly nonce: string;
}

/** What the person said, or that they said nothing that decides. */
export type GateAnswer =
  | { readonly kind: 'decided'; readonly record: RunRecord }
  | { readonly kind: 'left-open' }
  | { readonly kind: 'unclear' };

export interface ApprovalsOptions {
  readonly hitl: HitlService;
  /** At least 32 bytes; the same after a restart: questions outlive it. */
  readonly key: Uint8Array;
  /** Whether decisions are taken over MCP at all. */
  readonly areTaken: boolean;
}

/** How long a question can be answered. */
const ANSWER_SECONDS = 86_400;
const INPUT = 'decision';
const MAX_PAYLOAD_CHARS = 4_000;

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

  /** The question about the oldest open gate; null where nobody can be asked, or may decide. */
  async question(
    { workflowId, runId }: Pick<RunRecord, 'workflowId' | 'runId'>,
    gates: readonly OpenGate[],
    { ctx, client, arrival }: Asking,
  ): Promise<InputRequiredResult | null> {
    const [gate] = gates;
    if (gate === undefined || !this.options.areTaken || !canFillForms(client)) return null;
    if (!(await this.options.hitl.mayDecide(workflowId, runId, arrival))) return null;
    const { gateId } = gate;
    const asksWho = arrival.person === undefined;
    return inputRequired({
      inputRequests: {
        [INPUT]: inputRequired.elicit({ message: messageOf(gate, runId), requestedSchema: form(asksWho) }),
      },
      requestState: await this.codec.mint({ workflowId, runId, gateId, nonce: crypto.randomUUID() }, ctx),
    });
  }

  /** Carries out what the person said: through the same door as `POST …/hitl`. */
  async answer(
    { workflowId, runId, gateId, nonce }: GateQuestion,
    { ctx, arrival }: Asking,
  ): Promise<GateAnswer> {
    // The question may be older than the setting: it outlives the process that asked it.
    if (!this.options.areTaken) return { kind: 'left-open' };
    const said = inputResponse(ctx.mcpReq.inputResponses, INPUT);
    if (said.kind !== 'elicit') return { kind: 'unclear' };
    if (said.action !== 'accept') return { kind: 'left-open' };
    const { approved, comment, responder } = said.content ?? {};
    if (typeof approved !== 'boolean') return { kind: 'unclear' };
    const decision = { approved, gateId, ...given({ comment, responder }) };
    try {
      const keyed = { ...arrival, idempotencyKey: nonce };
      const record = await this.options.hitl.respond(workflowId, runId, () => decision, keyed);
      return { kind: 'decided', record };
    } catch (error) {
      if (!(error instanceof IdempotencyConflictError)) throw error;
      throw new InvalidRequestError('This question was answered before, otherwise: the first answer counts');
    }
  }
}

/** In which call a person is asked. */
export interface Asking {
  readonly ctx: ServerContext;
  readonly client: ClientCapabilities | undefined;
  readonly arrival: Arrival;
}

/** A client that names no mode has forms. */
function canFillForms(client: ClientCapabilities | undefined): boolean {
  const elicitation = client?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function form(asksWho: boolean) {
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
function given(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined),
  );
}

function messageOf({ title, description, payload, unitId }: OpenGate, runId: string): string {
  const text = payload === null ? '' : JSON.stringify(payload, null, 2);
  const shown = text.length > MAX_PAYLOAD_CHARS ? `${text.slice(0, MAX_PAYLOAD_CHARS)} …` : text;
  return [title, description, shown, `Run ${runId} waits at ${unitId}.`]
    .filter((part) => part !== null && part !== '')
    .join('\n\n');
}
