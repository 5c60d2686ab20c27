import type { HttpBinding } from '../ports/http-binding.js';
import type { RunStore, StoredDefinition } from '../ports/run-store.js';
import type { Definition } from './definition.js';
import type { Registrar } from './registrar.js';

export interface RegistryOptions {
  readonly store: RunStore;
  readonly registrar: Registrar;
  readonly logger: RegistryLogger;
  /** `memory`: what an earlier opening of the store registered counts as absent. `durable`: it counts. */
  readonly mode: 'memory' | 'durable';
  /** Other processes register in the same store. */
  readonly isShared: boolean;
}

export interface RegistryLogger {
  error(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** What later runs start from, by namespace and workflow; and the definitions that runs are pinned to. */
export class WorkflowRegistry {
  constructor(readonly options: RegistryOptions) {}

  /** Once, after the store was opened and before anything else is asked. */
  open(_opened: { readonly opening: string }): Promise<void> {
    throw new Error('not written yet');
  }

  /** Durable before it answers, so that every run that starts can be pinned to it. */
  register(_definition: Definition, _stored: StoredDefinition): Promise<void> {
    throw new Error('not written yet');
  }

  /** What a start begins with; null when the workflow is not registered. */
  current(_namespace: string, _workflowId: string): Promise<Definition | null> {
    throw new Error('not written yet');
  }

  /** The same, read from the store whatever memory says: for a start that was told `stale`. */
  refresh(_namespace: string, _workflowId: string): Promise<Definition | null> {
    throw new Error('not written yet');
  }

  /** In the order of their first registration. */
  list(_namespace: string): Promise<readonly Definition[]> {
    throw new Error('not written yet');
  }

  /** What the first append of a run must carry. */
  startedFrom(_definition: Definition): { readonly hash: string; readonly opening: string | null } | null {
    throw new Error('not written yet');
  }

  /** Where a unit of the definition is reached today: as the current registration says, else as its own did. */
  bindings(_definition: Definition, _uses: string): HttpBinding | undefined {
    throw new Error('not written yet');
  }

  /** The definition that a run is pinned to. Rejects when nobody knows it, or when it cannot be read. */
  pinnedTo(_run: {
    readonly namespace: string;
    readonly hash: string;
    readonly workflowId: string;
  }): Promise<Definition> {
    throw new Error('not written yet');
  }
}
