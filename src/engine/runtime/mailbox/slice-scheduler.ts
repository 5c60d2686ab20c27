import type { Budget } from '../../core/turn/limits/budget.js';
import { withDue, withoutEarliest, type DueHeap } from '../../core/state/collections/due-heap.js';

/** A turn that is preempted should have taken about this long. */
const TURN_MS = 20;
/** How long turns follow one another before they yield to the event loop's sockets and timers. */
const SLICE_MS = 10;

/** Event loop iterations between two slices: each accepts only one new connection, and costs two microseconds. */
export const LOOPS_FOR_OTHERS = 64;

/** What a run's first turn may do: about 10 ms of work on a current machine, and the most for one write. */
const FIRST_BUDGET: Budget = { steps: 10_000_000, chars: 2 * 1024 * 1024, events: 5_000 };
const FEWEST_STEPS = 500_000;
const MOST_STEPS = 200_000_000;
/** Less than this is accumulated before it is charged: most turns are shorter than charging takes. */
const CHARGED_FROM_MS = 1;
/** How many workflows are remembered although none of their runs waits. */
const MOST_IDLE = 1_000;

/** The workflow whose runs share its part of the event loop. */
export interface SliceOwner {
  readonly namespace: string;
  readonly workflowId: string;
}

/** How much of the event loop a run, or other work, has used. At most one piece of work of it waits at a time. */
export class SliceAccount {
  /** Ms of event loop time used, on top of the minimum at the time that this account joined. */
  had = 0;
  /** Ms not yet charged to its workflow. */
  uncharged = 0;
  budget = FIRST_BUDGET;

  constructor(readonly owner: SliceOwner) {}
}

interface DecidedTurn {
  readonly isPreempted: boolean;
  /** The units that the turn left to execute, because its budget was spent. Absent: none. */
  readonly pureBacklog?: readonly unknown[];
  /** Something else than the core had its part in how long the turn took. Default: nothing. */
  readonly isMixed?: boolean;
}

/** Decides within the budget. `isOver`: the turn has taken as long as one should, whatever of its budget is left. */
type Turn<T> = (budget: Budget, isOver: () => boolean) => T;

interface Workflow {
  had: number;
  /** The time used by the run served last. A run that joins begins there, or idle time would count as credit. */
  least: number;
  /** Tickets of its waiting runs, by the time that they have used. */
  runs: DueHeap<number> | null;
}

/**
 * Shares the event loop. Everything that may take long on it is done in slices: a run's decisions in turns that are
 * preempted after about 20 ms, the loading of a long log page by page.
 *
 * 1. While nothing waits, work begins at once; after a slice of 10 ms it yields to the event loop.
 * 2. The waiting workflow that has used the least time is served next, and of its runs the one that has used the least:
 *    a thousand greedy runs of one workflow take no more from another workflow than one run does.
 * 3. A workflow or run that joins begins at the current minimum: it is served soon, and idle time is no credit.
 * 4. The budget of a run's turns adapts to how long its turns took: the core counts its work, and only here is a clock.
 */
export class SliceScheduler {
  private readonly workflows = new Map<string, Workflow>();
  private readonly waiting = new Map<number, () => void>();
  /** Workflows with a waiting run, by the time that they have used. */
  private queue: DueHeap<string> | null = null;
  private least = 0;
  private ticket = 0;
  /** Null: the event loop served others since the last slice. */
  private sliceEndsAt: number | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Does the work when the account is served: at once, where the result is no promise. */
  take<T>(account: SliceAccount, work: () => T): T | Promise<T> {
    const now = this.now();
    return this.isFree(now)
      ? this.run(account, work, now)
      : this.wait(account, () => this.run(account, work));
  }

  /** As `take`, for a turn that its budget preempts: the next budget follows from how long this one took. */
  takeWithin<T extends DecidedTurn>(account: SliceAccount, decide: Turn<T>): T | Promise<T> {
    const now = this.now();
    return this.isFree(now)
      ? this.runWithin(account, decide, now)
      : this.wait(account, () => this.runWithin(account, decide));
  }

  private isFree(now: number): boolean {
    return this.waiting.size === 0 && this.isInSlice(now);
  }

