import { PriorityHeap } from '../../scheduling/queues/priority-heap.js';
import { leavesAQuarter, TIMES_WHAT_IS_LEFT } from '../../scheduling/shares/what-is-left.js';
import { NamespaceShare, OwnerShare, RunShare, WorkflowShare, type RunOwner } from './shares.js';

/** One slot in this many is reserved for workflows that hold none, and another one for runs that hold none. */
const SLOTS_PER_RESERVED = 10;
const FEWEST_TO_SWEEP = 64;

export interface AdmissionOptions {
  /** Whether no namespace may take what would be left for another one. Default false. */
  readonly areNamespacesApart?: boolean;
}

/**
 * Bounds how many unit executions are in flight in this process, and shares the slots among namespaces, the owners of runs, their
 * workflows, and the runs of a workflow. What exceeds the bound is queued: it is in the log already, so nothing is lost by waiting.
 *
 * 1. A tenth of the slots (at least one, of two or more) is a reserve: a workflow that holds none takes any free slot,
 *    every other one leaves the reserve alone.
 * 2. A request for a slot weighs as much as its workflow holds, and three tenths of all slots more if its run holds one
 *    itself. It is admitted while that is less than three times the free slots outside the reserve. So each workflow
 *    leaves a quarter of what it found, and each run something for the next of its workflow.
 * 3. Where namespaces are to be kept apart, each leaves a quarter of what it found as well, whatever its workflows are; the first
 *    slot of a namespace may be any free one.
 * 4. Of those that may be admitted, the namespace that holds the fewest is next, of its owners the one that holds the fewest, then
 *    the lightest workflow, and of its runs the one that holds the fewest slots, then the one that waits longest.
 * 5. A call costs a few comparisons while nothing waits, and otherwise the logarithm of the number waiting; where what is next may
 *    not be admitted, one for each owner that waits besides.
 *
 * Of 1,000 slots one run gets 600, its workflow 675, three greedy workflows 886; a hundred others still get one each.
 */
export class Admission {
  private free: number;
  private readonly reserved: number;
  private readonly handicap: number;
  private readonly areNamespacesApart: boolean;
  private readonly namespaces = new Map<string, NamespaceShare>();
  private readonly owners = new Map<string, OwnerShare>();
  private readonly workflows = new Map<string, WorkflowShare>();
  private sweepAt = FEWEST_TO_SWEEP;
  /** Namespaces with waiting runs. */
  private readonly waiting = new PriorityHeap<NamespaceShare>();
  /** The run that a slot is being offered to. */
  private offeredTo: RunShare | null = null;
  private isServing = false;

  constructor(capacity: number, { areNamespacesApart = false }: AdmissionOptions = {}) {
    this.free = capacity;
    const kept = Math.floor(capacity / SLOTS_PER_RESERVED);
    this.reserved = capacity < 2 ? 0 : Math.max(1, kept);
    this.handicap = TIMES_WHAT_IS_LEFT * kept;
    this.areNamespacesApart = areNamespacesApart;
  }

  /** A share for the run, which holds nothing so far. `onSlot` is called for a slot that came free while it waited. */
  shareOf(of: RunOwner, onSlot: () => void): RunShare {
    return new RunShare(of, onSlot, this.workflowAt(of));
  }

