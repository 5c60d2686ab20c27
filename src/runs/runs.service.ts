import { Injectable } from '@nestjs/common';
import { anonymous, Engine, type JsonObject, type RunRecord } from '../engine/index.js';
import { UnknownWorkflowError } from '../errors/run-errors.js';
import type { Arrival } from '../http/arrival.js';
import { checkedIdempotencyKey } from '../http/idempotency-key.js';
import { ShapePipe } from '../http/shape.pipe.js';
import { ResumeRunDto } from './dto/resume-run.dto.js';
import { StartRunDto } from './dto/start-run.dto.js';
import { orNotFound } from './or-not-found.js';

/** Starts, reads and resumes runs. Whether workflow and run exist is checked before the body's shape. */
@Injectable()
export class RunsService {
  private readonly startShape = new ShapePipe(StartRunDto);
  private readonly resumeShape = new ShapePipe(ResumeRunDto);

  constructor(private readonly engine: Engine) {}

  async start(workflowId: string, body: unknown, arrival: Arrival): Promise<RunRecord> {
    await this.assertWorkflow(workflowId);
    const { input, sync } = this.startShape.transform(body, arrival);
    return this.engine.runs.start({
      workflowId,
      input: input as JsonObject | undefined,
      sync,
      idempotencyKey: checkedIdempotencyKey(arrival.idempotencyKey),
      by: anonymous(arrival.via),
    });
  }

  /** For edges that have a body still to read: an unknown workflow comes before whatever is wrong with it. */
  async assertWorkflow(workflowId: string): Promise<void> {
    if (!(await this.engine.workflows.has(workflowId))) throw new UnknownWorkflowError(workflowId);
  }

  /** As `assertWorkflow`, for a run of the workflow. */
  assertRun(workflowId: string, runId: string): Promise<void> {
    return this.engine.runs.assertExists({ workflowId, runId });
  }

  /** Throws a `NotFoundError` for a run that the workflow does not have. */
  get(workflowId: string, runId: string): Promise<RunRecord> {
    return orNotFound(this.engine.runs.get({ workflowId, runId }));
  }

  async resume(workflowId: string, runId: string, body: unknown, arrival: Arrival): Promise<RunRecord> {
    await this.assertRun(workflowId, runId);
    const { snapshotId } = this.resumeShape.transform(body, arrival);
    return this.engine.runs.resume({
      workflowId,
      runId,
      snapshotId,
      idempotencyKey: checkedIdempotencyKey(arrival.idempotencyKey),
      by: anonymous(arrival.via),
    });
  }
}
