import { Injectable } from '@nestjs/common';
import { anonymous, Engine, type RunRecord } from '../engine/index.js';
import type { Arrival } from '../http/arrival.js';
import { checkedIdempotencyKey } from '../http/idempotency-key.js';
import { ShapePipe } from '../http/shape.pipe.js';
import { RespondHitlDto } from './dto/respond-hitl.dto.js';

const DEFAULT_RESPONDER = 'user';

/** Hands a person's decision to the run that waits for it. Whether the run exists is checked before the body. */
@Injectable()
export class HitlService {
  private readonly shape = new ShapePipe(RespondHitlDto);

  constructor(private readonly engine: Engine) {}

  /** For edges that have a body still to read: an unknown run comes before whatever is wrong with it. */
  assertRun(workflowId: string, runId: string): Promise<void> {
    return this.engine.runs.assertExists({ workflowId, runId });
  }

  async respond(workflowId: string, runId: string, body: unknown, arrival: Arrival): Promise<RunRecord> {
    await this.assertRun(workflowId, runId);
    const { approved, responder = DEFAULT_RESPONDER, comment, gateId } = this.shape.transform(body, arrival);
    return this.engine.gates.respond({
      workflowId,
      runId,
      approved,
      responder,
      comment,
      gateId,
      idempotencyKey: checkedIdempotencyKey(arrival.idempotencyKey),
      by: anonymous(arrival.via, responder),
    });
  }
}
