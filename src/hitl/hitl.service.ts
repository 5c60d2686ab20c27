import { Inject, Injectable } from '@nestjs/common';
import { ENGINE } from '../config/instance.js';
import { anonymous, identified, type Engine, type OpenGate, type RunRecord } from '../engine/index.js';
import type { Arrival, BodySource } from '../http/arrival.js';
import { checkedIdempotencyKey } from '../http/idempotency-key.js';
import { ShapePipe } from '../http/shape.pipe.js';
import { RespondHitlDto } from './dto/respond-hitl.dto.js';

const DEFAULT_RESPONDER = 'user';

/** Hands a person's decision to the run that waits for it. Whether the run exists is checked before the body is read. */
@Injectable()
export class HitlService {
  private readonly shape = new ShapePipe(RespondHitlDto);

  constructor(@Inject(ENGINE) private readonly engine: Engine) {}

  /** Those that wait for a decision, oldest first; none once the run is over. Throws an `UnknownRunError`. */
  openGates(workflowId: string, runId: string): Promise<readonly OpenGate[]> {
    return this.engine.gates.open({ workflowId, runId });
  }

  async respond(workflowId: string, runId: string, body: BodySource, arrival: Arrival): Promise<RunRecord> {
    await this.engine.runs.assertExists({ workflowId, runId });
    const dto = this.shape.transform(await body(), arrival);
    const { approved, comment, gateId } = dto;
    const { via, person } = arrival;
    const responder = (person === undefined ? dto.responder : person) ?? DEFAULT_RESPONDER;
    return this.engine.gates.respond({
      workflowId,
      runId,
      approved,
      responder,
      comment,
      gateId,
      ...arrival.waiting,
      idempotencyKey: checkedIdempotencyKey(arrival.idempotencyKey),
      by: typeof person === 'string' ? identified(via, person) : anonymous(via, responder),
    });
  }
}
