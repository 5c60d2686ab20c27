import type { RunMessage } from '../types/messages.js';
import type { RunRecord } from '../types/records.js';
import type { UnitHandler } from '../types/units.js';

interface Address {
  readonly workflowId: string;
  readonly runId: string;
}

interface Keyed {
  readonly idempotencyKey?: string | undefined;
}

/** Somebody of whom a name alone is known. */
interface Claimed {
  readonly id: string;
  readonly owner: null;
  readonly via: 'in-process';
  readonly auth: 'none';
}

/** What the client needs of an `Engine` of `flowgate/engine`: the package's own, or a wrapper of it. */
export interface EngineLike {
  readonly isClosing: boolean;
  readonly workflows: {
    register(request: { readonly yaml: string; readonly bindings?: unknown }): Promise<{
      readonly workflowId: string;
    }>;
    has(workflowId: string): Promise<boolean>;
    list(): Promise<readonly { readonly workflowId: string }[]>;
  };
  readonly runs: {
    // `never`: an engine's own types are of JSON alone, which an interface of yours need not be.
    start(request: Keyed & { workflowId: string; input: never; sync: boolean }): Promise<RunRecord>;
    get(address: Address): Promise<RunRecord>;
    resume(
      request: Address & Keyed & { snapshotId?: string; budget?: { maxTokens?: number; maxCost?: number } },
    ): Promise<RunRecord>;
    cancel(request: Address & Keyed & { by: Claimed }): Promise<RunRecord>;
    pause(request: Address & Keyed & { by: Claimed }): Promise<RunRecord>;
    messages(request: Address & { afterSeq: number; limit: number }): Promise<{
      readonly messages: readonly RunMessage[];
      readonly next: number | null;
    }>;
  };
  readonly gates: {
    respond(
      request: Address & Keyed & { approved: boolean; responder: string; gateId?: number; comment?: string },
    ): Promise<RunRecord>;
  };
  open(): Promise<void>;
  close(): Promise<void>;
  health(): Promise<{ readonly store: string }>;
  registerUnit(uses: string, handler: UnitHandler): void;
}
