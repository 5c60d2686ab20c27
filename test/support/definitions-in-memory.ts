import { StoreError } from '../../src/errors/service-errors.js';
import type {
  DefinitionStore,
  Registration,
  StoredDefinition,
} from '../../src/engine/ports/store/definition-store.js';

type Kept = Registration & { readonly opening: string };

/** The part of a store that keeps definitions and registrations, without what only lists of versions read. */
export class DefinitionsInMemory {
  readonly definitions = new Map<string, StoredDefinition>();
  readonly registrations = new Map<string, Kept>();
  /** Names of the methods that were called, in order. */
  readonly calls: string[] = [];
  /** Rejects every call while it is set. */
  isBroken = false;

  /** As the port, which lists definitions, too. */
  get port(): DefinitionStore {
    return this as unknown as DefinitionStore;
  }

  async saveDefinition(definition: StoredDefinition): Promise<void> {
    this.called('saveDefinition');
    this.definitions.set(keyOf(definition.namespace, definition.hash), definition);
  }

  async readDefinition(request: { namespace: string; hash: string }): Promise<StoredDefinition | null> {
    this.called('readDefinition');
    return this.definitions.get(keyOf(request.namespace, request.hash)) ?? null;
  }

  async register({ definition, opening }: Parameters<DefinitionStore['register']>[0]): Promise<void> {
    this.called('register');
    const { namespace, workflowId, hash, registeredAt } = definition;
    this.definitions.set(keyOf(namespace, hash), definition);
    this.registrations.set(keyOf(namespace, workflowId), {
      namespace,
      workflowId,
      hash,
      registeredAt,
      opening,
    });
  }

  async unregister(request: Parameters<DefinitionStore['unregister']>[0]): Promise<boolean> {
    this.called('unregister');
    const key = keyOf(request.namespace, request.workflowId);
    const found = this.registrations.get(key);
    return found !== undefined && counts(found, request.opening) && this.registrations.delete(key);
  }

  async readRegistration(
    request: Parameters<DefinitionStore['readRegistration']>[0],
  ): Promise<Registration | null> {
    this.called('readRegistration');
    const found = this.registrations.get(keyOf(request.namespace, request.workflowId));
    return found === undefined || !counts(found, request.opening) ? null : withoutOpening(found);
  }

  async listRegistrations(
    request: Parameters<DefinitionStore['listRegistrations']>[0],
  ): Promise<readonly Registration[]> {
    this.called('listRegistrations');
    return [...this.registrations.values()]
      .filter((one) => counts(one, request.opening))
      .filter(({ namespace }) => request.namespace === null || namespace === request.namespace)
      .map(withoutOpening);
  }

  async definitionsKept(): Promise<{ readonly count: number; readonly size: number }> {
    this.called('definitionsKept');
    return { count: this.definitions.size, size: 0 };
  }

  /** What no registration names; here there are no runs. */
  async removeUnusedDefinitions({
    opening,
    limit,
  }: Parameters<DefinitionStore['removeUnusedDefinitions']>[0]): Promise<number> {
    this.called('removeUnusedDefinitions');
    const registered = [...this.registrations.values()].filter((one) => counts(one, opening));
    const unused = [...this.definitions]
      .filter(
        ([, one]) =>
          !registered.some(({ hash, namespace }) => hash === one.hash && namespace === one.namespace),
      )
      .slice(0, limit);
    for (const [key] of unused) this.definitions.delete(key);
    return unused.length;
  }

  private called(name: string): void {
    this.calls.push(name);
    if (this.isBroken) throw new StoreError('The disk is full');
  }
}

function counts({ opening }: Kept, wanted: string | null): boolean {
  return wanted === null || opening === wanted;
}

function withoutOpening({ opening: _opening, ...registration }: Kept): Registration {
  return registration;
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
