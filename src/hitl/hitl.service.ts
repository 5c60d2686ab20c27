import { Inject, Injectable } from '@nestjs/common';
import type { EdgeOptions } from '../config/edge-options.js';
import { ENGINE } from '../config/instance-tokens.js';
import { checkedMcp, type OwnGates } from '../config/mcp-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import {
  anonymous,
  identified,
  type Actor,
  type Engine,
  type OpenGate,
  type RunRecord,
} from '../engine/index.js';
import { OwnGateError } from '../errors/run-errors.js';
import type { RequestContext, BodySource } from '../http/identity/request-context.js';
import { checkedIdempotencyKey } from '../http/idempotency-key.js';
import { ShapePipe } from '../http/validation/shape.pipe.js';
import { unreadFields, withWarnings } from '../http/validation/unread-fields.js';
import { RespondHitlDto } from './dto/respond-hitl.dto.js';
import { DECISION_WORDS } from './dto/unread-words.js';
import { isOwnGate } from './own-gates.js';

const DEFAULT_RESPONDER = 'user';

/** Passes a person's decision to the run that waits for it. Whether the run exists is checked before the body is read. */
@Injectable()
export class HitlService {
  private readonly shape = new ShapePipe(RespondHitlDto);

  private readonly ownGates: OwnGates;

  /** Throws a `ConfigError`. */
  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(FLOWGATE_OPTIONS) { mcp }: EdgeOptions,
  ) {
    this.ownGates = checkedMcp(mcp).ownGates;
  }

  /** The gates that wait for a decision, oldest first; none once the run is over. Throws an `UnknownRunError`. */
  openGates(workflowId: string, runId: string): Promise<readonly OpenGate[]> {
    return this.engine.gates.open({ workflowId, runId });
  }

  /**
   * Whether a decision with this request context would be accepted, to know before a person is asked. Throws an
   * `UnknownRunError`.
   */
  async mayDecide(workflowId: string, runId: string, context: RequestContext): Promise<boolean> {
    await this.engine.runs.assertExists({ workflowId, runId });
    return !(await this.isRefused(workflowId, runId, deciderIn(context, DEFAULT_RESPONDER)));
  }

  /**
   * `gateRunId`: the run whose gate the decision names, if the question was about that run. Throws an `OwnGateError`
   * in addition to what the engine throws.
   */
  async respond(
    workflowId: string,
    runId: string,
    body: BodySource,
    context: RequestContext & { readonly gateRunId?: string | undefined },
  ): Promise<RunRecord> {
    await this.engine.runs.assertExists({ workflowId, runId });
    const given = await body();
    const dto = this.shape.transform(given, context);
    const { approved, comment, gateId, syncUntil } = dto;
    const { principal, gateRunId } = context;
    const idempotencyKey = checkedIdempotencyKey(context.idempotencyKey);
    const responder = (principal === undefined ? dto.responder : principal) ?? DEFAULT_RESPONDER;
    const by = deciderIn(context, responder);
    if (await this.isRefused(workflowId, runId, by)) throw new OwnGateError(workflowId, runId);
    const decision = { approved, responder, comment, gateId, gateRunId, idempotencyKey, by, syncUntil };
    const unread = unreadFields({ given, known: this.shape.fields, words: DECISION_WORDS }, context);
    const record = await this.engine.gates.respond({ workflowId, runId, ...decision, ...context.waiting });
    return withWarnings(record, unread);
  }

  private async isRefused(workflowId: string, runId: string, decider: Actor): Promise<boolean> {
    if (this.ownGates === 'allow' || decider.via !== 'mcp') return false;
    return isOwnGate(await this.engine.runs.startedBy({ workflowId, runId }), decider);
  }
}

function deciderIn({ via, principal }: RequestContext, responder: string): Actor {
  return typeof principal === 'string' ? identified(via, principal) : anonymous(via, responder);
}
