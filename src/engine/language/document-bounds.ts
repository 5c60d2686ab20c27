/**
 * The size that one document may have. The schema bounds the units (20,000), `read-yaml.ts` the text, its tokens and depth.
 */
export interface DocumentBounds {
  /** Characters of all expressions together, and 16 for each. */
  readonly expressions: number;
  /** Nodes of the flow: units and flows, as often as they are named. */
  readonly flowNodes: number;
  /** Characters of `spec.input` as JSON. */
  readonly inputSchema: number;
  /** Characters of the plan as it is stored. */
  readonly planLength: number;
}

/** The bounds of every workflow; ten thousand ordinary units take a fifth of them. */
export const WORKFLOW_BOUNDS: DocumentBounds = {
  expressions: 1_000_000,
  flowNodes: 25_000,
  inputSchema: 262_144,
  planLength: 16 * 1024 * 1024,
};

/** A workflow exceeds its bounds: nothing more of it is looked at. */
export class BoundsExceeded extends Error {
  constructor(readonly path: string) {
    super('the workflow goes beyond its bounds');
  }
}

/**
 * The bounds of what is compiled on the event loop: some 50 ms at the worst. A document that exceeds them goes to a thread.
 */
export const LOOP_BOUNDS: DocumentBounds = {
  expressions: 16_384,
  flowNodes: 2_500,
  inputSchema: 8_192,
  planLength: WORKFLOW_BOUNDS.planLength,
};

/** No bounds, for documents that were accepted once, by an earlier version. */
export const NO_BOUNDS: DocumentBounds = {
  expressions: Infinity,
  flowNodes: Infinity,
  inputSchema: Infinity,
  planLength: Infinity,
};
