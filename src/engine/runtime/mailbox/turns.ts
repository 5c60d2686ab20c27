import type { Budget } from '../../core/turn/budget.js';
import { withDue, withoutEarliest, type DueHeap } from '../../core/state/due-heap.js';

/** A turn that is cut short should have taken about so long. */
const TURN_MS = 20;
/** Turns follow one another for so long before sockets and timers get the loop. */
const STRETCH_MS = 10;

/** How often it goes round for them between two stretches: each time it takes in one new connection, and no more. */
const LOOPS_FOR_OTHERS = 16;

/** What a run's first turn may do: about 10 ms of work on a machine of today, and no more in one write. */
const FIRST_BUDGET: Budget = { steps: 10_000_000, chars: 2 * 1024 * 1024, events: 5_000 };
const FEWEST_STEPS = 500_000;
const MOST_STEPS = 200_000_000;
/** Workflows that are remembered though none of their runs waits. */
const MOST_IDLE = 1_000;

/** What a run, or somebody else who works on the loop, has had of it. One at a time waits for its turn. */
export interface TurnAccount {
  /** Those of one workflow share what the workflow gets. */
  readonly workflow: string;
  /** Ms, from where the one that had least stood when this one came. */
  had: number;
  budget: Budget;
}

export function turnAccount(workflow: string): TurnAccount {
  return { workflow, had: 0, budget: FIRST_BUDGET };
}

interface Waiting {
  readonly account: TurnAccount;
  readonly go: () => void;
}

interface Workflow {
  had: number;
  /** What the one that had its turn last had had: who comes anew begins there, or idling would be saved up. */
  least: number;
  /** Tickets of its runs, by what they have had. */
  runs: DueHeap<number> | null;
}

/**
 * Whose turn it is. Everything that may take long on the event loop is done in turns: a run's decisions in turns that
 * are cut short after about 20 ms, the loading of a long log page by page.
 *
 * 1. While nobody waits, a turn begins at once; after 10 ms of turns the loop is left to sockets and timers.
 * 2. Of those that wait, the workflow is served that has had the least time, and of its runs the one that has: a
 *    thousand greedy runs of one workflow take no more from another than one does.
 * 3. Whoever comes anew begins where the one that had least stands: it is served soon, and has nothing saved up.
 * 4. The budget of a run's turns follows what its turns took: the core counts its work, and only here is a clock.
 */
export class Turns {
  private readonly workflows = new Map<string, Workflow>();
  private readonly waiting = new Map<number, Waiting>();
  /** Workflows of which a run waits, by what they have had. */
  private queue: DueHeap<string> | null = null;
  private least = 0;
  private ticket = 0;
  /** Null: the loop was at others since the last turn. */
  private stretchEndsAt: number | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Does the work when it is the account's turn: now, where the answer is no promise. */
  take<T>(account: TurnAccount, work: () => T): T | Promise<T> {
    if (this.waiting.size === 0 && this.isInStretch()) return this.run(account, work);
    return new Promise((resolve, reject) => {
      this.enqueue(account, () => {
        try {
          resolve(this.run(account, work));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  /** As `take`, for a turn that its budget cuts short: the next budget follows from how long this one took. */
  takeWithin<T extends { readonly isCut: boolean }>(
    account: TurnAccount,
    decide: (budget: Budget) => T,
  ): T | Promise<T> {
    return this.take(account, () => {
      const before = this.now();
      const decided = decide(account.budget);
      if (decided.isCut) account.budget = adapted(account.budget, this.now() - before);
      return decided;
    });
  }

  private run<T>(account: TurnAccount, work: () => T): T {
    const before = this.now();
    try {
      return work();
    } finally {
      this.charge(account, this.now() - before);
    }
  }

  private charge(account: TurnAccount, ms: number): void {
    const workflow = this.workflowOf(account);
    account.had = Math.max(account.had, workflow.least) + ms;
    workflow.had = Math.max(workflow.had, this.least) + ms;
  }

  /** A stretch begins with the first turn after the loop was at others, and ends when it comes to them again. */
  private isInStretch(): boolean {
    const now = this.now();
    if (this.stretchEndsAt === null) this.beginStretch(now);
    return now < (this.stretchEndsAt ?? now);
  }

  private beginStretch(now: number): void {
    this.stretchEndsAt = now + STRETCH_MS;
    setImmediate(() => this.leaveLoop(LOOPS_FOR_OTHERS));
  }

  /** The loop goes round for others before those that wait here are served. */
  private leaveLoop(times: number): void {
    this.stretchEndsAt = null;
    if (this.waiting.size === 0) return;
    if (times > 1) setImmediate(() => this.leaveLoop(times - 1));
    else this.serve();
  }

  private enqueue(account: TurnAccount, go: () => void): void {
    const workflow = this.workflowOf(account);
    this.ticket += 1;
    this.waiting.set(this.ticket, { account, go });
    account.had = Math.max(account.had, workflow.least);
    if (workflow.runs === null) {
      workflow.had = Math.max(workflow.had, this.least);
      this.queue = withDue(this.queue, workflow.had, account.workflow);
    }
    workflow.runs = withDue(workflow.runs, account.had, this.ticket);
  }

  private serve(): void {
    this.beginStretch(this.now());
    do this.serveNext();
    while (this.waiting.size > 0 && this.isInStretch());
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
    next?.go();
    // After its turn, which counts.
    if (workflow.runs !== null) this.queue = withDue(this.queue, workflow.had, queue.id);
  }

  private workflowOf({ workflow: name }: TurnAccount): Workflow {
    const known = this.workflows.get(name);
    if (known !== undefined) return known;
    const workflow: Workflow = { had: this.least, least: 0, runs: null };
    this.workflows.set(name, workflow);
    return workflow;
  }

  /** Nobody waits, so nobody is owed anything; kept while they are few, for greedy ones that will be back at once. */
  private forgetIdle(): void {
    if (this.workflows.size > MOST_IDLE) this.workflows.clear();
  }
}

function adapted(budget: Budget, tookMs: number): Budget {
  const factor = Math.min(2, Math.max(0.25, TURN_MS / Math.max(tookMs, 0.1)));
  const steps = Math.round(Math.min(MOST_STEPS, Math.max(FEWEST_STEPS, budget.steps * factor)));
  return { ...budget, steps };
}
