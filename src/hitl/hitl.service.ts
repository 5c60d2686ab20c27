import { Inject, Injectable } from '@nestjs/common';
import type { EdgeOptions } from '../config/edge-options.js';
import { checkedMcp, type OwnGates } from '../config/mcp-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { anonymous, identified, type Actor, type OpenGate, type RunRecord } from '../engine/index.js';
import { OwnGateError } from '../errors/run-errors.js';
import { isNameClaimed, type RequestContext, type BodySource } from '../http/identity/request-context.js';
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
  constructor(@Inject(FLOWGATE_OPTIONS) { mcp }: EdgeOptions) {
    this.ownGates = checkedMcp(mcp).ownGates;
  }

  /** The gates that wait for a decision, oldest first; none once the run is over. Throws an `UnknownRunError`. */
  openGates(
    workflowId: string,
    runId: string,
    { engine }: Pick<RequestContext, 'engine'>,
  ): Promise<readonly OpenGate[]> {
    return engine.gates.open({ workflowId, runId });
  }

  /**
   * Whether a decision with this request context would be accepted, to know before a person is asked. Throws an
   * `UnknownRunError`.
   */
  async mayDecide(workflowId: string, runId: string, context: RequestContext): Promise<boolean> {
    if (!(await context.engine.mayTo(workflowId, 'gate:decide'))) return false;
    await context.engine.runs.assertExists({ workflowId, runId }, 'gate:decide');
    return !(await this.isRefused({ workflowId, runId }, context, deciderIn(context, DEFAULT_RESPONDER)));
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
    const { engine, principal, gateRunId } = context;
    await engine.runs.assertExists({ workflowId, runId }, 'gate:decide');
    const given = await body();
    const dto = this.shape.transform(given, context);
    const { approved, comment, gateId, syncUntil } = dto;
    const idempotencyKey = checkedIdempotencyKey(context.idempotencyKey);
    const claimed = isNameClaimed(context) ? dto.responder : principal;
    const responder = engine.actor?.owner ?? claimed ?? DEFAULT_RESPONDER;
    const by = deciderIn(context, responder);
    if (await this.isRefused({ workflowId, runId }, context, by)) throw new OwnGateError(workflowId, runId);
    const decision = { approved, responder, comment, gateId, gateRunId, idempotencyKey, by, syncUntil };
    const unread = unreadFields({ given, known: this.shape.fields, words: DECISION_WORDS }, context);
    const record = await engine.gates.respond({ workflowId, runId, ...decision, ...context.waiting });
    return withWarnings(record, unread);
  }

  private async isRefused(
    run: { readonly workflowId: string; readonly runId: string },
    { engine }: RequestContext,
    decider: Actor,
  ): Promise<boolean> {
    if (this.ownGates === 'allow' || decider.via !== 'mcp') return false;
    return isOwnGate(await engine.runs.startedBy(run, 'gate:decide'), decider);
  }
}

function deciderIn({ engine, via, principal }: RequestContext, responder: string): Actor {
  if (engine.actor !== null) return engine.actor;
  return typeof principal === 'string' ? identified(via, principal) : anonymous(via, responder);
}
