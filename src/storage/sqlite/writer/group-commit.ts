import { setImmediate } from 'node:timers';
import { StoreError } from '../../../errors/service-errors.js';
import { faultOf, permanentErrorOf, storeErrorOf, type SqliteFault } from '../connection/sqlite-fault.js';
import type { WorkerThread } from '../threads/worker-thread.js';
import type { WriterResult } from './group-writer.js';
import { Backlog, isFull, type Origin, type Queued } from './backlog.js';
import { PROBE, addToGroup, charsIn, type FlatValue, type Operation } from '../operations/operation.js';

/** The result of an operation that did not fail. */
export type OperationResult = Exclude<WriterResult, SqliteFault>;

interface Waiting extends Queued {
  readonly resolve: (result: OperationResult) => void;
  readonly reject: (error: Error) => void;
}

/** How many operations were committed together, how long that took, and whether they are durable. */
export type NotifyCommit = (operations: number, tookMs: number, isDurable: boolean) => void;

/**
 * This many close a group in the middle of a tick of the event loop, so that the writer works during the rest of it. With
 * half as many it would make more commits, with twice as many it would wait more often.
 */
const ENOUGH = 16;

/**
 * Hands operations to the writer in groups, and as soon as they are there: the writer takes everything that came while it
 * was busy into one commit (see `GroupWriter`). So a single operation waits for one fsync, many share one, and neither
 * thread is idle while the other works.
 *
 * 1. A group closes at the end of the tick of the event loop in which it began, or once it has `ENOUGH`.
 * 2. The writer has about one full group of the backlog, or one large one. What is more waits here, where it is shared by
 *    workflow (see `Backlog`).
 */
export class GroupCommit {
  private readonly waiting = new Backlog<Waiting>();
  /** Operations that were handed to the writer and have no result yet, and the characters in them. */
  private atWriter = 0;
  private charsAtWriter = 0;
  private isLargeAtWriter = false;
  private isClosing = false;
  private hasFailed = false;
  private idle: (() => void) | null = null;
  private notifyCommit: NotifyCommit | null = null;

  constructor(
    private readonly writer: WorkerThread<readonly FlatValue[], readonly WriterResult[]>,
    private readonly file: string,
    /** Throws when what was committed must not be acknowledged. */
    private readonly verify: () => void,
  ) {}

  /** Calls `notify` for every group from now on. */
  notifyOfCommits(notify: NotifyCommit): void {
    this.notifyCommit = notify;
  }

  /** Resolves once the operation is durable. Rejects with a `StoreError` when it may not be. */
  submit(operation: Operation, origin: Origin = null): Promise<OperationResult> {
    return new Promise((resolve, reject) => {
      this.waiting.add({ operation, origin, resolve, reject });
      if (this.waiting.smallCount >= ENOUGH) this.handOver();
      else this.closeAtEndOfTick();
    });
  }

  /** Writes something when the last group failed: resolves when the disk takes it again. */
  async probe(): Promise<void> {
    if (this.hasFailed) await this.submit([PROBE]);
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => {
      this.idle = resolve;
    });
  }

  private get isIdle(): boolean {
    return this.waiting.isEmpty && this.atWriter === 0;
  }

  private closeAtEndOfTick(): void {
    if (this.isClosing) return;
    this.isClosing = true;
    setImmediate(() => {
      this.isClosing = false;
      this.handOver();
    });
  }

  private handOver(): void {
    while (!this.waiting.isEmpty && this.mayHandOver) {
      this.isLargeAtWriter = this.waiting.isLargeNext;
      void this.send(this.waiting.takeGroup());
    }
    if (!this.isIdle) return;
    this.idle?.();
    this.idle = null;
  }

  private get mayHandOver(): boolean {
    if (this.atWriter === 0) return true;
    if (this.isLargeAtWriter || this.waiting.isLargeNext) return false;
    return !isFull(this.atWriter, this.charsAtWriter);
  }

  private async send(members: readonly Waiting[]): Promise<void> {
    const chars = members.reduce((sum, { operation }) => sum + charsIn(operation), 0);
    this.atWriter += members.length;
    this.charsAtWriter += chars;
    await this.write(members);
    this.atWriter -= members.length;
    this.charsAtWriter -= chars;
    // Callers whose operations are done now submit their next ones: let them all in.
    if (!this.waiting.isEmpty || this.idle !== null) this.closeAtEndOfTick();
  }

  private async write(members: readonly Waiting[]): Promise<void> {
    const group: FlatValue[] = [];
    for (const { operation } of members) addToGroup(group, operation);
    const begunAt = this.notifyCommit === null ? 0 : performance.now();
    try {
      const results = await this.writer.call(group);
      this.verify();
      this.notifyCommit?.(members.length, performance.now() - begunAt, true);
      this.hasFailed = false;
      for (const [index, member] of members.entries()) this.settle(member, results[index]);
    } catch (error) {
      if (error instanceof StoreError) {
        this.notifyCommit?.(members.length, performance.now() - begunAt, false);
        this.fail(members, error);
      } else await this.writeOneByOne(members, error);
    }
  }

  private fail(members: readonly Waiting[], reason: StoreError): void {
    this.hasFailed = true;
    for (const { reject } of members) reject(reason);
  }

  /** The group never reached the writer: one of its values cannot cross to another thread. The others can. */
  private async writeOneByOne(members: readonly Waiting[], cause: unknown): Promise<void> {
    const [only] = members;
    if (only === undefined || members.length > 1) {
      for (const member of members) await this.write([member]);
    } else only.reject(permanentErrorOf(faultOf(cause), this.file));
  }

  private settle({ resolve, reject }: Waiting, result: WriterResult | undefined): void {
    if (result === undefined)
      reject(storeErrorOf({ code: null, message: 'the writer gave no answer' }, this.file));
    else if (result !== null && typeof result === 'object' && 'message' in result) {
      reject(permanentErrorOf(result, this.file));
    } else resolve(result);
  }
}
