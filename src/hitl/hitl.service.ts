import { Inject, Injectable } from '@nestjs/common';
import type { EdgeOptions } from '../config/edge-options.js';
import { ENGINE } from '../config/instance.js';
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
import type { Arrival, BodySource } from '../http/arrival.js';
import { checkedIdempotencyKey } from '../http/idempotency-key.js';
import { ShapePipe } from '../http/shape.pipe.js';
import { unreadFields, withWarnings } from '../http/unread-fields.js';
import { RespondHitlDto } from './dto/respond-hitl.dto.js';
import { DECISION_WORDS } from './dto/unread-words.js';
import { isOwnGate } from './own-gates.js';

const DEFAULT_RESPONDER = 'user';

/** Hands a person's decision to the run that waits for it. Whether the run exists is checked before the body is read. */
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

  /** Those that wait for a decision, oldest first; none once the run is over. Throws an `UnknownRunError`. */
  openGates(workflowId: string, runId: string): Promise<readonly OpenGate[]> {
    return this.engine.gates.open({ workflowId, runId });
  }

  /**
   * Whether a decision that comes in like this would be taken, for who is about to ask a person for one. Throws an
   * `UnknownRunError`.
   */
  async mayDecide(workflowId: string, runId: string, arrival: Arrival): Promise<boolean> {
    await this.engine.runs.assertExists({ workflowId, runId });
    return !(await this.isRefused(workflowId, runId, deciderIn(arrival, DEFAULT_RESPONDER)));
  }

  /**
   * `gateRunId`: of which run the gate is that the decision names, where it was asked about by name. Throws an
   * `OwnGateError` beside what the engine throws.
   */
  async respond(
    workflowId: string,
    runId: string,
    body: BodySource,
    arrival: Arrival & { readonly gateRunId?: string | undefined },
  ): Promise<RunRecord> {
    await this.engine.runs.assertExists({ workflowId, runId });
    const given = await body();
    const dto = this.shape.transform(given, arrival);
    const { approved, comment, gateId } = dto;
    const { person, gateRunId } = arrival;
    const idempotencyKey = checkedIdempotencyKey(arrival.idempotencyKey);
    const responder = (person === undefined ? dto.responder : person) ?? DEFAULT_RESPONDER;
    const by = deciderIn(arrival, responder);
    if (await this.isRefused(workflowId, runId, by)) throw new OwnGateError(workflowId, runId);
    const decision = { approved, responder, comment, gateId, gateRunId, idempotencyKey, by };
    const unread = unreadFields({ given, known: this.shape.fields, words: DECISION_WORDS }, arrival);
    const record = await this.engine.gates.respond({ workflowId, runId, ...decision, ...arrival.waiting });
    return withWarnings(record, unread);
  }

  private async isRefused(workflowId: string, runId: string, decider: Actor): Promise<boolean> {
    if (this.ownGates === 'allow' || decider.via !== 'mcp') return false;
    return isOwnGate(await this.engine.runs.startedBy({ workflowId, runId }), decider);
  }
}

function deciderIn({ via, person }: Arrival, responder: string): Actor {
  return typeof person === 'string' ? identified(via, person) : anonymous(via, responder);
}
