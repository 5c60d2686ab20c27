import type { Plan } from '../core/plan/plan.js';
import type { RunStore, StoredDefinition } from '../ports/run-store.js';
import type { Definition } from './definition.js';

/** Compiles stored text again; rejects when it does not compile any more. */
export type Recompile = (stored: StoredDefinition) => Definition;

const MAX_PINNED = 1_000;

/**
 * The in-memory registry, and the definitions that runs are pinned to. A definition outlives its
 * registration: the store keeps it under its hash, and it is compiled again when a run asks for it.
 */
export class Definitions {
  private readonly registered = new Map<string, Definition>();
  private readonly pinned = new Map<string, Definition>();

  constructor(
    private readonly store: RunStore,
    private readonly recompile: Recompile,
  ) {}

  /** Durable before it answers, so that every run that starts can be pinned to it. */
  async register(definition: Definition, stored: StoredDefinition): Promise<void> {
    await this.store.saveDefinition(stored);
    this.registered.set(definition.plan.workflowId, definition);
    this.pin(definition);
  }

  current(workflowId: string): Definition | undefined {
    return this.registered.get(workflowId);
  }

  all(): Iterable<Definition> {
    return this.registered.values();
  }

  /** The definition that a run of this hash is pinned to. Rejects when nobody knows it. */
  async pinnedTo(hash: Plan['hash'], workflowId: string): Promise<Definition> {
    const known = this.known(hash, workflowId);
    if (known !== undefined) return known;
    const stored = await this.store.readDefinition({ hash });
    if (stored === null)
      throw new Error(`The definition ${hash} of the workflow ${workflowId} is not stored.`);
    const definition = this.recompile(stored);
    if (definition.plan.hash !== hash) {
      throw new Error(
        `The stored definition of the workflow ${workflowId} compiles to ${definition.plan.hash}, not ${hash}: ` +
          'its units resolve differently now. Register the units that it was registered with.',
      );
    }
    this.pin(definition);
    return definition;
  }

  private known(hash: Plan['hash'], workflowId: string): Definition | undefined {
    const current = this.registered.get(workflowId);
    return current?.plan.hash === hash ? current : this.pinned.get(hash);
  }

  private pin(definition: Definition): void {
    this.pinned.delete(definition.plan.hash);
    this.pinned.set(definition.plan.hash, definition);
    for (const oldest of this.pinned.keys()) {
      if (this.pinned.size <= MAX_PINNED) return;
      this.pinned.delete(oldest);
    }
  }
}
