import { anonymous, type Engine, type RunMessage, type RunRecord } from '../engine/index.js';
import { numbered, RunAssertionError } from './assertion.js';
import { drive, type Driven } from './drive.js';
import { expectMessages, expectNoMessage, type MessagePattern } from './messages.js';

const HOUR_MS = 3_600_000;
const RESPONDER = 'test';

/** How long a run is driven, by the clock of the test. */
export interface Within {
  /** Default: one hour. */
  readonly withinMs?: number;
}

export interface Verdict extends Within {
  /** For audit. Default `test`. */
  readonly responder?: string;
  readonly comment?: string;
  /** Which gate, when several are open. */
  readonly gateId?: number;
}

export interface Resume extends Within {
  /** Default: the run continues where it is. */
  readonly snapshotId?: string;
  /** Replaces the budget of the document. Default: as before. */
  readonly budget?: { readonly maxTokens?: number; readonly maxCost?: number };
}

export interface Stop extends Within {
  /** Who requests it. Default `test`. */
  readonly by?: string;
}

/** A gate at which a run waits. */
export type OpenGate = Extract<RunMessage, { readonly type: 'hitl-request' }>;

/** One run, under a clock that moves only as far as the run needs it. */
export class TestRun {
  constructor(
    private readonly driven: Driven & { readonly engine: Engine },
    readonly workflowId: string,
    readonly runId: string,
  ) {}

  /** The record as it is now. */
  record(): Promise<RunRecord> {
    return this.driven.engine.runs.get(this);
  }

  /** All messages, oldest first. */
  async messages(): Promise<readonly RunMessage[]> {
    const all: RunMessage[] = [];
    for (let afterSeq: number | null = 0; afterSeq !== null;) {
      const page = await this.driven.engine.runs.messages({
        workflowId: this.workflowId,
        runId: this.runId,
        afterSeq,
      });
      all.push(...page.messages);
      afterSeq = page.next;
    }
    return all;
  }

  /** Lets the run continue until it is paused, completed or failed. */
  async untilStopped({ withinMs = HOUR_MS }: Within = {}): Promise<RunRecord> {
    const hasStopped = async () => isStopped(await this.record());
    if (!(await drive(this.driven, hasStopped, withinMs))) await this.refuse(`to stop within ${withinMs} ms`);
    return this.record();
  }

  /** Lets the run continue until it waits for a decision; of that unit, if one is named. */
  async untilGate(unitId?: string, within: Within = {}): Promise<OpenGate> {
    const { status } = await this.untilStopped(within);
    const open = status === 'paused' ? openGates(await this.messages()) : [];
    const gate = open.find((one) => unitId === undefined || one.unitId === unitId);
    return gate ?? this.refuse(unitId === undefined ? 'to wait at a gate' : `to wait at the gate ${unitId}`);
  }

  /** Approves, and lets the run continue until it stops again. */
  approve(verdict: Verdict = {}): Promise<RunRecord> {
    return this.decide(true, verdict);
  }

  /** Rejects, and lets the run continue until it stops again. */
  reject(verdict: Verdict = {}): Promise<RunRecord> {
    return this.decide(false, verdict);
  }

  /** Lifts its pauses, goes back to a checkpoint, or tries a failed run again, and lets it continue until it stops. */
  resume({ snapshotId, budget, ...within }: Resume = {}): Promise<RunRecord> {
    const { workflowId, runId } = this;
    return this.steered(this.driven.engine.runs.resume({ workflowId, runId, snapshotId, budget }), within);
  }

  /** Cancels it: attempts in flight are notified, then the units of its `onCancel` run. */
  cancel({ by = RESPONDER, ...within }: Stop = {}): Promise<RunRecord> {
    const { workflowId, runId } = this;
    const stopRequest = { workflowId, runId, by: anonymous('in-process', by) };
    return this.steered(this.driven.engine.runs.cancel(stopRequest), within);
  }

  /** Pauses it until it is resumed. */
  pause({ by = RESPONDER, ...within }: Stop = {}): Promise<RunRecord> {
    const { workflowId, runId } = this;
    const stopRequest = { workflowId, runId, by: anonymous('in-process', by) };
    return this.steered(this.driven.engine.runs.pause(stopRequest), within);
  }

  /** Lets it continue to its end, which must be that it completes. */
  async expectCompleted(within: Within = {}): Promise<RunRecord> {
    const record = await this.untilStopped(within);
    return record.status === 'completed' ? record : this.refuse('to complete');
  }

  /** Lets it continue to its end, which must be that it fails, with such an error. */
  async expectFailed(error: string | RegExp = '', within: Within = {}): Promise<RunRecord> {
    const record = await this.untilStopped(within);
    const said = record.error ?? '';
    const fits = typeof error === 'string' ? said.includes(error) : said.search(error) >= 0;
    return record.status === 'failed' && fits ? record : this.refuse(`to fail with ${String(error)}`);
  }

  /** Each pattern matches a message after that of the one before; others may lie between. */
  async expectMessages(...patterns: readonly MessagePattern[]): Promise<void> {
    expectMessages(await this.messages(), patterns);
  }

  async expectNoMessage(pattern: MessagePattern): Promise<void> {
    expectNoMessage(await this.messages(), pattern);
  }

  private decide(approved: boolean, verdict: Verdict): Promise<RunRecord> {
    const { responder = RESPONDER, comment, gateId, ...within } = verdict;
    const { workflowId, runId } = this;
    const request = { workflowId, runId, approved, responder, comment, gateId };
    return this.steered(this.driven.engine.gates.respond(request), within);
  }

  /** A steering call waits for the run by the clock, which has to be moved meanwhile. */
  private async steered(request: Promise<RunRecord>, within: Within): Promise<RunRecord> {
    let isSettled = false;
    const result = request.finally(() => (isSettled = true));
    result.catch(() => undefined);
    await drive(this.driven, () => isSettled, within.withinMs ?? HOUR_MS);
    if (!isSettled) await this.refuse('to take what was asked of it');
    await result;
    return this.untilStopped(within);
  }

  private async refuse(expected: string): Promise<never> {
    const { status, error } = await this.record();
    const actual = error === undefined ? `is ${status}` : `has ${status}: ${error}`;
    throw new RunAssertionError(
      `Expected the run of ${this.workflowId} ${expected}, and it ${actual}\nThe run said:\n${numbered(await this.messages())}`,
    );
  }
}

function isStopped({ status }: RunRecord): boolean {
  return status !== 'running' && status !== 'pending';
}

function openGates(messages: readonly RunMessage[]): readonly OpenGate[] {
  const open = new Map<unknown, OpenGate>();
  for (const message of messages) {
    if (message.type === 'hitl-request') open.set(message.gateId, message);
    if (message.type === 'hitl-response') open.delete(message.gateId);
  }
  return [...open.values()];
}
