import type { AuditAct } from '../../ports/audit/audit-act.js';
import { messageOf } from '../../../errors/flowgate-error.js';
import { UnknownWorkflowError } from '../../../errors/run-errors.js';
import { StoreError } from '../../../errors/service-errors.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { isInScope, type AccessScope } from '../../ports/access/policy.js';
import type { Clock } from '../../ports/clock.js';
import type { HttpBinding } from '../../ports/http-binding.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { AppendRequest } from '../../ports/store/append.js';
import type { DefinitionStore, Registration, StoredDefinition } from '../../ports/store/definition-store.js';
import type { Definition } from '../definition.js';
import { PinnedDefinitions } from './pinned-definitions.js';
import type { Registrar } from '../registrar.js';
import { registeredWorkflow, type RegisteredWorkflow } from './registered-workflow.js';
import { RegistrationLooks } from './registration-looks.js';
import { RegistryObservers, type RegistryObserver } from './registry-observers.js';
import { unknownWorkflow } from './unknown-workflow.js';
import { RegistryCapacity, type RegistryLimits } from './registry-capacity.js';

/** A start begins with a registration that was read longer ago than this only after it was read again (ms). */
const KNOWN_FOR_MS = 1_000;

export interface RegistryOptions {
  readonly store: DefinitionStore;
  readonly registrar: Registrar;
  readonly logger: Pick<EngineLogger, 'error'>;
  readonly clock: Clock;
  /** `memory`: what was registered in an earlier boot of the store counts as absent. `durable`: it counts. */
  readonly mode: 'memory' | 'durable';
  /** Whether other processes register in the same store, so that the store overrides memory. */
  readonly isShared: boolean;
  readonly limits: RegistryLimits;
  /** Whether errors for unknown workflows name others. */
  readonly namesWorkflows: boolean;
}

interface ChildStart {
  readonly definition: Definition;
  readonly startedFrom: () => AppendRequest['startedFrom'];
}

/**
 * What later runs start from, by namespace and workflow, and the definitions that runs are pinned to.
 *
 * 1. A registration is in the store before it is in memory, and before the request is answered.
 * 2. A run keeps the definition of its hash, whatever is registered; only where its units are reached follows today's
 *    registration.
 * 3. Where several processes register, memory is a copy, and a start begins with one that was read within the last second. Its
 *    first append carries the registration, so that the store refuses a start from a definition that was replaced. Then, and
 *    before a start is refused for what the copy says, the registration is read again.
 * 4. What is kept in memory is bounded: of each workflow what lists and calls need, of definitions those used last.
 * 5. A definition that nothing names may be removed from the store at any time. So a start carries its registration wherever
 *    that may have changed: a run never begins with a definition that was removed.
 */
export class WorkflowRegistry {
  private readonly pinned: PinnedDefinitions;
  /** The workflows, in the order of their first registration. */
  private readonly registered = new Map<string, RegisteredWorkflow>();
  /** How many registrations of each workflow, and removals of them, are in progress. */
  private readonly registering = new Map<string, number>();
  private readonly capacity: RegistryCapacity;
  private readonly observers: RegistryObservers;
  private readonly looks: RegistrationLooks;
  /** When the store was last asked for the registration of each workflow (epoch ms); only where others register, too. */
  private readonly askedAt = new Map<string, number>();
  private readonly loading = new Map<string, Promise<Definition>>();
  /** By workflow, the registration that could not be loaded and was logged, so that it is logged once. */
  private readonly reported = new Map<string, string>();
  private opening: string | null = null;

  constructor(private readonly options: RegistryOptions) {
    this.pinned = new PinnedDefinitions(options.store, options.registrar);
    this.capacity = new RegistryCapacity(options.store, options.limits);
    this.observers = new RegistryObservers(options.logger);
    this.looks = new RegistrationLooks(options.clock, () => this.look());
  }

