import type { Budget } from '../../core/turn/limits/budget.js';
import { SharedTime, TimeShare } from './time-share.js';

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
/** How many workflows at least are remembered although none of their runs waits. */
const MOST_IDLE = 1_000;

/** Whose part of the event loop runs share: a namespace's, in it that of whoever started them, and of these that of the workflow. */
export interface SliceOwner {
  readonly namespace: string;
  /** Null: nobody who was authenticated. */
  readonly owner: string | null;
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

type Workflow = TimeShare<number>;
type Owner = SharedTime<Workflow>;
type Namespace = SharedTime<Owner>;

/** From the namespace down. */
interface Shares {
  readonly namespace: Namespace;
  readonly owner: Owner;
  readonly workflow: Workflow;
}

/**
 * Shares the event loop. Everything that may take long on it is done in slices: a run's decisions in turns that are
 * preempted after about 20 ms, the loading of a long log page by page.
 *
 * 1. While nothing waits, work begins at once; after a slice of 10 ms it yields to the event loop.
 * 2. The waiting namespace that has used the least time is served next, of its owners the one that has used the least, and so on to
 *    workflows and runs: a thousand greedy runs of one workflow take no more from another workflow than one run does, and a thousand
 *    workflows of one tenant no more from another tenant than one does.
 * 3. What joins begins at the current minimum: it is served soon, and idle time is no credit.
 * 4. The budget of a run's turns adapts to how long its turns took: the core counts its work, and only here is a clock.
 */
export class SliceScheduler {
  private readonly namespaces: SharedTime<Namespace> = new SharedTime('', 0, namespaceShare);
  private readonly waiting = new Map<number, () => void>();
  private workflowCount = 0;
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

  private charge(account: SliceAccount): Shares {
    const shares = this.sharesOf(account);
    const { namespace, owner, workflow } = shares;
    const { uncharged } = account;
    account.uncharged = 0;
    account.had = Math.max(account.had, workflow.least) + uncharged;
    workflow.charge(uncharged, owner.least);
    owner.charge(uncharged, namespace.least);
    namespace.charge(uncharged, this.namespaces.least);
    return shares;
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
    const shares = this.charge(account);
    this.ticket += 1;
    this.waiting.set(this.ticket, go);
    shares.workflow.add(account.had, this.ticket);
    this.queue(shares);
  }

  /** Has all that wait for their turns again, from below. */
  private queue({ namespace, owner, workflow }: Shares): void {
    owner.queue(workflow);
    namespace.queue(owner);
    this.namespaces.queue(namespace);
  }

  private serve(): void {
    this.beginSlice(this.now());
    do this.serveNext();
    while (this.waiting.size > 0 && this.isInSlice(this.now()));
    if (this.waiting.size === 0) this.forgetIdle();
  }

  private serveNext(): void {
    const namespace = this.namespaces.next();
    const owner = namespace?.next();
    const workflow = owner?.next();
    if (namespace === undefined || owner === undefined || workflow === undefined) return;
    const ticket = workflow.take();
    const next = ticket === undefined ? undefined : this.waiting.get(ticket);
    if (ticket !== undefined) this.waiting.delete(ticket);
    next?.();
    // Queued after the turn, so that the time of that turn counts.
    this.queue({ namespace, owner, workflow });
  }

  private sharesOf({
    owner: { namespace: namespaceName, owner: ownerName, workflowId },
  }: SliceAccount): Shares {
    const namespace = this.namespaces.of(namespaceName);
    const owner = namespace.of(ownerName ?? '');
    const before = owner.size;
    const workflow = owner.of(workflowId);
    this.workflowCount += owner.size - before;
    return { namespace, owner, workflow };
  }

  /** Nothing waits, so no workflow is owed time. A few are kept, because greedy ones will be back at once. */
  private forgetIdle(): void {
    if (this.workflowCount <= MOST_IDLE) return;
    this.namespaces.forget();
    this.workflowCount = 0;
  }
}

function namespaceShare(name: string, least: number): Namespace {
  return new SharedTime(name, least, ownerShare);
}

function ownerShare(name: string, least: number): Owner {
  return new SharedTime(name, least, (workflow, from) => new TimeShare<number>(workflow, from));
}

function wasCut({ isPreempted, pureBacklog }: DecidedTurn): boolean {
  return isPreempted || (pureBacklog !== undefined && pureBacklog.length > 0);
}

function adapted(budget: Budget, tookMs: number): Budget {
  const factor = Math.min(2, Math.max(0.25, TURN_MS / Math.max(tookMs, 0.1)));
  const steps = Math.round(Math.min(MOST_STEPS, Math.max(FEWEST_STEPS, budget.steps * factor)));
  return { ...budget, steps };
}
