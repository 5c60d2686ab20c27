import { LightestFirst, type Weighed } from './lightest-first.js';

/** What the runs of one workflow hold of the places, and which of them wait. Its weight: see `Admission`. */
export class WorkflowShare implements Weighed {
  held = 0;
  weight = 0;
  since = 0;
  index = -1;
  /** It was let go for holding nothing: a run of it asks for the present one. */
  isGone = false;
  /** Those that hold the fewest come first. */
  readonly waiting = new LightestFirst<RunShare>();
}

/** What one run holds of the places. Its weight is how many. */
export class RunShare implements Weighed {
  weight = 0;
  since = 0;
  index = -1;

  constructor(
    readonly workflowKey: string,
    /** A place came free, and is for it; it may leave it to the next. */
    readonly onPlace: () => void,
    public workflow: WorkflowShare,
  ) {}

  get isWaiting(): boolean {
    return this.index >= 0;
  }
}