  /** Takes a slot for the run, or queues the run. */
  tryEnter(run: RunShare): boolean {
    if (run.workflow.isGone) run.workflow = this.workflowAt(run.of);
    const { workflow } = run;
    const weight = this.weightOf(workflow, run);
    const isOffered = this.offeredTo === run;
    this.offeredTo = null;
    if (!this.mayHold(workflow, weight) || !(isOffered || this.isNext(workflow, weight))) {
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

  private isNext(workflow: WorkflowShare, weight: number): boolean {
    const first = this.firstWaiting();
    return first === null || isLighter(workflow, weight, first);
  }

  private mayHold({ held, owner }: WorkflowShare, weight: number): boolean {
    if (this.free <= 0) return false;
    const { namespace } = owner;
    if (this.areNamespacesApart && !leavesAQuarter(namespace.held, this.free)) return false;
    return held === 0 || weight < TIMES_WHAT_IS_LEFT * (this.free - this.reserved);
  }

  private weightOf({ held }: WorkflowShare, run: RunShare): number {
    return run.weight === 0 ? held : held + this.handicap;
  }

  private change(run: RunShare, by: 1 | -1): void {
    const { workflow } = run;
    const { owner } = workflow;
    const { namespace } = owner;
    workflow.held += by;
    owner.held += by;
    namespace.held += by;
    if (run.isWaiting) workflow.waiting.reweigh(run, run.weight + by);
    else run.weight += by;
    if (workflow.index >= 0) this.reweigh(workflow);
    reweighHeld(namespace.waiting, owner);
    reweighHeld(this.waiting, namespace);
  }

  private reweigh(workflow: WorkflowShare): void {
    const run = workflow.waiting.first;
    if (run !== undefined) workflow.owner.waiting.reweigh(workflow, this.weightOf(workflow, run));
  }

  private wait(run: RunShare): void {
    if (run.isWaiting) return;
    const { workflow } = run;
    workflow.waiting.add(run);
    if (workflow.index < 0) this.queue(workflow, run);
    else this.reweigh(workflow);
  }

  private queue(workflow: WorkflowShare, first: RunShare): void {
    const { owner } = workflow;
    const { namespace } = owner;
    workflow.weight = this.weightOf(workflow, first);
    owner.waiting.add(workflow);
    if (owner.index < 0) addHeld(namespace.waiting, owner);
    if (namespace.index < 0) addHeld(this.waiting, namespace);
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

  /** Dequeues the run that is offered a slot next; what it belongs to is requeued after what weighs the same. */
  private next(): RunShare | null {
    const workflow = this.firstWaiting();
    const run = workflow?.waiting.first;
    if (workflow === null || run === undefined) return null;
    const { owner } = workflow;
    const { namespace } = owner;
    workflow.waiting.remove(run);
    owner.waiting.remove(workflow);
    namespace.waiting.remove(owner);
    this.waiting.remove(namespace);
    const another = workflow.waiting.first;
    if (another !== undefined) this.queue(workflow, another);
    if (owner.index < 0 && owner.waiting.size > 0) addHeld(namespace.waiting, owner);
    if (namespace.index < 0 && namespace.waiting.size > 0) addHeld(this.waiting, namespace);
    return run;
  }

  /** The workflow whose run is next of those that may be admitted; null: none may. */
  private firstWaiting(): WorkflowShare | null {
    if (this.free <= 0) return null;
    const first = this.waiting.first?.waiting.first?.waiting.first;
    if (first === undefined) return null;
    if (this.mayHold(first, first.weight)) return first;
    // Of one owner, none may be admitted if the lightest may not; others hold more in all, and maybe less of what counts.
    let next: WorkflowShare | null = null;
    for (const namespace of this.waiting) {
      for (const { waiting } of namespace.waiting) {
        const lightest = waiting.first;
        if (lightest === undefined || !this.mayHold(lightest, lightest.weight)) continue;
        if (next === null || isLighter(lightest, lightest.weight, next)) next = lightest;
      }
    }
    return next;
  }

  private workflowAt({ namespace, owner, workflowId }: RunOwner): WorkflowShare {
    // None of the three holds a line break.
    const ownerKey = `${namespace}\n${owner ?? ''}`;
    const key = `${ownerKey}\n${workflowId}`;
    const known = this.workflows.get(key);
    if (known !== undefined) return known;
    if (this.workflows.size >= this.sweepAt) this.sweep();
    const workflow = new WorkflowShare(key, this.ownerAt(ownerKey, namespace));
    this.workflows.set(key, workflow);
    return workflow;
  }

  private ownerAt(key: string, namespaceKey: string): OwnerShare {
    const known = this.owners.get(key);
    if (known !== undefined) return known;
    const namespace = this.namespaces.get(namespaceKey) ?? new NamespaceShare(namespaceKey);
    this.namespaces.set(namespaceKey, namespace);
    const owner = new OwnerShare(key, namespace);
    this.owners.set(key, owner);
    return owner;
  }

  /** Removes what holds nothing and waits for nothing; rare enough to cost amortised constant time. */
  private sweep(): void {
    for (const workflow of this.workflows.values()) {
      if (workflow.held > 0 || workflow.index >= 0) continue;
      workflow.isGone = true;
      this.workflows.delete(workflow.key);
    }
    const owners = new Set<OwnerShare>();
    const namespaces = new Set<NamespaceShare>();
    for (const { owner } of this.workflows.values()) {
      owners.add(owner);
      namespaces.add(owner.namespace);
    }
    for (const owner of this.owners.values()) if (!owners.has(owner)) this.owners.delete(owner.key);
    for (const namespace of this.namespaces.values())
      if (!namespaces.has(namespace)) this.namespaces.delete(namespace.key);
    this.sweepAt = Math.max(FEWEST_TO_SWEEP, 2 * this.workflows.size);
  }
}

type HeldShare = NamespaceShare | OwnerShare;

function addHeld<Share extends HeldShare>(heap: PriorityHeap<Share>, share: Share): void {
  share.weight = share.held;
  heap.add(share);
}

function reweighHeld<Share extends HeldShare>(heap: PriorityHeap<Share>, share: Share): void {
  if (share.index >= 0) heap.reweigh(share, share.held);
}

/** Whether the workflow comes before one that waits. */
function isLighter({ owner }: WorkflowShare, weight: number, waiting: WorkflowShare): boolean {
  const { owner: other } = waiting;
  const byNamespace = owner.namespace.held - other.namespace.held;
  if (byNamespace !== 0) return byNamespace < 0;
  const byOwner = owner.held - other.held;
  return byOwner === 0 ? weight < waiting.weight : byOwner < 0;
}