  private wait<T>(account: SliceAccount, run: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.enqueue(account, () => {
        try {
          resolve(run());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  private run<T>(account: SliceAccount, work: () => T, begunAt = this.now()): T {
    try {
      return work();
    } finally {
      this.had(account, this.now() - begunAt);
    }
  }

  private runWithin<T extends DecidedTurn>(account: SliceAccount, decide: Turn<T>, begunAt = this.now()): T {
    try {
      const decided = decide(account.budget, () => this.now() - begunAt >= TURN_MS);
      const tookMs = this.now() - begunAt;
      // What else had its part took time, too: the core had at most so much, and may be given more.
      const isTold = decided.isMixed !== true || tookMs < TURN_MS;
      if (wasCut(decided) && isTold) account.budget = adapted(account.budget, tookMs);
      return decided;
    } finally {
      this.had(account, this.now() - begunAt);
    }
  }

  private had(account: SliceAccount, ms: number): void {
    account.uncharged += ms;
    if (account.uncharged >= CHARGED_FROM_MS) this.charge(account);
  }

  private charge(account: SliceAccount): Workflow {
    const workflow = this.workflowOf(account);
    const { uncharged } = account;
    account.uncharged = 0;
    account.had = Math.max(account.had, workflow.least) + uncharged;
    if (uncharged > 0) workflow.had = Math.max(workflow.had, this.least) + uncharged;
    return workflow;
  }

  /** A slice begins with the first work after the event loop served others, and ends when it serves them again. */
  private isInSlice(now: number): boolean {
    if (this.sliceEndsAt === null) this.beginSlice(now);
    return now < (this.sliceEndsAt ?? now);
  }

  private beginSlice(now: number): void {
    this.sliceEndsAt = now + SLICE_MS;
    setImmediate(() => this.leaveLoop(LOOPS_FOR_OTHERS));
  }

  /** Lets the event loop go round for others before the waiting work is served. */
  private leaveLoop(times: number): void {
    this.sliceEndsAt = null;
    if (this.waiting.size === 0) return;
    if (times > 1) setImmediate(() => this.leaveLoop(times - 1));
    else this.serve();
  }

  private enqueue(account: SliceAccount, go: () => void): void {
    const workflow = this.charge(account);
    this.ticket += 1;
    this.waiting.set(this.ticket, go);
    if (workflow.runs === null) {
      workflow.had = Math.max(workflow.had, this.least);
      this.queue = withDue(this.queue, workflow.had, nameOf(account.owner));
    }
    workflow.runs = withDue(workflow.runs, account.had, this.ticket);
  }

  private serve(): void {
    this.beginSlice(this.now());
    do this.serveNext();
    while (this.waiting.size > 0 && this.isInSlice(this.now()));
    if (this.waiting.size === 0) this.forgetIdle();
  }

  private serveNext(): void {
    const { queue } = this;
    const workflow = queue === null ? undefined : this.workflows.get(queue.id);
    if (queue === null || workflow === undefined || workflow.runs === null) return;
    const { id: ticket, dueAt: had } = workflow.runs;
    this.queue = withoutEarliest(queue);
    this.least = Math.max(this.least, queue.dueAt);
    workflow.runs = withoutEarliest(workflow.runs);
    workflow.least = Math.max(workflow.least, had);
    const next = this.waiting.get(ticket);
    this.waiting.delete(ticket);
    next?.();
    // Requeued after its turn, so that the time of that turn counts.
    if (workflow.runs !== null) this.queue = withDue(this.queue, workflow.had, queue.id);
  }

  private workflowOf({ owner }: SliceAccount): Workflow {
    const name = nameOf(owner);
    const known = this.workflows.get(name);
    if (known !== undefined) return known;
    const workflow: Workflow = { had: this.least, least: 0, runs: null };
    this.workflows.set(name, workflow);
    return workflow;
  }

  /** Nothing waits, so no workflow is owed time. A few are kept, because greedy ones will be back at once. */
  private forgetIdle(): void {
    if (this.workflows.size > MOST_IDLE) this.workflows.clear();
  }
}

function nameOf({ namespace, workflowId }: SliceOwner): string {
  return `${namespace}\n${workflowId}`;
}

function wasCut({ isPreempted, pureBacklog }: DecidedTurn): boolean {
  return isPreempted || (pureBacklog !== undefined && pureBacklog.length > 0);
}

function adapted(budget: Budget, tookMs: number): Budget {
  const factor = Math.min(2, Math.max(0.25, TURN_MS / Math.max(tookMs, 0.1)));
  const steps = Math.round(Math.min(MOST_STEPS, Math.max(FEWEST_STEPS, budget.steps * factor)));
  return { ...budget, steps };
}
