import { UnknownWorkflowError } from '../../../errors/run-errors.js';
import type { Workflows } from '../../facets/workflows.js';
import type { Authority } from './authority.js';

/** The errors for workflows that are not there for whoever acts: they name no other one that is hidden. */
export class UnknownWorkflows {
  constructor(
    private readonly workflows: Workflows,
    private readonly authority: Authority,
  ) {}

  async error(workflowId: string): Promise<UnknownWorkflowError> {
    const { authority } = this;
    const mayRead = (await authority.verdict('workflow:read')) === 'allowed';
    const scope = mayRead ? await authority.scope('workflow:read') : [];
    return this.workflows.unknown(workflowId, authority.identity.namespace, scope);
  }

  /** What a hidden workflow is answered with. */
  async refuse(workflowId: string): Promise<never> {
    throw await this.error(workflowId);
  }

  /** As the work, with the error of here in place of the engine's own. */
  async within<T>(workflowId: string, work: Promise<T>): Promise<T> {
    // Where nobody is asked nothing is hidden.
    if (this.authority.identity.by === undefined) return work;
    try {
      return await work;
    } catch (error) {
      throw error instanceof UnknownWorkflowError ? await this.error(workflowId) : error;
    }
  }
}