  /**
   * To be called once, after the store was opened. In `durable` mode it registers again what was registered before; a
   * workflow that can no longer be loaded is left out with an error in the log. Only the store itself can make this fail.
   */
  async open({ opening: bootId }: { readonly opening: string }): Promise<void> {
    this.opening = bootId;
    if (this.options.mode === 'memory') return;
    const { store } = this.options;
    for (const registration of await store.listRegistrations({ namespace: null, opening: null })) {
      const { namespace, hash } = registration;
      const stored = await store.readDefinition({ namespace, hash });
      await this.leavingOut(registration, async () => {
        if (stored === null) throw new Error(`The definition ${hash} is not stored`);
        this.enter(registration, await this.pinned.readmit(stored));
      });
    }
  }

  /**
   * Resolves once it is durable, so that every run that starts can be pinned to it. Throws a `RegistryFullError`. `audit`: recorded
   * with it.
   */
  async register(
    definition: Definition,
    stored: StoredDefinition,
    audit: AuditAct | null = null,
  ): Promise<void> {
    const { opening: bootId } = this;
    if (bootId === null) throw new Error('Nothing can be registered yet: open the engine first');
    const workflow = registeredWorkflow(definition, definition.registeredAt);
    const key = keyOf(workflow.namespace, workflow.workflowId);
    await this.changing(key, async () => {
      await this.checkCapacity(key, workflow, stored);
      await this.options.store.register({ definition: stored, opening: bootId, audit });
      this.registered.set(key, workflow);
      this.wasAsked(key);
      this.pinned.keep(definition);
      this.observers.notify(workflow.namespace);
    });
  }

