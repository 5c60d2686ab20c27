import type { ActingEngine } from '../../engine/index.js';

/** What a service must know of a request besides its body. */
export interface RequestContext {
  readonly via: 'http' | 'mcp';
  /** The engine as whoever sends the request may use it: services reach runs, workflows, gates and memory by it alone. */
  readonly engine: ActingEngine;
  /** The `Idempotency-Key` header, as it came. */
  readonly idempotencyKey?: unknown;
  /**
   * The principal, if the host names one (`actor`); null: the host knows none. Absent without that option; then the
   * body's name counts, unless the engine has an actor, who always counts.
   */
  readonly principal?: string | null | undefined;
  /** The caller whose share of scarce resources the request uses, as `callerOf` determines it. */
  readonly caller?: string | undefined;
  /**
   * How long the request waits for its run to stop, in ms, and a signal that ends the waiting. Absent: the engine's
   * default.
   */
  readonly waiting?: {
    readonly waitMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    /** In place of what the request says: an open gate ends the waiting, too, because the caller asks a person then. */
    readonly syncUntil?: 'gate';
  };
  /** Fields of the body that were already read: a tool's `workflowId` and `runId`. */
  readonly alreadyRead?: readonly string[];
}

/**
 * What came with a request: its body, or the arguments of a tool. It is read only once it is known that its subject
 * exists: an unknown workflow or run takes precedence over faults in the body.
 */
export type BodySource = () => unknown;

/** Whether the name in a body counts: nobody else knows who sends the request. */
export function isNameClaimed({ engine, principal }: Pick<RequestContext, 'engine' | 'principal'>): boolean {
  return engine.actor === null && principal === undefined;
}

/** What messages to the sender call a field of the body. */
export function fieldKind(via: RequestContext['via']): string {
  return via === 'mcp' ? 'argument of this tool' : 'field of this body';
}
