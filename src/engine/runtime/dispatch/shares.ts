import { PriorityHeap, type Prioritized } from '../../scheduling/queues/priority-heap.js';

/** The slots that the runs of a namespace hold, and its owners with waiting runs. Its weight is how many. */
export class NamespaceShare implements Prioritized {
  held = 0;
  weight = 0;
  since = 0;
  index = -1;
  readonly waiting = new PriorityHeap<OwnerShare>();

  constructor(readonly key: string) {}
}

/** The slots that the runs which one owner started in a namespace hold, and its workflows with waiting runs. Its weight is how many. */
export class OwnerShare implements Prioritized {
  held = 0;
  weight = 0;
  since = 0;
  index = -1;
  readonly waiting = new PriorityHeap<WorkflowShare>();

  constructor(
    readonly key: string,
    readonly namespace: NamespaceShare,
  ) {}
}

/** The slots that an owner's runs of one workflow hold, and those of them that wait. For the weight see `Admission`. */
export class WorkflowShare implements Prioritized {
  held = 0;
  weight = 0;
  since = 0;
  index = -1;
  /** It was swept because it held nothing: its runs have to look up the current one. */
  isGone = false;
  /** Runs that hold the fewest slots come first. */
  readonly waiting = new PriorityHeap<RunShare>();

  constructor(
    readonly key: string,
    readonly owner: OwnerShare,
  ) {}
}

/** Whose share of the slots a run uses. */
export interface RunOwner {
  readonly namespace: string;
  /** Null: nobody who was authenticated. */
  readonly owner: string | null;
  readonly workflowId: string;
}

/** The slots that one run holds. Its weight is how many. */
export class RunShare implements Prioritized {
  weight = 0;
  since = 0;
  index = -1;

  constructor(
    readonly of: RunOwner,
    /** A slot came free, and is offered to the run, which may leave it to the next. */
    readonly onSlot: () => void,
    public workflow: WorkflowShare,
  ) {}

  get isWaiting(): boolean {
    return this.index >= 0;
  }
}
