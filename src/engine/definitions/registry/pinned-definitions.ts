import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import type { DefinitionStore, StoredDefinition } from '../../ports/store/definition-store.js';
import type { Definition } from '../definition.js';
import type { Registrar, RestoredDefinition } from '../registrar.js';

/** Definitions in memory at once; a run that needs another one waits for the store. */
const MAX_PINNED = 1_000;
/** Characters of their stored texts; the plans made of them take about four times as much. */
const MAX_PINNED_SIZE = 32 * 1024 * 1024;

/** The permanent name of a definition. */
export interface DefinitionAddress {
  readonly namespace: string;
  readonly hash: string;
}

/**
 * The definitions that runs are pinned to: those used last are in memory, and all of them in the store under their hashes.
 */
export class PinnedDefinitions {
  /** The definitions in memory, the most recently used last. */
  private readonly known = new Map<string, Definition>();
  private knownSize = 0;
  /** The most recently used definition. */
  private newest: Definition | null = null;
  private readonly loading = new Map<string, Promise<Definition | null>>();

  constructor(
    private readonly store: DefinitionStore,
    private readonly registrar: Registrar,
  ) {}

  /** Null when no such definition is stored. A known one is returned at once; callers that come during a load share it. */
  get(address: DefinitionAddress): Definition | Promise<Definition | null> {
    const { newest } = this;
    if (newest?.plan.hash === address.hash && newest.namespace === address.namespace) return newest;
    const key = keyOf(address);
    const known = this.known.get(key);
    if (known !== undefined) {
      this.keep(known);
      return known;
    }
    const under = this.loading.get(key);
    if (under !== undefined) return under;
    const loading = this.load(address).finally(() => this.loading.delete(key));
    this.loading.set(key, loading);
    return loading;
  }

  /** The definition as the store has it now: bindings may have been stored again under the same hash. */
  async load(address: DefinitionAddress): Promise<Definition | null> {
    const stored = await this.store.readDefinition(address);
    return stored === null ? null : this.restored(await this.registrar.restore(stored));
  }

  /** The definition of a workflow that is to be registered again; rejects when it would not be accepted today. */
  async readmit(stored: StoredDefinition): Promise<Definition> {
    return this.restored(await this.registrar.readmit(stored));
  }

  keep(definition: Definition): void {
    if (definition === this.newest) return;
    this.newest = definition;
    const key = keyOf({ namespace: definition.namespace, hash: definition.plan.hash });
    this.knownSize += definition.size - (this.known.get(key)?.size ?? 0);
    this.known.delete(key);
    this.known.set(key, definition);
    for (const [oldest, { size }] of this.known) {
      const isBounded = this.known.size <= MAX_PINNED && this.knownSize <= MAX_PINNED_SIZE;
      if (isBounded || this.known.size === 1) return;
      this.known.delete(oldest);
      this.knownSize -= size;
    }
  }

  private async restored({ definition, better }: RestoredDefinition): Promise<Definition> {
    if (better !== null) await this.store.saveDefinition(better);
    this.keep(definition);
    return definition;
  }
}

function keyOf({ namespace, hash }: DefinitionAddress): string {
  // The namespace that nearly all definitions are in needs no prefix.
  return namespace === DEFAULT_NAMESPACE ? hash : `${namespace}\n${hash}`;
}
