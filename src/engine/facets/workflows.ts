import type { Definitions } from '../definitions/definitions.js';
import type { Registrar } from '../definitions/registrar.js';
import type { Clock } from '../ports/clock.js';
import type { WorkflowSummary } from '../run-record.js';

export interface RegisterRequest {
  readonly yaml: string;
  /** By `uses` name (interface, UsesBindings). Default: none. */
  readonly bindings?: unknown;
}

export interface Registered {
  readonly workflowId: string;
  /** What is accepted and probably not meant. */
  readonly warnings: readonly string[];
}

/** `engine.workflows`: registers documents and lists what is registered. */
export class Workflows {
  constructor(
    private readonly registrar: Registrar,
    private readonly definitions: Definitions,
    private readonly clock: Clock,
  ) {}

  /**
   * Registers a workflow, or replaces it for later runs. Throws a `YamlValidationError` or a `YamlLoadError`
   * (interface, section 4, from-yaml).
   */
  async register(request: RegisterRequest): Promise<Registered> {
    const registration = this.registrar.prepare(request.yaml, request.bindings, this.clock.now());
    await this.definitions.register(registration.definition, registration.stored);
    return { workflowId: registration.definition.plan.workflowId, warnings: registration.warnings };
  }

  async has(workflowId: string): Promise<boolean> {
    return this.definitions.current(workflowId) !== undefined;
  }

  /** In the order of their first registration. */
  async list(): Promise<readonly WorkflowSummary[]> {
    return [...this.definitions.all()].map(({ plan, description, labels, registeredAt, flowType }) => ({
      workflowId: plan.workflowId,
      description,
      labels,
      definitionHash: plan.hash,
      registeredAt,
      units: [...plan.units.keys()],
      flowType,
    }));
  }
}
