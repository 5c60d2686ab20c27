import type { AuditAct } from '../audit/audit-act.js';
import type { JsonObject } from '../../core/json.js';

/** A workflow as it was registered; runs are pinned to it by its hash. */
export interface StoredDefinition {
  readonly namespace: string;
  readonly hash: string;
  readonly workflowId: string;
  /** Sealed where the engine has a key, like `plan`. */
  readonly yaml: string;
  readonly bindings: JsonObject;
  /** The plan as text; null: written before plans were stored. */
  readonly plan: string | null;
  /** Epoch ms. */
  readonly registeredAt: number;
}

/** Which definition the later runs of a workflow start from. */
export interface Registration {
  readonly namespace: string;
  readonly workflowId: string;
  readonly hash: string;
  /** Epoch ms of this registration, not of the first. */
  readonly registeredAt: number;
}

/** The definitions that runs are pinned to, by hash, and which of them is registered for the later runs of a workflow. */
export interface DefinitionStore {
  /**
   * Keeps the definition without registering it. Idempotent: the newest `plan` and `bindings` of a hash win, but for
   * a `plan` that is null. With `unlessKept` one of the hash that is there stays as it is.
   */
  saveDefinition(definition: StoredDefinition & { readonly unlessKept?: true }): Promise<void>;
  readDefinition(request: {
    readonly namespace: string;
    readonly hash: string;
  }): Promise<StoredDefinition | null>;
  /** Keeps the definition and makes it what later runs of its workflow start from, in one step. */
  register(request: {
    readonly definition: StoredDefinition;
    readonly opening: string;
    /** Recorded with it; absent or null, as below: nothing is. */
    readonly audit?: AuditAct | null;
  }): Promise<void>;
  /**
   * Removes what is registered for later runs of the workflow; with an `opening`, only what was registered in that boot. The
   * definition stays. Resolves with false where there was nothing.
   */
  unregister(request: {
    readonly namespace: string;
    readonly workflowId: string;
    readonly opening: string | null;
    readonly audit?: AuditAct | null;
  }): Promise<boolean>;
  /** The definitions of a workflow that are kept, newest first by (registeredAt, hash), at most `limit`. */
  listDefinitions(request: {
    readonly namespace: string;
    readonly workflowId: string;
    readonly before: { readonly registeredAt: number; readonly hash: string } | null;
    readonly limit: number;
  }): Promise<readonly { readonly hash: string; readonly registeredAt: number }[]>;
  /** What is registered; with an `opening`, only what was registered in that boot. */
  readRegistration(request: {
    readonly namespace: string;
    readonly workflowId: string;
    readonly opening: string | null;
  }): Promise<Registration | null>;
  /**
   * All registrations in the order of each workflow's first; with an `opening`, only those of that boot, in its own order.
   */
  listRegistrations(request: {
    readonly namespace: string | null;
    readonly opening: string | null;
  }): Promise<readonly Registration[]>;
  /** How many definitions there are, and what their texts take together, in bytes or characters. */
  definitionsKept(): Promise<{ readonly count: number; readonly size: number }>;
  /**
   * Deletes at most `limit` definitions that no stored run and no registration names, and returns how many; that may be
   * fewer than there are. A run whose first append resolved before keeps its definition, whenever it came. With an
   * `opening`, registrations of other boots are ignored, and go with their definitions.
   */
  removeUnusedDefinitions(request: {
    readonly opening: string | null;
    readonly limit: number;
  }): Promise<number>;
}
