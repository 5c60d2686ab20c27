import { Injectable } from '@nestjs/common';
import { Engine, type WorkflowSummary } from '../engine/index.js';
import { ShapePipe } from '../http/shape.pipe.js';
import { RegisterWorkflowDto } from './dto/register-workflow.dto.js';

/** Answer of `POST /workflows/from-yaml`. */
export interface Registered {
  readonly workflowId: string;
  readonly note: string;
  /** What is odd about the document but does not hinder it; absent when nothing is. */
  readonly warnings?: readonly string[];
}

/** Answer of `GET /workflows`. */
export interface WorkflowList {
  readonly workflows: readonly string[];
  readonly items: readonly WorkflowSummary[];
}

const NOTE =
  'The workflow registry is held in memory: register this workflow again after the service restarts.';

@Injectable()
export class WorkflowsService {
  private readonly registration = new ShapePipe(RegisterWorkflowDto, 'yaml');

  constructor(private readonly engine: Engine) {}

  async register(body: unknown): Promise<Registered> {
    const { yaml, bindings } = this.registration.transform(asObject(body), { via: 'http' });
    const { workflowId, warnings } = await this.engine.workflows.register({ yaml, bindings });
    return warnings.length === 0 ? { workflowId, note: NOTE } : { workflowId, note: NOTE, warnings };
  }

  async list(): Promise<WorkflowList> {
    const items = await this.engine.workflows.list();
    return { workflows: items.map(({ workflowId }) => workflowId), items };
  }
}

/** A body that is no object has no `yaml` either, and that is what its sender must hear. */
function asObject(body: unknown): unknown {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
}
