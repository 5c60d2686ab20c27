import { setImmediate } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import type { StoreError } from '../../../errors/service-errors.js';
import type { AppendResult } from '../../../engine/ports/store/append.js';
import type { Database } from '../database/database.js';
import type { MissingWeeks } from '../schema/missing-weeks.js';
import { DatabaseUnreachedError, isUndone, sqlStateOf, toStoreError } from '../database/postgres-fault.js';
import type { Append } from './append-rows.js';
import { WaitingAppends, type WithAppend } from './waiting-appends.js';
import { findWritten, writeAlone, writeAppends } from './write-appends.js';

/** How many operations were committed together, how long that took, and whether they are durable. */
export type NotifyCommit = (operations: number, tookMs: number, isDurable: boolean) => void;

interface Waiting extends WithAppend {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
}

/** Groups that are at the database at once. */
const MOST_GROUPS = 2;

interface Attempt {
  readonly begunAt: number;
  readonly tries: number;
}

const UNIQUE_VIOLATION = '23505';
/** A partition that is not there yet. */
const CHECK_VIOLATION = '23514';
/** Deadlock, serialization failure, and a partition that is being made: the same statement may succeed now. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(['40P01', '40001', CHECK_VIOLATION]);
/** Classes of what is wrong with the server, whatever it is given: resources, a lock that is not available, its operator, its disk. */
const OF_EVERYBODY: ReadonlySet<string> = new Set(['08', '25', '53', '55', '57', '58']);
const SQL_CLASS_CHARS = 2;
/** Maybe of a long append alone. */
const OUT_OF_MEMORY = '53200';
/** How long is waited before each further try. */
const TRY_AGAIN_AFTER_MS = [50, 200];
/** Whoever waits for an append has waited for its statement already. */
const LOOK_UP_WITHIN_MS = 3_000;

/**
 * Hands appends to the database in groups: everything that came while it was busy is one statement, and one commit. So a single
 * append waits for one, many share one, and no more of the database's time is taken than they need.
 *
 * 1. A group begins at the end of the tick of the event loop in which the first of it came, or the one before it was done: callers
 *    whose appends are done then have submitted their next ones.
 * 2. One group of small appends is at the database at a time, a second one only while a full one waits; and one large append next
 *    to them. There are no more than two in any case.
 * 3. A group that PostgreSQL has undone for what may be one of its members is written again in halves, so that the others do not
 *    fail with it.
 * 4. Where nobody knows what became of a group, what is stored is looked up before its members are rejected.
 */
export class AppendGroups {
  private readonly waiting = new WaitingAppends<Waiting>();
  private smallGroups = 0;
  private largeGroups = 0;
  private wasLarge = false;
  private isBeginning = false;
  private readonly idle: (() => void)[] = [];
  private notifyCommit: NotifyCommit | null = null;
  private failed = false;

  constructor(
    private readonly database: Database,
    private readonly weeks: Pick<MissingWeeks, 'made'>,
    private readonly wait: (ms: number) => Promise<unknown> = delay,
  ) {}

  /** Whether the last group could not be written, for a reason that passes. */
  get hasFailed(): boolean {
    return this.failed;
  }

  /** Calls `notify` for every group from now on. */
  notifyOfCommits(notify: NotifyCommit): void {
    this.notifyCommit = notify;
  }

