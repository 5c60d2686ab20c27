import { setImmediate } from 'node:timers';
import { StoreError } from '../../../errors/service-errors.js';
import { faultOf, permanentErrorOf, storeErrorOf } from '../connection/sqlite-fault.js';
import type { WorkerThread } from '../threads/worker-thread.js';
import type { OperationAnswer } from './group-writer.js';
import { Backlog, isFull, type Origin, type Queued } from './backlog.js';
import { PROBE, addToGroup, charsIn, type FlatValue, type Operation } from './operation.js';

/** What an operation is answered when it did not fail. */
export type OperationResult = Extract<OperationAnswer, true | null | 'stale' | readonly string[]>;

interface Waiting extends Queued {
  readonly resolve: (result: OperationResult) => void;
  readonly reject: (error: Error) => void;
}

/** How many operations were committed together, how long that took, and whether they are durable. */
export type TellCommit = (operations: number, tookMs: number, isDurable: boolean) => void;

/**
 * So many close a group in the middle of a turn of the event loop: the writer has something to do while the rest of the
 * turn goes on. Of half as many it would make more commits, of twice as many it would wait more often.
 */
const ENOUGH = 16;

/**
 * Hands operations to the writer in groups, and as soon as they are there: the writer takes everything that came while
 * it was busy into one commit (see `GroupWriter`). So one writer waits for one fsync, many share one, and neither
 * thread stands still while the other works.
 *
 * 1. A group closes at the end of the turn of the event loop in which it began, or once it has `ENOUGH`.
 * 2. With the writer there is about one full group of the backlog, or one large one. What is more waits here, where
 *    it is shared by workflow (see `Backlog`).
 */
export class GroupCommit {
  private readonly waiting = new Backlog<Waiting>();
  /** Operations that the writer was handed and has not answered, and the characters in them. */
  private atWriter = 0;
  private charsAtWriter = 0;
  private isLargeAtWriter = false;
  private isClosing = false;
  private hasFailed = false;
  private idle: (() => void) | null = null;
  private tell: TellCommit | null = null;

  constructor(
    private readonly writer: WorkerThread<readonly FlatValue[], readonly OperationAnswer[]>,
    private readonly file: string,
    /** Throws when what was committed must not be acknowledged. */
    private readonly verify: () => void,
  ) {}

  /** Has `tell` told of every group from now on. */
  tellCommits(tell: TellCommit): void {
    this.tell = tell;
  }

  /** Resolves once the operation is durable. Rejects with a `StoreError` when it may not be. */
  submit(operation: Operation, origin: Origin = null): Promise<OperationResult> {
    return new Promise((resolve, reject) => {
      this.waiting.add({ operation, origin, resolve, reject });
      if (this.waiting.smallCount >= ENOUGH) this.handOver();
      else this.closeAtTurnsEnd();
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

  private closeAtTurnsEnd(): void {
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
    // Those who were answered now ask for their next write: let them all in.
    if (!this.waiting.isEmpty || this.idle !== null) this.closeAtTurnsEnd();
  }

  private async write(members: readonly Waiting[]): Promise<void> {
    const group: FlatValue[] = [];
    for (const { operation } of members) addToGroup(group, operation);
    const begunAt = this.tell === null ? 0 : performance.now();
    try {
      const answers = await this.writer.call(group);
      this.verify();
      this.tell?.(members.length, performance.now() - begunAt, true);
      this.hasFailed = false;
      for (const [index, member] of members.entries()) this.settle(member, answers[index]);
    } catch (error) {
      if (error instanceof StoreError) {
        this.tell?.(members.length, performance.now() - begunAt, false);
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

  private settle({ resolve, reject }: Waiting, answer: OperationAnswer | undefined): void {
    if (answer === undefined)
      reject(storeErrorOf({ code: null, message: 'the writer gave no answer' }, this.file));
    else if (answer !== null && typeof answer === 'object' && 'message' in answer) {
      reject(permanentErrorOf(answer, this.file));
    } else resolve(answer);
  }
}
