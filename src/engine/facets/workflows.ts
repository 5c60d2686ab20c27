import type { UnknownWorkflowError } from '../../errors/run-errors.js';
import { deepFreeze } from '../core/freeze.js';
import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import type { CheckedWorkflow, Registrar } from '../definitions/registrar.js';
import type { NamedChild } from '../language/compiler/named-children.js';
import { type DocumentWarning, sentencesOf } from '../language/document-warning.js';
import type { KeptVersions, VersionList } from '../runtime/lists/kept-versions.js';
import { warningsOfChildren } from '../definitions/registry/unregistered-children.js';
import type { WorkflowRegistry } from '../definitions/registry/workflow-registry.js';
import { checkNamespace } from '../runtime/starting/checked-start.js';
import type { AccessScope } from '../ports/access/policy.js';
import type { AuditActor } from '../ports/audit/audit-act.js';
import type { Audit } from './audit.js';
import type { Clock } from '../ports/clock.js';
import type { RegisteredWorkflow } from '../definitions/registry/registered-workflow.js';
import type { Page } from '../run-lists.js';
import type { WorkflowDescription, WorkflowSummary } from '../run-record.js';
import type { WorkflowDiff, WorkflowVersion, WorkflowVersionDetails } from '../workflow-versions.js';

export interface RegisterRequest {
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  readonly yaml: string;
  /** By `uses` name (interface, UsesBindings). Default: none. */
  readonly bindings?: unknown;
  /** Whose share of the threads that compile large documents it uses. Default: one for all callers that give none. */
  readonly caller?: string | undefined;
  /** Who stands in the audit for it. Default: it is not recorded. */
  readonly by?: AuditActor | undefined;
  /** Called with the id that the document has before anything is kept: what it throws refuses the document. */
  readonly admit?: ((workflowId: string) => Promise<void>) | undefined;
}

export interface CheckWorkflow {
  /** Where it would be registered. Default: `default`. */
  readonly namespace?: string | undefined;
  readonly yaml: string;
  /** By `uses` name (interface, UsesBindings). Default: none. */
  readonly bindings?: unknown;
  /** True: `uses` names that are not known here are no fault, nor are workflows a warning. Default false. */
  readonly anyUses?: boolean | undefined;
  /** As for a registration. */
  readonly caller?: string | undefined;
}

export interface Registered {
  readonly workflowId: string;
  /** What is accepted and probably not intended. */
  readonly warnings: readonly string[];
  /** The same, in the same order, with what they are about and where that is. */
  readonly warningDetails: readonly DocumentWarning[];
}

export interface RegisteredParent extends Registered {
  /** The workflows that it starts runs of, as far as the document names them, and where it does. */
  readonly children: readonly NamedChild[];
}

/** `engine.workflows`: registers documents and lists what is registered. */
export class Workflows {
  constructor(
    private readonly registrar: Registrar,
    private readonly registry: WorkflowRegistry,
    private readonly clock: Clock,
    private readonly kept: KeptVersions,
    private readonly audit: Audit,
  ) {}

  /**
   * Registers a workflow, or replaces it for later runs. Throws a `YamlValidationError` or a `YamlLoadError`
   * (interface, section 4, from-yaml), a `BusyError` while very many large ones are being registered, and a
   * `RegistryFullError`.
   */
  async register(request: RegisterRequest): Promise<Registered> {
    const { children, ...registered } = await this.registerParent(request);
    const unregistered = await this.warningsOfChildren(children, request.namespace);
    const warningDetails = [...registered.warningDetails, ...unregistered];
    return { ...registered, warnings: sentencesOf(warningDetails), warningDetails };
  }

  /**
   * As `register`, for a document whose children may be registered after it: says which they are, and warns of none. Which of
   * them is missing `warningsOfChildren` says later, without the document.
   */
  async registerParent(request: RegisterRequest): Promise<RegisteredParent> {
    const { yaml, bindings, namespace = DEFAULT_NAMESPACE, caller } = request;
    checkNamespace(namespace);
    const registeredAt = this.clock.now();
    const {
      definition,
      stored,
      warnings: warningDetails,
      children,
    } = await this.registrar.prepare({
      yaml,
      bindings,
      namespace,
      registeredAt,
      caller,
    });
    const { workflowId } = definition.plan;
    await request.admit?.(workflowId);
    const { hash: target } = stored;
    const act = this.audit.actBy(request.by, { action: 'workflow.register', namespace, workflowId, target });
    await this.registry.register(definition, stored, act);
    return { workflowId, warnings: sentencesOf(warningDetails), warningDetails, children };
  }

  /** A warning of each of them that nobody has registered by now. */
  warningsOfChildren(
    children: readonly NamedChild[],
    namespace = DEFAULT_NAMESPACE,
  ): Promise<readonly DocumentWarning[]> {
    return warningsOfChildren(this.registry, namespace, children);
  }