  /** Resolves once the append is committed, or refused. Rejects with a `StoreError` when it may be neither. */
  submit(append: Append): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      this.waiting.add({ append, resolve, reject });
      this.beginSoon();
    });
  }

  /** Resolves when nothing waits any more. */
  drained(): Promise<void> {
    if (this.waiting.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.idle.push(resolve);
    });
  }

  private beginSoon(): void {
    if (this.isBeginning) return;
    this.isBeginning = true;
    setImmediate(() => {
      this.isBeginning = false;
      this.begin();
    });
  }

  private begin(): void {
    while (this.smallGroups + this.largeGroups < MOST_GROUPS) {
      if (this.isLargeNext) void this.perform(this.waiting.takeLarge(), true);
      else if (this.isSmallNext) void this.perform(this.waiting.takeSmall(), false);
      else break;
    }
    if (this.waiting.size > 0) return;
    for (const resolve of this.idle.splice(0)) resolve();
  }

  private get isSmallNext(): boolean {
    return this.waiting.hasSmall && (this.smallGroups === 0 || this.waiting.isFull);
  }

  /** The small ones go between two large ones. */
  private get isLargeNext(): boolean {
    if (!this.waiting.hasLarge || this.largeGroups > 0) return false;
    return !this.wasLarge || !this.isSmallNext;
  }

  private async perform(members: readonly Waiting[], isLarge: boolean): Promise<void> {
    this.wasLarge = isLarge;
    if (isLarge) this.largeGroups += 1;
    else this.smallGroups += 1;
    await this.write(members);
    if (isLarge) this.largeGroups -= 1;
    else this.smallGroups -= 1;
    this.beginSoon();
  }

  /** Never rejects. */
  private async write(members: readonly Waiting[], tries = 1): Promise<void> {
    const begunAt = performance.now();
    let results: Awaited<ReturnType<typeof writeAppends>>;
    try {
      results = await writeAppends(
        this.database,
        members.map(({ append }) => append),
      );
    } catch (error) {
      await this.handle(members, toStoreError(error), { begunAt, tries });
      return;
    }
    this.committed(members, begunAt);
    const left: Waiting[] = [];
    for (const [index, member] of members.entries()) {
      const result = results[index] ?? 'conflict';
      if (result === 'remains') left.push(member);
      else this.settle(member, result);
    }
    for (const member of left) await this.writeFirst(member);
  }

  private async handle(members: readonly Waiting[], error: StoreError, attempt: Attempt): Promise<void> {
    const [only] = members;
    const state = sqlStateOf(error);
    if (only === undefined) return;
    if (members.length > 1 && concernsSome(error)) {
      const half = Math.ceil(members.length / 2);
      await this.write(members.slice(0, half));
      await this.write(members.slice(half));
    } else if (state === UNIQUE_VIOLATION && only.append.expectedSeq === 0) {
      // It may be what remains of a purged run, if not a key.
      await this.writeFirst(only);
    } else if (state === UNIQUE_VIOLATION && only.append.keys.length > 0) this.settle(only, 'conflict');
    else await this.endOrTryAgain(members, error, attempt, (tries) => this.write(members, tries));
  }

  /** A first append by itself. Where an index still has something already, another writer came first. */
  private async writeFirst(member: Waiting, tries = 1): Promise<void> {
    const begunAt = performance.now();
    try {
      const result = await writeAlone(this.database, member.append);
      this.committed([member], begunAt);
      this.settle(member, result);
    } catch (thrown) {
      const error = toStoreError(thrown);
      if (sqlStateOf(error) === UNIQUE_VIOLATION) this.settle(member, 'conflict');
      else {
        const again = (next: number): Promise<void> => this.writeFirst(member, next);
        await this.endOrTryAgain([member], error, { begunAt, tries }, again);
      }
    }
  }

  private async endOrTryAgain(
    members: readonly Waiting[],
    error: StoreError,
    { begunAt, tries }: Attempt,
    again: (tries: number) => Promise<void>,
  ): Promise<void> {
    const waitMs = TRY_AGAIN_AFTER_MS[tries - 1];
    if (isOfTheMoment(error) && waitMs !== undefined) {
      if (sqlStateOf(error) === CHECK_VIOLATION) await this.weeks.made();
      await this.wait(waitMs);
      await again(tries + 1);
    } else if (error.permanent || isUndone(error) || error instanceof DatabaseUnreachedError) {
      this.fail(members, error, begunAt);
    } else await this.lookUp(members, error, begunAt);
  }

  /** The statement may have been performed, though its answer is missing, or be under way still: then expected seqs fence it. */
  private async lookUp(members: readonly Waiting[], error: StoreError, begunAt: number): Promise<void> {
    const written = await this.findWritten(members);
    if (written === null) {
      this.fail(members, error, begunAt);
      return;
    }
    const isWritten = ({ append }: Waiting): boolean => written.has(append.runId);
    const found = members.filter(isWritten);
    if (found.length > 0) this.committed(found, begunAt);
    for (const member of found) this.settle(member, 'appended');
    const others = members.filter((member) => !isWritten(member));
    if (others.length > 0) this.fail(others, error, begunAt);
  }

  /** Null: nobody knows, at least not in time. Never rejects. */
  private async findWritten(members: readonly Waiting[]): Promise<ReadonlySet<string> | null> {
    const given = new AbortController();
    const appends = members.map(({ append }) => append);
    const found = findWritten(this.database.query, appends, LOOK_UP_WITHIN_MS).catch(() => null);
    const late = delay(LOOK_UP_WITHIN_MS, null, { signal: given.signal }).catch(() => null);
    try {
      return await Promise.race([found, late]);
    } finally {
      given.abort();
    }
  }

  private committed(members: readonly Waiting[], begunAt: number): void {
    this.failed = false;
    this.notifyCommit?.(members.length, performance.now() - begunAt, true);
  }

  private fail(members: readonly Waiting[], error: StoreError, begunAt: number): void {
    if (!error.permanent) this.failed = true;
    this.notifyCommit?.(members.length, performance.now() - begunAt, false);
    for (const member of members) {
      this.waiting.settle(member);
      member.reject(error);
    }
  }

  private settle(member: Waiting, result: AppendResult): void {
    this.waiting.settle(member);
    member.resolve(result);
  }
}

function isOfTheMoment(error: StoreError): boolean {
  const state = sqlStateOf(error);
  return state !== null && OF_THE_MOMENT.has(state);
}

/** Whether nothing was written because of something that need not be in all of the group's members. */
function concernsSome(error: StoreError): boolean {
  const state = sqlStateOf(error);
  if (state === null || !isUndone(error)) return error.permanent;
  return !OF_EVERYBODY.has(state.slice(0, SQL_CLASS_CHARS)) || state === OUT_OF_MEMORY;
}
