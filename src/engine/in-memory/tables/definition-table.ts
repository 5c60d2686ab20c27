import type { AppendRequest } from '../../ports/store/append.js';
import type { DefinitionStore, Registration, StoredDefinition } from '../../ports/store/definition-store.js';
import { ownCopy } from './own-copy.js';

interface StoredRegistration {
  readonly registration: Registration;
  readonly opening: string;
  /** The order of first registrations within the boot. */
  readonly orderInBoot: number;
}

/** Definitions and registrations by namespace. What it is given is copied, so that no caller can change it. */
export class DefinitionTable {
  private readonly definitions = new Map<string, StoredDefinition>();
  /** The registrations, in the order of the first ones. */
  private readonly registrations = new Map<string, StoredRegistration>();
  private lastOrder = 0;

  save(definition: StoredDefinition): void {
    const key = keyOf(definition.namespace, definition.hash);
    const plan = definition.plan ?? this.definitions.get(key)?.plan ?? null;
    this.definitions.set(key, ownCopy({ ...definition, plan }));
  }

  read(namespace: string, hash: string): StoredDefinition | null {
    return this.definitions.get(keyOf(namespace, hash)) ?? null;
  }

  /** The definitions of a workflow, newest first. */
  list({ namespace, workflowId, before, limit }: Parameters<DefinitionStore['listDefinitions']>[0]) {
    return [...this.definitions.values()]
      .filter((one) => one.namespace === namespace && one.workflowId === workflowId)
      .filter((one) => before === null || isNewer(before, one))
      .sort((a, b) => (isNewer(a, b) ? -1 : 1))
      .slice(0, limit)
      .map(({ hash, registeredAt }) => ({ hash, registeredAt }));
  }

  kept(): { readonly count: number; readonly size: number } {
    let size = 0;
    for (const { yaml, plan } of this.definitions.values()) size += yaml.length + (plan?.length ?? 0);
    return { count: this.definitions.size, size };
  }

  /** `isNamed`: whether a stored run names the definition. */
  removeUnused(
    isNamed: (namespace: string, hash: string) => boolean,
    { opening: bootId, limit }: { readonly opening: string | null; readonly limit: number },
  ): number {
    let removed = 0;
    for (const [key, { namespace, workflowId, hash }] of this.definitions) {
      if (removed >= limit) break;
      if (this.readRegistration(namespace, workflowId, bootId)?.hash === hash) continue;
      if (isNamed(namespace, hash)) continue;
      this.definitions.delete(key);
      if (this.readRegistration(namespace, workflowId, null)?.hash === hash)
        this.registrations.delete(keyOf(namespace, workflowId));
      removed += 1;
    }
    return removed;
  }

  register(definition: StoredDefinition, bootId: string): void {
    this.save(definition);
    const { namespace, workflowId, hash, registeredAt } = definition;
    const key = keyOf(namespace, workflowId);
    const known = this.registrations.get(key);
    this.lastOrder += 1;
    this.registrations.set(key, {
      registration: Object.freeze({ namespace, workflowId, hash, registeredAt }),
      opening: bootId,
      orderInBoot: known?.opening === bootId ? known.orderInBoot : this.lastOrder,
    });
  }

  unregister(namespace: string, workflowId: string, bootId: string | null): boolean {
    if (this.readRegistration(namespace, workflowId, bootId) === null) return false;
    return this.registrations.delete(keyOf(namespace, workflowId));
  }

  readRegistration(namespace: string, workflowId: string, bootId: string | null): Registration | null {
    const stored = this.registrations.get(keyOf(namespace, workflowId));
    return stored !== undefined && isOf(stored, bootId) ? stored.registration : null;
  }

  listRegistrations(namespace: string | null, bootId: string | null): readonly Registration[] {
    const found = [...this.registrations.values()].filter(
      (stored) => isOf(stored, bootId) && (namespace === null || stored.registration.namespace === namespace),
    );
    if (bootId !== null) found.sort((a, b) => a.orderInBoot - b.orderInBoot);
    return found.map(({ registration }) => registration);
  }

  /** Whether the start that an append is made for began with what is registered. */
  holds({ startedFrom, row }: AppendRequest): boolean {
    if (startedFrom === null) return true;
    const { hash, opening: bootId } = startedFrom;
    return this.readRegistration(row.namespace, row.workflowId, bootId)?.hash === hash;
  }
}

interface Age {
  readonly registeredAt: number;
  readonly hash: string;
}

function isNewer(a: Age, b: Age): boolean {
  return a.registeredAt === b.registeredAt ? a.hash > b.hash : a.registeredAt > b.registeredAt;
}

function isOf(stored: StoredRegistration, bootId: string | null): boolean {
  return bootId === null || stored.opening === bootId;
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}\n${name}`;
}
