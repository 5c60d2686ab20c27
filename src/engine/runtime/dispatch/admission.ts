import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { PriorityHeap } from '../../scheduling/priority-heap.js';
import { RunShare, WorkflowShare } from './shares.js';

/** A workflow takes another slot while it weighs less than this many times the free slots outside the reserve. */
const TIMES_WHAT_IS_LEFT = 3;
/** One slot in this many is reserved for workflows that hold none, and another one for runs that hold none. */
const SLOTS_PER_RESERVED = 10;
const FEWEST_TO_SWEEP = 64;

/**
 * Bounds how many unit executions are in flight in this process, and shares the slots among workflows, and among the
 * runs of a workflow. What exceeds the bound is queued: it is in the log already, so nothing is lost by waiting.
 *
 * 1. A tenth of the slots (at least one, of two or more) is a reserve: a workflow that holds none takes any free slot,
 *    every other one leaves the reserve alone.
 * 2. A request for a slot weighs as much as its workflow holds, and three tenths of all slots more if its run holds one
 *    itself. It is admitted while that is less than three times the free slots outside the reserve. So each workflow
 *    leaves a quarter of what it found, and each run something for the next of its workflow.
 * 3. The lightest waiting workflow is next, and of its runs the one that holds the fewest slots, then the one that waits
 *    longest. If the lightest may not be admitted, no other may either.
 * 4. A call costs a few comparisons while nothing waits, and otherwise the logarithm of the number waiting.
 *
 * Of 1,000 slots one run gets 600, its workflow 675, three greedy workflows 886; a hundred others still get one each.
 */
export class Admission {
  private free: number;
  private readonly reserved: number;
  private readonly handicap: number;
  private readonly workflows = new Map<string, WorkflowShare>();
  private sweepAt = FEWEST_TO_SWEEP;
  /** Workflows with waiting runs. */
  private readonly waiting = new PriorityHeap<WorkflowShare>();
  /** The run that a slot is being offered to. */
  private offeredTo: RunShare | null = null;
  private isServing = false;

  constructor(capacity: number) {
    this.free = capacity;
    const kept = Math.floor(capacity / SLOTS_PER_RESERVED);
    this.reserved = capacity < 2 ? 0 : Math.max(1, kept);
    this.handicap = TIMES_WHAT_IS_LEFT * kept;
  }

  /** A share for the run, which holds nothing so far. `onSlot` is called for a slot that came free while it waited. */
  shareOf(namespace: string, workflowId: string, onSlot: () => void): RunShare {
    // No id holds a line break.
    const key = namespace === DEFAULT_NAMESPACE ? workflowId : `${namespace}\n${workflowId}`;
    return new RunShare(key, onSlot, this.workflowAt(key));
  }

  /** Takes a slot for the run, or queues the run. */
  tryEnter(run: RunShare): boolean {
    if (run.workflow.isGone) run.workflow = this.workflowAt(run.workflowKey);
    const { workflow } = run;
    const weight = this.weightOf(workflow, run);
    const first = this.waiting.first;
    const isNext = first === undefined || weight < first.weight || this.offeredTo === run;
    this.offeredTo = null;
    if (!isNext || !this.hasCapacityFor(workflow, weight)) {
      this.wait(run);
      return false;
    }
    this.free -= 1;
    this.change(run, 1);
    return true;
  }

  leave(run: RunShare): void {
    this.free += 1;
    this.change(run, -1);
    this.serve();
  }

  private hasCapacityFor({ held }: WorkflowShare, weight: number): boolean {
    if (this.free <= 0) return false;
    return held === 0 || weight < TIMES_WHAT_IS_LEFT * (this.free - this.reserved);
  }

  private weightOf({ held }: WorkflowShare, run: RunShare): number {
    return run.weight === 0 ? held : held + this.handicap;
  }

  private change(run: RunShare, by: 1 | -1): void {
    const { workflow } = run;
    workflow.held += by;
    if (run.isWaiting) workflow.waiting.reweigh(run, run.weight + by);
    else run.weight += by;
    if (workflow.index >= 0) this.reweigh(workflow);
  }

  private reweigh(workflow: WorkflowShare): void {
    const run = workflow.waiting.first;
    if (run !== undefined) this.waiting.reweigh(workflow, this.weightOf(workflow, run));
  }

  private wait(run: RunShare): void {
    if (run.isWaiting) return;
    const { workflow } = run;
    workflow.waiting.add(run);
    if (workflow.index < 0) {
      workflow.weight = this.weightOf(workflow, run);
      this.waiting.add(workflow);
    } else this.reweigh(workflow);
  }

  /** A slot that is given back during an offer is offered by this loop, not by a nested one. */
  private serve(): void {
    if (this.isServing) return;
    this.isServing = true;
    try {
      for (let run = this.next(); run !== null; run = this.next()) {
        this.offeredTo = run;
        run.onSlot();
        this.offeredTo = null;
      }
    } finally {
      this.isServing = false;
    }
  }

  /** Dequeues the run that is offered a slot next; its workflow is requeued after those of the same weight. */
  private next(): RunShare | null {
    const workflow = this.waiting.first;
    const run = workflow?.waiting.first;
    if (workflow === undefined || run === undefined) return null;
    if (!this.hasCapacityFor(workflow, workflow.weight)) return null;
    workflow.waiting.remove(run);
    this.waiting.remove(workflow);
    const another = workflow.waiting.first;
    if (another !== undefined) {
      workflow.weight = this.weightOf(workflow, another);
      this.waiting.add(workflow);
    }
    return run;
  }

  private workflowAt(key: string): WorkflowShare {
    const known = this.workflows.get(key);
    if (known !== undefined) return known;
    if (this.workflows.size >= this.sweepAt) this.sweep();
    const workflow = new WorkflowShare();
    this.workflows.set(key, workflow);
    return workflow;
  }

  /** Removes workflows that hold nothing and wait for nothing; rare enough to cost amortised constant time. */
  private sweep(): void {
    for (const [key, workflow] of this.workflows) {
      if (workflow.held > 0 || workflow.index >= 0) continue;
      workflow.isGone = true;
      this.workflows.delete(key);
    }
    this.sweepAt = Math.max(FEWEST_TO_SWEEP, 2 * this.workflows.size);
  }
}
