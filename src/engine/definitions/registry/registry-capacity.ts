import { RegistryFullError } from '../../../errors/service-errors.js';
import type { DefinitionStore, StoredDefinition } from '../../ports/store/definition-store.js';
import type { RegisteredWorkflow } from './registered-workflow.js';

export interface RegistryLimits {
  /** Workflows registered at once, over all namespaces. */
  readonly maxWorkflows: number;
  /** Workflows registered at once in one namespace; null, the default: as many as there may be. */
  readonly maxWorkflowsPerNamespace?: number | null;
  /** Definitions in the store: those that are registered, and those that runs began with. */
  readonly maxDefinitions: number;
}

/** Characters for each workflow that may be registered, and for all of them at the least: some are larger than others. */
const WORKFLOW_SIZE = 65_536;
const LEAST_WORKFLOWS_SIZE = 1_048_576;
/** Bytes in the store for each definition that may be kept, and for all of them at the least. */
const DEFINITION_SIZE = 262_144;
const LEAST_DEFINITIONS_SIZE = 67_108_864;
/** Definitions removed in one transaction. */
const BATCH = 200;

/** Decides whether there is capacity for another workflow or definition, and makes some where it can. */
export class RegistryCapacity {
  constructor(
    private readonly store: Pick<
      DefinitionStore,
      'definitionsKept' | 'removeUnusedDefinitions' | 'readDefinition' | 'listRegistrations'
    >,
    private readonly limits: RegistryLimits,
  ) {}

  /** Throws a `RegistryFullError`. `others`: what else is registered. */
  forWorkflow(next: RegisteredWorkflow, others: Iterable<RegisteredWorkflow>, count: number): void {
    const { maxWorkflows } = this.limits;
    if (count >= maxWorkflows) {
      throw new RegistryFullError(
        ({ setting }) =>
          `${maxWorkflows} workflows are registered, and no more may be: register under an id that is there already, or raise ${setting('FLOWGATE_MAX_WORKFLOWS')}`,
      );
    }
    let { size } = next;
    for (const other of others) size += other.size;
    if (size > Math.max(maxWorkflows * WORKFLOW_SIZE, LEAST_WORKFLOWS_SIZE)) {
      throw new RegistryFullError(
        ({ setting }) =>
          `The registered workflows have too many units, labels and bindings together (${size} characters): register smaller ones, or raise ${setting('FLOWGATE_MAX_WORKFLOWS')}`,
      );
    }
  }

  /** Throws a `RegistryFullError`. `count`: what else is registered in the namespace. */
  forNamespace(namespace: string, count: number): void {
    const { maxWorkflowsPerNamespace: most = null } = this.limits;
    if (most === null || count < most) return;
    throw new RegistryFullError(
      ({ setting }) =>
        `${most} workflows are registered in the namespace ${namespace}, and no more may be: register under an id that is there already, unregister one, or raise ${setting('FLOWGATE_MAX_WORKFLOWS_PER_NAMESPACE')}`,
    );
  }

  /**
   * Removes definitions that nothing names once there are too many. Throws a `RegistryFullError` when that is not enough.
   * `bootId`: only the registrations of this boot count; null: all do.
   */
  async forDefinition(next: StoredDefinition, bootId: string | null): Promise<void> {
    const { store } = this;
    if (await this.hasCapacity(next)) return;
    const { namespace, hash } = next;
    if ((await store.readDefinition({ namespace, hash })) !== null) return;
    while ((await store.removeUnusedDefinitions({ opening: bootId, limit: BATCH })) > 0) {
      if (await this.hasCapacity(next)) return;
    }
    throw new RegistryFullError(
      ({ setting }) =>
        `The runs that are kept began with ${this.limits.maxDefinitions} definitions or very large ones, and no more may be kept: let older runs go (${setting('FLOWGATE_RETENTION_DAYS')}), or raise ${setting('FLOWGATE_MAX_DEFINITIONS')}`,
    );
  }

  private async hasCapacity({ yaml, plan }: StoredDefinition): Promise<boolean> {
    const { maxDefinitions } = this.limits;
    const { count, size } = await this.store.definitionsKept();
    const more = yaml.length + (plan?.length ?? 0);
    const most = Math.max(maxDefinitions * DEFINITION_SIZE, LEAST_DEFINITIONS_SIZE);
    return count < maxDefinitions && size + more <= most;
  }
}
