/** A gate that waits for a decision, for lists. No text of the author's or the run's: this is never encrypted. */
export interface OpenGate {
  readonly gateId: number;
  readonly unitId: string;
  /** Epoch ms. */
  readonly openedAt: number;
}

/** A gate that was decided, for lists. */
export interface DecidedGate extends OpenGate {
  /** Epoch ms. */
  readonly decidedAt: number;
  /** Seq of the event that says how. */
  readonly decidedSeq: number;
}

/** A gate of any run, as lists find it; its question is in the event of its run whose seq is `gateId`. */
export interface ListedGate extends OpenGate {
  readonly runId: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  /** Null: it waits for a decision. */
  readonly decidedAt: number | null;
  readonly decidedSeq: number | null;
}

/** Where a page of gates ended: `at` is when the gate opened, or, for decided ones, when it was decided. */
export interface GateCursor {
  readonly at: number;
  readonly runId: string;
  readonly gateId: number;
}