  /**
   * Whether a workflow would be registered: says the same and throws the same as `register`, and keeps nothing. Needs
   * no open engine.
   */
  async check(request: CheckWorkflow): Promise<CheckedWorkflow> {
    const { yaml, bindings, namespace = DEFAULT_NAMESPACE, anyUses = false, caller } = request;
    const { children, ...checked } = await this.registrar.check({
      yaml,
      namespace,
      bindings,
      anyUses,
      caller,
    });
    // Where any unit may be known, any workflow may be.
    const unregistered = anyUses ? [] : await this.warningsOfChildren(children, namespace);
    const warningDetails = [...checked.warningDetails, ...unregistered];
    return { ...checked, warnings: sentencesOf(warningDetails), warningDetails };
  }

  async has(workflowId: string, namespace = DEFAULT_NAMESPACE): Promise<boolean> {
    return (await this.registry.forStart(namespace, workflowId)) !== null;
  }

  /**
   * Unregisters a workflow: later starts do not find it, runs go on, and its versions stay as long as a run needs them. Throws
   * an `UnknownWorkflowError` where it is not registered. `by`: who stands in the audit for it; default: it is not recorded.
   */
  async unregister(workflowId: string, namespace = DEFAULT_NAMESPACE, by?: AuditActor): Promise<void> {
    const act = this.audit.actBy(by, { action: 'workflow.unregister', namespace, workflowId });
    if (await this.registry.unregister(namespace, workflowId, act)) return;
    throw await this.unknown(workflowId, namespace);
  }

  /**
   * The error for a workflow that `has` does not find; it says which one is probably meant, of those that `scope` shows.
   * Default: of all.
   */
  unknown(
    workflowId: string,
    namespace = DEFAULT_NAMESPACE,
    scope: AccessScope = 'all',
  ): Promise<UnknownWorkflowError> {
    return this.registry.unknown(namespace, workflowId, scope);
  }

  /** The registered workflows, in the order of their first registration. */
  async list(namespace = DEFAULT_NAMESPACE): Promise<readonly WorkflowSummary[]> {
    return (await this.registry.list(namespace)).map(summaryOf);
  }

  /**
   * What the workflow takes as input, next to what the list says; null when it is not registered. Nothing is compiled for
   * it.
   */
  async describe(workflowId: string, namespace = DEFAULT_NAMESPACE): Promise<WorkflowDescription | null> {
    const described = await this.registry.described(namespace, workflowId);
    if (described === null) return null;
    const { input: inputSchema, annotations } = described.definition;
    return deepFreeze({ ...summaryOf(described.workflow), inputSchema, annotations });
  }

  /**
   * The version that is registered, or the one of `hash`; null: there is none. The document is as it was given, whatever
   * stands in it.
   */
  async read(request: {
    readonly workflowId: string;
    readonly hash?: string | undefined;
    readonly namespace?: string | undefined;
  }): Promise<WorkflowVersionDetails | null> {
    const { hash = null } = request;
    return this.kept.read(versionsOf(request), hash);
  }

  /**
   * The versions that are kept, newest first by when they were registered last. Throws an `UnknownWorkflowError` where
   * there is none, and an `InvalidRequestError` for a cursor that is not of this list. `limit`: 1 to 200, default 50.
   */
  async versions(request: {
    readonly workflowId: string;
    readonly namespace?: string | undefined;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  }): Promise<Page<WorkflowVersion>> {
    const { limit, cursor } = request;
    return this.kept.list(versionsOf(request), { limit, cursor });
  }

  /**
   * What differs between `from` and `to`, both hashes of versions; null: one of them is not kept. Throws a `BusyError` while
   * very many others are compared.
   */
  async diff(request: {
    readonly workflowId: string;
    readonly from: string;
    readonly to: string;
    readonly namespace?: string | undefined;
    /** As for a registration. */
    readonly caller?: string | undefined;
  }): Promise<WorkflowDiff | null> {
    return this.kept.diff(versionsOf(request), request);
  }

  /**
   * Calls `observer` with its namespace after a workflow was registered, replaced or removed. What other processes register in the same store, this one
   * learns when it looks, every five seconds while there is an observer. Returns a function that removes it.
   */
  observe(observer: (namespace: string) => void): () => void {
    return this.registry.observe(observer);
  }
}

function summaryOf(workflow: RegisteredWorkflow): WorkflowSummary {
  const { workflowId, description, labels, hash, registeredAt, units, flowType } = workflow;
  return { workflowId, description, labels, definitionHash: hash, registeredAt, units, flowType };
}

function versionsOf({
  workflowId,
  namespace = DEFAULT_NAMESPACE,
}: {
  readonly workflowId: string;
  readonly namespace?: string | undefined;
}): VersionList {
  return { namespace, workflowId };
}
