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
/** So little is charged to a workflow later, together with more: most turns are shorter than the charging. */
const CHARGED_FROM_MS = 1;
/** Workflows that are remembered though none of their runs waits. */
const MOST_IDLE = 1_000;

/** Whose runs share what a workflow gets. */
export interface TurnOwner {
  readonly namespace: string;
  readonly workflowId: string;
}

/** What a run, or somebody else who works on the loop, has had of it. One at a time waits for its turn. */
export class TurnAccount {
  /** Ms, from where the one that had least stood when this one came. */
  had = 0;
  /** Ms that its workflow was not charged with yet. */
  uncharged = 0;
  budget = FIRST_BUDGET;

  constructor(readonly owner: TurnOwner) {}
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
  private readonly waiting = new Map<number, () => void>();
  /** Workflows of which a run waits, by what they have had. */
  private queue: DueHeap<string> | null = null;
  private least = 0;
  private ticket = 0;
  /** Null: the loop was at others since the last turn. */
  private stretchEndsAt: number | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Does the work when it is the account's turn: now, where the answer is no promise. */
  take<T>(account: TurnAccount, work: () => T): T | Promise<T> {
    const now = this.now();
    return this.isFree(now)
      ? this.run(account, work, now)
      : this.wait(account, () => this.run(account, work));
  }

  /** As `take`, for a turn that its budget cuts short: the next budget follows from how long this one took. */
  takeWithin<T extends { readonly isCut: boolean }>(
    account: TurnAccount,
    decide: (budget: Budget) => T,
  ): T | Promise<T> {
    const now = this.now();
    return this.isFree(now)
      ? this.runWithin(account, decide, now)
      : this.wait(account, () => this.runWithin(account, decide));
  }

  private isFree(now: number): boolean {
    return this.waiting.size === 0 && this.isInStretch(now);
  }

  private wait<T>(account: TurnAccount, run: () => T): Promise<T> {
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

  private run<T>(account: TurnAccount, work: () => T, begunAt = this.now()): T {
    try {
      return work();
    } finally {
      this.had(account, this.now() - begunAt);
    }
  }

  private runWithin<T extends { readonly isCut: boolean }>(
    account: TurnAccount,
    decide: (budget: Budget) => T,
    begunAt = this.now(),
  ): T {
    try {
      const decided = decide(account.budget);
      if (decided.isCut) account.budget = adapted(account.budget, this.now() - begunAt);
      return decided;
    } finally {
      this.had(account, this.now() - begunAt);
    }
  }

  private had(account: TurnAccount, ms: number): void {
    account.uncharged += ms;
    if (account.uncharged >= CHARGED_FROM_MS) this.charge(account);
  }

  private charge(account: TurnAccount): Workflow {
    const workflow = this.workflowOf(account);
    const { uncharged } = account;
    account.uncharged = 0;
    account.had = Math.max(account.had, workflow.least) + uncharged;
    if (uncharged > 0) workflow.had = Math.max(workflow.had, this.least) + uncharged;
    return workflow;
  }

  /** A stretch begins with the first turn after the loop was at others, and ends when it comes to them again. */
  private isInStretch(now: number): boolean {
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
    this.beginStretch(this.now());
    do this.serveNext();
    while (this.waiting.size > 0 && this.isInStretch(this.now()));
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
    // After its turn, which counts.
    if (workflow.runs !== null) this.queue = withDue(this.queue, workflow.had, queue.id);
  }

  private workflowOf({ owner }: TurnAccount): Workflow {
    const name = nameOf(owner);
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

function nameOf({ namespace, workflowId }: TurnOwner): string {
  return `${namespace}\n${workflowId}`;
}

function adapted(budget: Budget, tookMs: number): Budget {
  const factor = Math.min(2, Math.max(0.25, TURN_MS / Math.max(tookMs, 0.1)));
  const steps = Math.round(Math.min(MOST_STEPS, Math.max(FEWEST_STEPS, budget.steps * factor)));
  return { ...budget, steps };
}
