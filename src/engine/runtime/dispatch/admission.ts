import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { LightestFirst } from './lightest-first.js';
import { RunShare, WorkflowShare } from './shares.js';

/** A workflow takes another place while it weighs less than so many times what is left for all. */
const TIMES_WHAT_IS_LEFT = 3;
/** One place of so many is kept for workflows that hold none, and another one for runs that hold none. */
const PLACES_PER_RESERVED = 10;
const FEWEST_TO_SWEEP = 64;

/**
 * Bounds how many unit executions are in flight in this process, and shares the places among workflows, and among the
 * runs of a workflow. What exceeds the bound waits its turn: it is in the log already, so nothing is lost by waiting.
 *
 * 1. A tenth of the places (one at least, of two or more) is a reserve: a workflow that holds none takes any free
 *    place, every other one leaves the reserve alone.
 * 2. What asks for a place weighs as much as its workflow holds, and a run that holds one itself weighs more by three
 *    tenths of all places. It gets the place while that is less than three times the free places outside the reserve.
 *    So each workflow leaves a quarter of what it found, and each run something for the next of its workflow.
 * 3. Of those that wait the lightest is next, then the run of that workflow that holds the fewest, then the one that
 *    waits longest. Who may not go in although it is the lightest is followed by nobody who may.
 * 4. A call costs a few comparisons while nobody waits, and the logarithm of those who wait otherwise.
 *
 * Of 1,000 places one run gets 600, its workflow 675, three greedy workflows 886; a hundred others still get one each.
 */
export class Admission {
  private free: number;
  private readonly reserved: number;
  private readonly handicap: number;
  private readonly workflows = new Map<string, WorkflowShare>();
  private sweepAt = FEWEST_TO_SWEEP;
  /** Workflows with runs that wait. */
  private readonly waiting = new LightestFirst<WorkflowShare>();
  /** Whom a place is being offered to. */
  private offeredTo: RunShare | null = null;
  private isServing = false;

  constructor(places: number) {
    this.free = places;
    const kept = Math.floor(places / PLACES_PER_RESERVED);
    this.reserved = places < 2 ? 0 : Math.max(1, kept);
    this.handicap = TIMES_WHAT_IS_LEFT * kept;
  }

  /** What the run holds: nothing so far. `onPlace` is called for a place that came free while it waited. */
  shareOf(namespace: string, workflowId: string, onPlace: () => void): RunShare {
    // No id holds a line break.
    const key = namespace === DEFAULT_NAMESPACE ? workflowId : `${namespace}\n${workflowId}`;
    return new RunShare(key, onPlace, this.workflowAt(key));
  }

  /** Takes a place for the run, or has it wait for one. */
  tryEnter(run: RunShare): boolean {
    if (run.workflow.isGone) run.workflow = this.workflowAt(run.workflowKey);
    const { workflow } = run;
    const weight = this.weightOf(workflow, run);
    const first = this.waiting.first;
    const isNext = first === undefined || weight < first.weight || this.offeredTo === run;
    this.offeredTo = null;
    if (!isNext || !this.hasRoomFor(workflow, weight)) {
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

  private hasRoomFor({ held }: WorkflowShare, weight: number): boolean {
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

  /** A run that gives a place back while it is offered one does so in this loop, not in one of its own. */
  private serve(): void {
    if (this.isServing) return;
    this.isServing = true;
    try {
      for (let run = this.next(); run !== null; run = this.next()) {
        this.offeredTo = run;
        run.onPlace();
        this.offeredTo = null;
      }
    } finally {
      this.isServing = false;
    }
  }

  /** Who is to be offered a place waits no more; its workflow does, behind those that weigh the same. */
  private next(): RunShare | null {
    const workflow = this.waiting.first;
    const run = workflow?.waiting.first;
    if (workflow === undefined || run === undefined) return null;
    if (!this.hasRoomFor(workflow, workflow.weight)) return null;
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

  /** Those that hold nothing and wait for nothing go, seldom enough to cost each a step. */
  private sweep(): void {
    for (const [key, workflow] of this.workflows) {
      if (workflow.held > 0 || workflow.index >= 0) continue;
      workflow.isGone = true;
      this.workflows.delete(key);
    }
    this.sweepAt = Math.max(FEWEST_TO_SWEEP, 2 * this.workflows.size);
  }
}
