/** How a request came in: what a service must know of it beside its body. */
export interface Arrival {
  readonly via: 'http' | 'mcp';
  /** The header of that name, as it came. */
  readonly idempotencyKey?: unknown;
  /**
   * Who acts, where the host says it (`actor`); null: it knows nobody. Without such an option absent, and what the body
   * claims counts.
   */
  readonly person?: string | null | undefined;
  /** Whose share of what is scarce it takes, as `callerOf` has it. */
  readonly caller?: string | undefined;
  /** How long it waits for its run to stop, in ms, and what ends that earlier. Absent: as the engine waits. */
  readonly waiting?: {
    readonly waitMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  };
  /** Fields of the body that were read on the way: a tool's `workflowId` and `runId`. */
  readonly alreadyRead?: readonly string[];
}

/**
 * What came with a request: its body, or the arguments of a tool. Asked for, and read, only once it is known that what it
 * is about is there: an unknown workflow or run comes before whatever is wrong with the body.
 */
export type BodySource = () => unknown;

/** What a field of the body is called, for whoever sent it. */
export function fieldKind(via: Arrival['via']): string {
  return via === 'mcp' ? 'argument of this tool' : 'field of this body';
}
