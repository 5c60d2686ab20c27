import type { DagPositions, Size } from './flow-layout.js';

export interface LayoutQuestion {
  /** Of the dag. */
  readonly path: string;
  readonly sizes: readonly Size[];
  readonly dependencies: readonly (readonly number[])[];
}

export interface LayoutAnswer {
  readonly path: string;
  readonly positions: DagPositions;
}
