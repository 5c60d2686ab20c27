import { Inject, Injectable } from '@nestjs/common';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { DEFAULTS } from '../engine/engine-defaults.js';
import type { EngineModuleOptions } from '../engine.module.js';
import type { DocumentWarning, WorkflowSummary } from '../engine/index.js';
import { asNotFound } from '../errors/request-errors.js';
import { UnknownWorkflowError } from '../errors/run-errors.js';
import { YamlLoadError, YamlValidationError, type Fault } from '../errors/document-errors.js';
import type { RequestContext } from '../http/identity/request-context.js';
import { ShapePipe } from '../http/validation/shape.pipe.js';
import { RegisterWorkflowDto } from './dto/register-workflow.dto.js';

/** The response of `POST /workflows/from-yaml`. */
export interface Registered {
  readonly workflowId: string;
  readonly note: string;
  /** What is unusual about the document but acceptable; absent if there is nothing. */
  readonly warnings?: readonly string[];
  /** The same, in the same order, with their positions; absent together with them. */
  readonly warningDetails?: readonly DocumentWarning[];
}

/** The response of `POST /workflows/validate`. */
export interface Validation {
  readonly ok: boolean;
  /** Absent if the document would be refused. */
  readonly workflowId?: string;
  /** The faults, at most 100; none if `ok`. */
  readonly details: readonly Fault[];
  /** What is accepted but probably not meant. */
  readonly warnings: readonly string[];
  /** The same, in the same order, with their positions. */
  readonly warningDetails: readonly DocumentWarning[];
}

/** The response of `GET /workflows`. */
export interface WorkflowList {
  readonly workflows: readonly string[];
  readonly items: readonly WorkflowSummary[];
}

/** Which registry is in use, and what that means for the caller (interface, section 4, from-yaml). */
const NOTES = {
  memory: 'The workflow registry is held in memory: register this workflow again after the service restarts.',
  durable:
    'The workflow registry is durable here (FLOWGATE_REGISTRY): after a restart of the service this workflow is ' +
    'registered again by itself. By default the registry is held in memory, and workflows must be registered again.',
} as const;

@Injectable()
export class WorkflowsService {
  private readonly registration = new ShapePipe(RegisterWorkflowDto, 'yaml');

  private readonly note: string;

  constructor(
    @Inject(FLOWGATE_OPTIONS) { registry = DEFAULTS.registry }: Pick<EngineModuleOptions, 'registry'>,
  ) {
    this.note = NOTES[registry];
  }

  async register(body: unknown, { via, engine, caller }: RequestContext): Promise<Registered> {
    const { yaml, bindings } = this.registration.transform(asObject(body), { via });
    const { workflowId, ...odd } = await engine.workflows.register({ yaml, bindings, caller });
    const { note } = this;
    return odd.warnings.length === 0 ? { workflowId, note } : { workflowId, note, ...odd };
  }

  /** Whether this would be accepted for registration. Throws for a body of the wrong shape, as `register` does. */
  async validate(body: unknown, { via, engine, caller }: RequestContext): Promise<Validation> {
    const { yaml, bindings } = this.registration.transform(asObject(body), { via });
    try {
      const { workflowId, warnings, warningDetails } = await engine.workflows.check({
        yaml,
        bindings,
        caller,
      });
      return { ok: true, workflowId, details: [], warnings, warningDetails };
    } catch (error) {
      if (!(error instanceof YamlValidationError || error instanceof YamlLoadError)) throw error;
      return { ok: false, details: error.details, warnings: [], warningDetails: [] };
    }
  }

  /** Throws a `NotFoundError`. */
  async unregister(workflowId: string, { engine }: Pick<RequestContext, 'engine'>): Promise<void> {
    try {
      await engine.workflows.unregister(workflowId);
    } catch (error) {
      throw error instanceof UnknownWorkflowError ? asNotFound(error) : error;
    }
  }

  async list({ engine }: Pick<RequestContext, 'engine'>): Promise<WorkflowList> {
    const items = await engine.workflows.list();
    return { workflows: items.map(({ workflowId }) => workflowId), items };
  }
}

/** A body that is not an object is treated as one without `yaml`, which its sender must be told. */
function asObject(body: unknown): unknown {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
}
