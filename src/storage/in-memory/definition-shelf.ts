import type {
  AppendRequest,
  Registration,
  RunStore,
  StoredDefinition,
} from '../../engine/ports/run-store.js';

interface Place {
  readonly registration: Registration;
  readonly opening: string;
  /** In the order of first registrations among those of the opening. */
  readonly placeInOpening: number;
}

/** Definitions and registrations by namespace. What it is given is copied, so that nobody else can change it. */
export class DefinitionShelf {
  private readonly definitions = new Map<string, StoredDefinition>();
  /** In the order of first registrations. */
  private readonly registrations = new Map<string, Place>();
  private places = 0;

  save(definition: StoredDefinition): void {
    const key = keyOf(definition.namespace, definition.hash);
    const plan = definition.plan ?? this.definitions.get(key)?.plan ?? null;
    this.definitions.set(key, frozen(structuredClone({ ...definition, plan })));
  }

  read(namespace: string, hash: string): StoredDefinition | null {
    return this.definitions.get(keyOf(namespace, hash)) ?? null;
  }

  /** Of a workflow, newest first. */
  list({ namespace, workflowId, before, limit }: Parameters<RunStore['listDefinitions']>[0]) {
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
    { opening, limit }: { readonly opening: string | null; readonly limit: number },
  ): number {
    let removed = 0;
    for (const [key, { namespace, workflowId, hash }] of this.definitions) {
      if (removed >= limit) break;
      if (this.readRegistration(namespace, workflowId, opening)?.hash === hash) continue;
      if (isNamed(namespace, hash)) continue;
      this.definitions.delete(key);
      if (this.readRegistration(namespace, workflowId, null)?.hash === hash)
        this.registrations.delete(keyOf(namespace, workflowId));
      removed += 1;
    }
    return removed;
  }

  register(definition: StoredDefinition, opening: string): void {
    this.save(definition);
    const { namespace, workflowId, hash, registeredAt } = definition;
    const key = keyOf(namespace, workflowId);
    const known = this.registrations.get(key);
    this.places += 1;
    this.registrations.set(key, {
      registration: Object.freeze({ namespace, workflowId, hash, registeredAt }),
      opening,
      placeInOpening: known?.opening === opening ? known.placeInOpening : this.places,
    });
  }

  readRegistration(namespace: string, workflowId: string, opening: string | null): Registration | null {
    const place = this.registrations.get(keyOf(namespace, workflowId));
    return place !== undefined && isOf(place, opening) ? place.registration : null;
  }

  listRegistrations(namespace: string | null, opening: string | null): readonly Registration[] {
    const places = [...this.registrations.values()].filter(
      (place) => isOf(place, opening) && (namespace === null || place.registration.namespace === namespace),
    );
    if (opening !== null) places.sort((a, b) => a.placeInOpening - b.placeInOpening);
    return places.map(({ registration }) => registration);
  }

  /** Whether the start that an append is made for was made from what is registered. */
  holds({ startedFrom, row }: AppendRequest): boolean {
    if (startedFrom === null) return true;
    const { hash, opening } = startedFrom;
    return this.readRegistration(row.namespace, row.workflowId, opening)?.hash === hash;
  }
}

interface Age {
  readonly registeredAt: number;
  readonly hash: string;
}

function isNewer(a: Age, b: Age): boolean {
  return a.registeredAt === b.registeredAt ? a.hash > b.hash : a.registeredAt > b.registeredAt;
}

function isOf(place: Place, opening: string | null): boolean {
  return opening === null || place.opening === opening;
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}\n${name}`;
}

/** For our own copies only. */
function frozen<Value>(value: Value): Value {
  if (value === null || typeof value !== 'object') return value;
  for (const field of Object.values(value)) frozen(field);
  return Object.freeze(value);
}
