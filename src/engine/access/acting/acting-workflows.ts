import type { UnknownWorkflowError } from '../../../errors/run-errors.js';
import type { CheckedWorkflow } from '../../definitions/registrar.js';
import type { CheckWorkflow, Registered, RegisterRequest, Workflows } from '../../facets/workflows.js';
import { isInScope } from '../../ports/access/policy.js';
import type { Page } from '../../run-lists.js';
import type { WorkflowDescription, WorkflowSummary } from '../../run-record.js';
import type { Permission } from '../../vocabulary.js';
import type { WorkflowDiff, WorkflowVersion, WorkflowVersionDetails } from '../../workflow-versions.js';
import type { Authority } from './authority.js';
import { addressed, assertPermitted, forbidden, scoped, type Acted } from './checked.js';
import type { UnknownWorkflows } from './unknown-workflows.js';

type Asked<Method extends 'read' | 'versions' | 'diff'> = Acted<Parameters<Workflows[Method]>[0]>;

/** `engine.workflows` for somebody who acts. All of it rejects with a `ForbiddenError` where a permission is missing. */
export class ActingWorkflows {
  constructor(
    private readonly workflows: Workflows,
    private readonly unknowns: UnknownWorkflows,
    private readonly authority: Authority,
  ) {}

  /** As `engine.workflows.register`; a workflow that the principal may not register is forbidden, too. */
  async register(request: Acted<RegisterRequest>): Promise<Registered> {
    const action = 'workflow:register';
    const { authority } = this;
    await assertPermitted(authority, action);
    const admit = async (workflowId: string): Promise<void> => {
      if ((await authority.verdict(action, workflowId)) === 'allowed') return;
      throw forbidden(authority, action);
    };
    return this.workflows.register({ ...request, ...authority.identity, admit });
  }

  /** For whoever registers: a registration tells them the same. */
  async check(request: Acted<CheckWorkflow>): Promise<CheckedWorkflow> {
    await assertPermitted(this.authority, 'workflow:register');
    return this.workflows.check({ ...request, ...this.authority.identity });
  }

  has(workflowId: string): Promise<boolean> {
    return this.#reading(
      workflowId,
      () => false,
      () => this.workflows.has(workflowId, this.namespace),
    );
  }

  unregister(workflowId: string): Promise<void> {
    const hidden = (): Promise<never> => this.unknowns.refuse(workflowId);
    return addressed(this.authority, { action: 'workflow:register', workflowId, hidden }, () =>
      this.unknowns.within(
        workflowId,
        this.workflows.unregister(workflowId, this.namespace, this.authority.identity.by),
      ),
    );
  }

  /** The error for a workflow that is not there for the principal; of others it names those alone that are. */
  unknown(workflowId: string): Promise<UnknownWorkflowError> {
    return this.unknowns.error(workflowId);
  }

  list(): Promise<readonly WorkflowSummary[]> {
    return scoped(this.authority, 'workflow:read', async (scope) => {
      const all = await this.workflows.list(this.namespace);
      return scope === 'all' ? all : all.filter(({ workflowId }) => isInScope(scope, workflowId));
    });
  }

  /** What is the same for all who see the same workflows, for what is kept of them. */
  view(): Promise<string> {
    return scoped(this.authority, 'workflow:read', async (scope) =>
      JSON.stringify([this.namespace, scope === 'all' ? scope : [...scope].sort()]),
    );
  }

  describe(workflowId: string): Promise<WorkflowDescription | null> {
    return this.#reading(
      workflowId,
      () => null,
      () => this.workflows.describe(workflowId, this.namespace),
    );
  }

  read(request: Asked<'read'>): Promise<WorkflowVersionDetails | null> {
    return this.#reading(
      request.workflowId,
      () => null,
      () => this.workflows.read({ ...request, namespace: this.namespace }),
    );
  }

  versions(request: Asked<'versions'>): Promise<Page<WorkflowVersion>> {
    const { workflowId } = request;
    const hidden = (): Promise<never> => this.unknowns.refuse(workflowId);
    return this.#reading(workflowId, hidden, () =>
      this.unknowns.within(workflowId, this.workflows.versions({ ...request, namespace: this.namespace })),
    );
  }

  diff(request: Asked<'diff'>): Promise<WorkflowDiff | null> {
    return this.#reading(
      request.workflowId,
      () => null,
      () => this.workflows.diff({ ...request, ...this.authority.identity }),
    );
  }

  #reading<T>(workflowId: string, hidden: () => T | Promise<T>, work: () => Promise<T>): Promise<T> {
    const action: Permission = 'workflow:read';
    return addressed(this.authority, { action, workflowId, hidden }, work);
  }

  private get namespace(): string {
    return this.authority.identity.namespace;
  }
}
