import { setImmediate } from 'node:timers';
import { StoreError } from '../../../errors/service-errors.js';
import { faultOf, permanentErrorOf, storeErrorOf } from '../connection/sqlite-fault.js';
import type { WorkerThread } from '../threads/worker-thread.js';
import type { OperationAnswer } from './group-writer.js';
import { Backlog, type Origin, type Queued } from './backlog.js';
import { PROBE, addToGroup, type FlatValue, type Operation } from './operation.js';

/** What an operation is answered when it did not fail. */
export type OperationResult = Extract<OperationAnswer, true | null | 'stale' | readonly string[]>;

interface Waiting extends Queued {
  readonly resolve: (result: OperationResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Hands operations to the writer in groups. While the writer is idle a group closes at the end of the turn of the
 * event loop in which it began; while it is busy, everything that comes is the next group (see `Backlog`). So one writer waits for one
 * fsync, and many share one.
 */
export class GroupCommit {
  private readonly waiting = new Backlog<Waiting>();
  private isSending = false;
  private hasFailed = false;
  private idle: (() => void) | null = null;

  constructor(
    private readonly writer: WorkerThread<readonly FlatValue[], readonly OperationAnswer[]>,
    private readonly file: string,
    /** Throws when what was committed must not be acknowledged. */
    private readonly verify: () => void,
  ) {}

  /** Resolves once the operation is durable. Rejects with a `StoreError` when it may not be. */
  submit(operation: Operation, origin: Origin = null): Promise<OperationResult> {
    return new Promise((resolve, reject) => {
      this.waiting.add({ operation, origin, resolve, reject });
      if (this.isSending) return;
      this.isSending = true;
      setImmediate(() => void this.sendAll());
    });
  }

  /** Writes something when the last group failed: resolves when the disk takes it again. */
  async probe(): Promise<void> {
    if (this.hasFailed) await this.submit([PROBE]);
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    if (!this.isSending) return;
    await new Promise<void>((resolve) => {
      this.idle = resolve;
    });
  }

  private async sendAll(): Promise<void> {
    while (!this.waiting.isEmpty) {
      await this.send(this.waiting.takeGroup());
      // Those who were answered now ask for their next write: let them all in.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.isSending = false;
    this.idle?.();
    this.idle = null;
  }

  private async send(members: readonly Waiting[]): Promise<void> {
    const group: FlatValue[] = [];
    for (const { operation } of members) addToGroup(group, operation);
    try {
      const answers = await this.writer.call(group);
      this.verify();
      this.hasFailed = false;
      for (const [index, member] of members.entries()) this.settle(member, answers[index]);
    } catch (error) {
      if (error instanceof StoreError) this.fail(members, error);
      else await this.sendOneByOne(members, error);
    }
  }

  private fail(members: readonly Waiting[], reason: StoreError): void {
    this.hasFailed = true;
    for (const { reject } of members) reject(reason);
  }

  /** The group never reached the writer: one of its values cannot cross to another thread. The others can. */
  private async sendOneByOne(members: readonly Waiting[], cause: unknown): Promise<void> {
    const [only] = members;
    if (only === undefined || members.length > 1) {
      for (const member of members) await this.send([member]);
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
