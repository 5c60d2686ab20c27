import type { RunBudget } from './options.js';
import type { UnitHandler } from './types/units.js';
import type { Health, MemorySearch, MessagePage, RunRecord } from './types/records.js';
import type { UsesBindings } from './types/bindings.js';

export interface RunAddress {
  readonly workflowId: string;
  readonly runId: string;
}

interface Keyed {
  readonly idempotencyKey: string | undefined;
}

/** What the client asks of a service or of an engine. All rejections are errors of the client; `signal` ends the work. */
export interface Backend {
  register(
    request: { readonly yaml: string; readonly bindings: UsesBindings | undefined },
    signal: AbortSignal,
  ): Promise<{ readonly workflowId: string }>;
  start(
    request: Keyed & { readonly workflowId: string; readonly input: object; readonly sync: boolean },
    signal: AbortSignal,
  ): Promise<RunRecord>;
  get(address: RunAddress, signal: AbortSignal): Promise<RunRecord>;
  resume(
    request: RunAddress &
      Keyed & { readonly snapshotId: string | undefined; readonly budget: RunBudget | undefined },
    signal: AbortSignal,
  ): Promise<RunRecord>;
  cancel(request: RunAddress & Keyed & { readonly by: string }, signal: AbortSignal): Promise<RunRecord>;
  pause(request: RunAddress & Keyed & { readonly by: string }, signal: AbortSignal): Promise<RunRecord>;
  respond(
    request: RunAddress &
      Keyed & {
        readonly approved: boolean;
        readonly responder: string;
        readonly gateId: number | undefined;
        readonly comment: string | undefined;
      },
    signal: AbortSignal,
  ): Promise<RunRecord>;
  messages(
    request: RunAddress & { readonly after: string | undefined; readonly limit: number | undefined },
    signal: AbortSignal,
  ): Promise<MessagePage>;
  search(
    request: { readonly query: string; readonly topK: number },
    signal: AbortSignal,
  ): Promise<MemorySearch>;
  health(signal: AbortSignal): Promise<Health>;
  registerUnit(uses: string, handler: UnitHandler): void;
  close(): Promise<void>;
  /** The sentence for a call that took too long. */
  silence(timeoutMs: number): string;
}
