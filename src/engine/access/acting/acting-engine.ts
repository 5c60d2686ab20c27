import type { Actor } from '../../core/log/actor.js';
import type { Audit } from '../../facets/audit.js';
import type { Gates } from '../../facets/gates.js';
import type { Memory } from '../../facets/memory.js';
import type { Runs } from '../../facets/runs.js';
import type { Workflows } from '../../facets/workflows.js';
import type { Permission } from '../../vocabulary.js';
import { ActingAudit } from './acting-audit.js';
import { ActingGates } from './acting-gates.js';
import { ActingMemory } from './acting-memory.js';
import { ActingRuns } from './acting-runs.js';
import { ActingWorkflows } from './acting-workflows.js';
import type { Authority } from './authority.js';
import { forbidden } from './checked.js';
import type { EventIds } from './event-ids.js';
import { UnknownWorkflows } from './unknown-workflows.js';

/** What somebody acts upon. */
export interface Facets {
  readonly workflows: Workflows;
  readonly runs: Runs;
  readonly gates: Gates;
  readonly memory: Memory;
  readonly audit: Audit;
}

/**
 * The engine for somebody who acts: as a principal in a namespace (`engine.as`), or where nobody is asked who they are
 * (`engine.unchecked`).
 *
 * 1. The policy is asked before anything is done; what it does not answer is no yes.
 * 2. Namespace, `by`, `caller` and the owner of idempotency keys are the principal's, whatever a request says.
 * 3. What is hidden is answered for as what never was, and no list, count, search or stream tells of it.
 *
 * Who observes runs or registrations is this process, not somebody: that is for `engine.runs` and `engine.workflows`.
 */
export class ActingEngine {
  readonly workflows: ActingWorkflows;
  readonly runs: ActingRuns;
  readonly gates: ActingGates;
  readonly memory: ActingMemory;
  readonly audit: ActingAudit;

  constructor(
    facets: Facets,
    private readonly authority: Authority,
    /** What ids of events are shown as; null: as they are. */
    eventIds: EventIds | null,
  ) {
    const unknowns = new UnknownWorkflows(facets.workflows, authority);
    this.workflows = new ActingWorkflows(facets.workflows, unknowns, authority);
    this.runs = new ActingRuns(facets.runs, facets.workflows, unknowns, authority, eventIds, facets.audit);
    this.audit = new ActingAudit(facets.audit, authority, eventIds);
    this.gates = new ActingGates(facets.gates, authority);
    this.memory = new ActingMemory(facets.memory, authority);
  }

  get namespace(): string {
    return this.authority.identity.namespace;
  }

  /** Who stands as `by` in what is done; null: nobody was authenticated, and what a request says counts. */
  get actor(): Actor | null {
    return this.authority.identity.by ?? null;
  }

  /** Whose share of what is scarce is used; null: nobody was authenticated. */
  get caller(): string | null {
    return this.authority.identity.caller ?? null;
  }

  /** Whether all of this may be done in the namespace, to some workflow at least. */
  async may(...actions: readonly Permission[]): Promise<boolean> {
    return (await this.missing(actions)) === null;
  }

  /** Whether this may be done to the workflow: for what is left out where it may not, in place of a refusal. */
  async mayTo(workflowId: string, action: Permission): Promise<boolean> {
    return (await this.authority.verdict(action, workflowId)) === 'allowed';
  }

  /** Rejects with a `ForbiddenError` where `may` says no. */
  async assertMay(...actions: readonly Permission[]): Promise<void> {
    const missing = await this.missing(actions);
    if (missing !== null) throw forbidden(this.authority, missing);
  }

  private async missing(actions: readonly Permission[]): Promise<Permission | null> {
    for (const action of actions) if ((await this.authority.verdict(action)) !== 'allowed') return action;
    return null;
  }
}