  /** While the work is under way, starts carry their registration: see `startedFrom`. */
  private async changing<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const underWay = this.registering.get(key) ?? 0;
    this.registering.set(key, underWay + 1);
    try {
      return await work();
    } finally {
      const left = (this.registering.get(key) ?? 1) - 1;
      if (left === 0) this.registering.delete(key);
      else this.registering.set(key, left);
    }
  }

  /**
   * Later starts find it no more; runs that began with it proceed, and their definitions stay. Resolves once that is durable;
   * with false where it is not registered. A start that is under way begins before, or is refused.
   */
  async unregister(namespace: string, workflowId: string, audit: AuditAct | null = null): Promise<boolean> {
    const key = keyOf(namespace, workflowId);
    return this.changing(key, async () => {
      const wasThere = await this.options.store.unregister({ namespace, workflowId, ...this.scope(), audit });
      if (this.forget(key) || wasThere) this.observers.notify(namespace);
      return wasThere;
    });
  }

  /** Whether anything can be registered, and be found. */
  get isOpen(): boolean {
    return this.opening !== null;
  }

  /** The error for a workflow that `forStart` does not find: with the names that may be meant, of those that are known here. */
  async unknown(
    namespace: string,
    workflowId: string,
    scope: AccessScope = 'all',
  ): Promise<UnknownWorkflowError> {
    const { mode, namesWorkflows, store } = this.options;
    // Whether it was ever there is nobody's business who could not see it.
    if (!isInScope(scope, workflowId)) return new UnknownWorkflowError(workflowId);
    const ofAnyBoot = { namespace, workflowId, opening: null };
    const isOfEarlier = mode === 'memory' && (await store.readRegistration(ofAnyBoot)) !== null;
    return unknownWorkflow({
      workflowId,
      known: namesWorkflows ? this.idsIn(namespace, scope) : [],
      isOfEarlier: isOfEarlier && namesWorkflows,
    });
  }

  private *idsIn(namespace: string, scope: AccessScope): Generator<string> {
    for (const known of this.registered.values())
      if (known.namespace === namespace && isInScope(scope, known.workflowId)) yield known.workflowId;
  }

  /** Stores a definition that came with a run; a stored one of its hash stays as it is. Throws a `RegistryFullError`. */
  async keep(stored: StoredDefinition): Promise<void> {
    await this.capacity.forDefinition(stored, this.scope().opening);
    await this.options.store.saveDefinition({ ...stored, unlessKept: true });
  }

  private async checkCapacity(
    key: string,
    next: RegisteredWorkflow,
    stored: StoredDefinition,
  ): Promise<void> {
    const { registered, registering } = this;
    const known = registered.get(key);
    const others = [...registered].filter(([other]) => other !== key).map(([, workflow]) => workflow);
    if (known === undefined) {
      const fresh = [...registering.keys()].filter((other) => other !== key && !registered.has(other));
      this.capacity.forWorkflow(next, others, others.length + fresh.length);
      await this.checkNamespace(next, fresh);
    } else if (next.size > known.size) this.capacity.forWorkflow(next, others, 0);
    if (known?.hash !== next.hash) await this.capacity.forDefinition(stored, this.scope().opening);
  }

  /** `fresh`: what else is about to be registered here, in any namespace. */
  private async checkNamespace(
    { namespace, workflowId }: RegisteredWorkflow,
    fresh: readonly string[],
  ): Promise<void> {
    const { limits, isShared, store } = this.options;
    if ((limits.maxWorkflowsPerNamespace ?? null) === null) return;
    // What others have registered, or removed, the memory of this process may not know yet.
    const registered = isShared
      ? await store.listRegistrations({ namespace, ...this.scope() })
      : [...this.registered.values()].filter((other) => other.namespace === namespace);
    if (registered.some((other) => other.workflowId === workflowId)) return;
    const there = new Set(registered.map((other) => keyOf(namespace, other.workflowId)));
    for (const key of fresh) if (namespaceOf(key) === namespace) there.add(key);
    this.capacity.forNamespace(namespace, there.size);
  }

  /**
   * The definition that a start begins with, at once where it is known; null when the workflow is not registered. Where other
   * processes register, too, it may have been replaced a moment ago: `startedFrom` has the store see to that.
   */
  forStart(namespace: string, workflowId: string): Definition | null | Promise<Definition | null> {
    const key = keyOf(namespace, workflowId);
    const workflow = this.registered.get(key);
    if (!this.options.isShared) return workflow === undefined ? null : this.pinned.get(workflow);
    if (workflow === undefined || !this.wasJustRead(key)) return this.refresh(namespace, workflowId);
    const definition = this.pinned.get(workflow);
    if (!(definition instanceof Promise)) return definition;
    // One that was replaced elsewhere may be stored no longer.
    return definition.then((found) => found ?? this.refresh(namespace, workflowId));
  }

  /** Whether starts begin with another definition by now: what this one refuses, that one may accept. */
  async isReplaced({ namespace, plan }: Definition): Promise<boolean> {
    if (!this.options.isShared) return false;
    const hash = await this.currentHash(namespace, plan.workflowId);
    return hash !== null && hash !== plan.hash;
  }

  /** The definition that is registered at present; null when the workflow is not. */
  current(namespace: string, workflowId: string): Definition | null | Promise<Definition | null> {
    if (this.options.isShared) return this.refresh(namespace, workflowId);
    const workflow = this.registered.get(keyOf(namespace, workflowId));
    return workflow === undefined ? null : this.pinned.get(workflow);
  }

  /** The hash of what is registered; null where nothing is. No definition is loaded for it. */
  async currentHash(namespace: string, workflowId: string): Promise<string | null> {
    if (!this.options.isShared) return this.registered.get(keyOf(namespace, workflowId))?.hash ?? null;
    const { store } = this.options;
    const registration = await store.readRegistration({ namespace, workflowId, ...this.scope() });
    return registration?.hash ?? null;
  }

  /** The definition that a start begins with, as the store has it now: for a start that the store refused as `stale`. */
  async refresh(namespace: string, workflowId: string): Promise<Definition | null> {
    const { opening: bootId } = this.scope();
    const key = keyOf(namespace, workflowId);
    // Those that come meanwhile begin with what is known.
    if (this.registered.has(key)) this.wasAsked(key);
    const registration = await this.options.store.readRegistration({
      namespace,
      workflowId,
      opening: bootId,
    });
    if (registration !== null) {
      this.wasAsked(key);
      return this.definitionOf(registration);
    }
    if (this.forget(key)) this.observers.notify(namespace);
    return null;
  }

  /** The registered workflow and its definition; null when it is not registered. */
  async described(
    namespace: string,
    workflowId: string,
  ): Promise<{ readonly workflow: RegisteredWorkflow; readonly definition: Definition } | null> {
    const definition = await this.current(namespace, workflowId);
    if (definition === null) return null;
    const known = this.registered.get(keyOf(namespace, workflowId));
    // Another one may have been registered while this one was loaded.
    const isOfKnown = known?.hash === definition.plan.hash;
    return {
      definition,
      workflow: isOfKnown ? known : registeredWorkflow(definition, definition.registeredAt),
    };
  }

  /**
   * Calls the observer at every change of what this process knows to be registered: what others register it is told of within
   * seconds. Returns the function that removes it.
   */
  observe(observer: RegistryObserver): () => void {
    const remove = this.observers.add(observer);
    if (this.options.isShared) this.looks.start();
    return () => {
      remove();
      if (this.observers.size === 0) this.looks.stop();
    };
  }

  /** The process ends: observers are told of nothing further that others register. */
  close(): void {
    this.looks.close();
  }

  /** The workflows, in the order of their first registration. */
  async list(namespace: string): Promise<readonly RegisteredWorkflow[]> {
    if (!this.options.isShared) {
      return [...this.registered.values()].filter((definition) => definition.namespace === namespace);
    }
    const { store } = this.options;
    const workflows: RegisteredWorkflow[] = [];
    for (const registration of await store.listRegistrations({ namespace, ...this.scope() })) {
      await this.leavingOut(registration, async () => {
        workflows.push(await this.workflowOf(registration));
      });
    }
    return workflows;
  }

  /**
   * What the first append of a run must carry; null where its registration cannot have changed in between: no other process
   * registers, and this one has no registration of it in progress.
   */
  startedFrom({
    namespace,
    plan,
  }: Definition): { readonly hash: string; readonly opening: string | null } | null {
    const key = keyOf(namespace, plan.workflowId);
    const isCertain =
      !this.options.isShared && !this.registering.has(key) && this.registered.get(key)?.hash === plan.hash;
    return isCertain ? null : { hash: plan.hash, ...this.scope() };
  }

  /**
   * The definition that a child run begins with, and what its first append must carry: what is registered. In a registry
   * that lives in memory, also what was registered last before the restart, as long as nothing else is: the parent began
   * then.
   */
  async forChild(namespace: string, workflowId: string): Promise<ChildStart | null> {
    const current = await this.forStart(namespace, workflowId);
    if (current !== null) return { definition: current, startedFrom: () => this.startedFrom(current) };
    if (this.options.mode === 'durable') return null;
    const ofAnyBoot = { namespace, workflowId, opening: null };
    const registration = await this.options.store.readRegistration(ofAnyBoot);
    const earlier = registration === null ? null : await this.pinned.get(registration);
    if (registration === null || earlier === null) return null;
    return { definition: earlier, startedFrom: () => ({ hash: registration.hash, opening: null }) };
  }

  /** Where a unit of the definition is reached today: as the current registration says, or else as its own did. */
  bindings({ namespace, plan, bindings }: Definition, uses: string): HttpBinding | undefined {
    const current = this.registered.get(keyOf(namespace, plan.workflowId));
    return current?.bindings.get(uses) ?? bindings.get(uses);
  }

  /** The definition that a run is pinned to. Rejects when it is not stored, or when this build cannot read it. */
  async pinnedTo(run: {
    readonly namespace: string;
    readonly hash: string;
    readonly workflowId: string;
  }): Promise<Definition> {
    const { namespace, hash, workflowId } = run;
    const definition = await this.pinned.get({ namespace, hash });
    if (definition === null) {
      throw new Error(
        `The definition ${hash} of the workflow ${workflowId} is not stored: restore the data folder from a backup`,
      );
    }
    if (this.options.isShared) await this.learnBindings(namespace, workflowId);
    return definition;
  }

  /** Another process may have registered new endpoints and headers, which apply to runs of any age. */
  private async learnBindings(namespace: string, workflowId: string): Promise<void> {
    const { store } = this.options;
    const registration = await store.readRegistration({ namespace, workflowId, ...this.scope() });
    if (registration === null) return;
    await this.leavingOut(registration, async () => {
      await this.workflowOf(registration);
    });
  }

  /** The registered workflow, whether it is known here yet or not. */
  private async workflowOf(registration: Registration): Promise<RegisteredWorkflow> {
    const known = this.known(registration);
    if (known !== null) return known;
    const definition = await this.definitionOf(registration);
    return this.known(registration) ?? registeredWorkflow(definition, registration.registeredAt);
  }

  private known({ namespace, workflowId, hash, registeredAt }: Registration): RegisteredWorkflow | null {
    const known = this.registered.get(keyOf(namespace, workflowId));
    return known?.hash === hash && known.registeredAt === registeredAt ? known : null;
  }

  private async definitionOf(registration: Registration): Promise<Definition> {
    const known = this.known(registration) === null ? null : await this.pinned.get(registration);
    if (known !== null) return known;
    const key = versionOf(registration);
    const under = this.loading.get(key);
    if (under !== undefined) return under;
    const loading = this.load(registration).finally(() => this.loading.delete(key));
    this.loading.set(key, loading);
    return loading;
  }

  private async load(registration: Registration): Promise<Definition> {
    const { namespace, hash } = registration;
    const definition = await this.pinned.load({ namespace, hash });
    if (definition === null) throw new Error(`The definition ${hash} is not stored`);
    return this.enter(registration, definition);
  }

  private enter({ namespace, workflowId, registeredAt }: Registration, found: Definition): Definition {
    this.registered.set(keyOf(namespace, workflowId), registeredWorkflow(found, registeredAt));
    this.observers.notify(namespace);
    return found;
  }

  /** A failure of the workflow itself is logged once, and the rest proceeds without it. */
  private async leavingOut(registration: Registration, load: () => Promise<void>): Promise<void> {
    const { namespace, workflowId } = registration;
    const key = keyOf(namespace, workflowId);
    try {
      await load();
      this.reported.delete(key);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      if (this.reported.get(key) === versionOf(registration)) return;
      this.reported.set(key, versionOf(registration));
      this.options.logger.error(
        `The workflow ${workflowId} cannot be loaded any more and is left out: register it again`,
        { namespace, workflowId, definitionHash: registration.hash, error: messageOf(error) },
      );
    }
  }

  /** Takes note of what other processes registered since, and of what is no longer registered. Never rejects. */
  private async look(): Promise<void> {
    if (this.opening === null) return;
    const gone = new Map(this.registered);
    try {
      const { store } = this.options;
      for (const registration of await store.listRegistrations({ namespace: null, ...this.scope() })) {
        gone.delete(keyOf(registration.namespace, registration.workflowId));
        await this.leavingOut(registration, async () => {
          await this.workflowOf(registration);
        });
      }
    } catch {
      // Trouble with the store is logged elsewhere, and the next look is near.
      return;
    }
    const lessIn = new Set<string>();
    for (const [key, known] of gone) {
      if (this.registered.get(key) === known && this.forget(key)) lessIn.add(known.namespace);
    }
    for (const namespace of lessIn) this.observers.notify(namespace);
  }

  private forget(key: string): boolean {
    this.askedAt.delete(key);
    return this.registered.delete(key);
  }

  private wasAsked(key: string): void {
    if (this.options.isShared) this.askedAt.set(key, this.options.clock.now());
  }

  private wasJustRead(key: string): boolean {
    return this.options.clock.now() < (this.askedAt.get(key) ?? -Infinity) + KNOWN_FOR_MS;
  }

  /** The boot whose registrations count. */
  private scope(): { readonly opening: string | null } {
    return { opening: this.options.mode === 'durable' ? null : this.opening };
  }
}

/** Neither part may hold a line break. It runs for each call, so the namespace that nearly all are in adds no text. */
function keyOf(namespace: string, workflowId: string): string {
  return namespace === DEFAULT_NAMESPACE ? workflowId : `${namespace}\n${workflowId}`;
}

function namespaceOf(key: string): string {
  const end = key.indexOf('\n');
  return end < 0 ? DEFAULT_NAMESPACE : key.slice(0, end);
}

function versionOf({ namespace, workflowId, hash, registeredAt }: Registration): string {
  return `${keyOf(namespace, workflowId)}\n${hash}\n${registeredAt}`;
}
