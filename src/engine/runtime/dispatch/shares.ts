import { PriorityHeap, type Prioritized } from '../../scheduling/priority-heap.js';

/** The slots that the runs of one workflow hold, and its waiting runs. For the weight see `Admission`. */
export class WorkflowShare implements Prioritized {
  held = 0;
  weight = 0;
  since = 0;
  index = -1;
  /** It was swept because it held nothing: its runs have to look up the current one. */
  isGone = false;
  /** Runs that hold the fewest slots come first. */
  readonly waiting = new PriorityHeap<RunShare>();
}

/** The slots that one run holds. Its weight is how many. */
export class RunShare implements Prioritized {
  weight = 0;
  since = 0;
  index = -1;

  constructor(
    readonly workflowKey: string,
    /** A slot came free, and is offered to the run, which may leave it to the next. */
    readonly onSlot: () => void,
    public workflow: WorkflowShare,
  ) {}

  get isWaiting(): boolean {
    return this.index >= 0;
  }
}
