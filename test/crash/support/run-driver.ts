import { setTimeout as delay } from 'node:timers/promises';
import type { RunRecord, SnapshotSummary } from '../../../src/engine/index.js';
import type { Choices } from './choices.js';
import { ITEMS, type CrashWorkflow } from './crash-workflows.js';
import { PersistentClient, type Acknowledged, type ResponseBody } from './persistent-client.js';
import { openGates, type Message } from './run-history.js';

/** A request that steered the run. A client that gave up on it does not know whether it counted. */
export interface Steering {
  readonly isAcknowledged: boolean;
}

export interface Decision extends Steering {
  /** Null: whichever gate is open in a child run. */
  readonly gateId: number | null;
  readonly approved: boolean;
  /** Names this one request. */
  readonly responder: string;
}

export interface Rewind extends Steering {
  readonly snapshotId: string;
}

export interface Cancel extends Steering {
  readonly by: string;
}

/** What was acknowledged to the driver of one run. */
export interface DrivenRun {
  readonly workflow: CrashWorkflow;
  readonly token: string;
  readonly runId: string;
  readonly decisions: readonly Decision[];
  readonly rewinds: readonly Rewind[];
  /** How many resumes were requested. */
  readonly resumes: number;
  readonly pauses: readonly Steering[];
  /** The cancels that were requested, with their names. */
  readonly cancels: readonly Cancel[];
  /** The record that was acknowledged last. */
  readonly last: RunRecord;
}

const GIVES_UP = 0.1;
const REPEATS = 0.15;
const POLL_MS = 15;
/** The probability of a cancel at each read of an unfinished run. */
const CANCELS = 0.1;
const PAUSES = 0.1;

const isOpen = ({ status }: RunRecord): boolean => status === 'running' || status === 'paused';

/** A client of one run: starts it, decides at its gates, lifts its pauses, rewinds it, stops it, reads it often. */
export class RunDriver {
  runId = '';
  readonly token = PersistentClient.key();
  readonly decisions: Decision[] = [];
  readonly rewinds: Rewind[] = [];
  readonly pauses: Steering[] = [];
  readonly cancels: Cancel[] = [];
  resumes = 0;
  private doing = 'nothing yet';

  constructor(
    private readonly client: PersistentClient,
    readonly workflow: CrashWorkflow,
    private readonly choices: Choices,
  ) {}

  /** Drives the run to its end; null when the client gave up before its start was acknowledged. */
  async drive(): Promise<DrivenRun | null> {
    if (!(await this.start())) return null;
    for (;;) {
      const record = await this.look();
      if (isOpen(record) && (await this.interfere())) continue;
      if (record.status === 'running') await delay(this.choices.between(1, POLL_MS));
      else if (await this.steer(record)) return { ...this.facts(), last: record };
    }
  }

  /** Where the run is, for a suite that waits too long. */
  get description(): string {
    return `${this.workflow.id} ${this.runId === '' ? 'not started' : this.runId}, ${this.doing}`;
  }

  private facts() {
    const { workflow, token, runId, decisions, rewinds, resumes, pauses, cancels } = this;
    return { workflow, token, runId, decisions, rewinds, resumes, pauses, cancels };
  }

  private get path(): string {
    return `/workflows/${this.workflow.id}/runs/${this.runId}`;
  }

  private async start(): Promise<boolean> {
    const body = { input: { token: this.token, items: ITEMS }, sync: this.choices.happens(0.2) };
    const answer = await this.request(`/workflows/${this.workflow.id}/runs`, body, 202, (again) => {
      if (again.body.runId !== this.runId)
        throw new Error(`One start made two runs: ${this.runId}, ${again.body.runId}`);
    });
    return answer !== null;
  }

  /** Reads the run in one of the possible ways. */
  private async look(): Promise<RunRecord> {
    if (this.choices.happens(0.3)) await this.read('/messages');
    if (this.choices.happens(0.2)) {
      const snapshots = await this.snapshots();
      if (snapshots.length > 0) await this.read(`/snapshots/${this.choices.oneOf(snapshots).snapshotId}`);
    }
    return (await this.read('')) as RunRecord;
  }

  /** Does what a stopped run needs. True: nothing, it has ended. */
  private async steer(record: RunRecord): Promise<boolean> {
    if (this.rewinds.length < this.workflow.rewinds && this.choices.happens(0.5) && (await this.rewind()))
      return false;
    if (record.status === 'completed') return true;
    if (record.status === 'failed' && (this.wasRejected(record) || this.wasCancelled(record))) return true;
    const gates = openGates(record);
    if (record.status === 'paused' && gates.length > 0) await this.decide(gates);
    else if (record.status === 'paused' && this.mayBeAskedWithin(record)) await this.decideWithin();
    else await this.resume(record);
    return false;
  }

  /** Makes a request now and then that the run does not need. */
  private async interfere(): Promise<boolean> {
    const { workflow, choices } = this;
    if (workflow.onCancel.length > 0 && this.cancels.length < 2 && choices.happens(CANCELS)) {
      await this.cancel();
      return true;
    }
    if (this.pauses.length >= workflow.pauses || !choices.happens(PAUSES)) return false;
    const isAcknowledged = (await this.request(`${this.path}/pause`, {}, 200)) !== null;
    this.pauses.push({ isAcknowledged });
    return true;
  }

  private async cancel(): Promise<void> {
    const by = `person-${PersistentClient.key()}`;
    const isAcknowledged = (await this.request(`${this.path}/cancel`, { by }, 200)) !== null;
    this.cancels.push({ by, isAcknowledged });
  }

  private wasCancelled({ error }: RunRecord): boolean {
    return this.cancels.some(({ by }) => error === `Cancelled by ${by}`);
  }

  /** Whether a child may wait at a gate: the run itself says only that it waits for its child. */
  private mayBeAskedWithin({ result }: RunRecord): boolean {
    const waits = (result?.messages ?? []).findLast(({ type }) => type.startsWith('child-'));
    return waits?.type === 'child-paused' && this.choices.happens(0.7);
  }

  private async decideWithin(): Promise<void> {
    const approved = this.choices.happens(0.8);
    const responder = `person-${PersistentClient.key()}`;
    const isAcknowledged = (await this.request(`${this.path}/hitl`, { approved, responder }, 200)) !== null;
    this.decisions.push({ gateId: null, approved, responder, isAcknowledged });
  }

  /** A rejection whose answer was lost may have ended the child, and its parent not have been told of that yet. */
  private mayBeOver({ status, body }: { readonly status: number; readonly body: unknown }): boolean {
    const { code } = body as { readonly code?: unknown };
    const isRejected = this.decisions.some(({ approved, isAcknowledged }) => !approved && !isAcknowledged);
    return status === 500 && code === 'run-over' && isRejected;
  }

  private wasRejected({ error }: RunRecord): boolean {
    return this.decisions.some(({ responder }) => error?.includes(responder));
  }

  private async resume({ status, result }: RunRecord): Promise<void> {
    this.resumes += 1;
    // The workflow of the child has not been registered since the service died, which is why the run failed.
    if (status === 'failed') for (const id of this.workflow.children) await this.client.register(id);
    const messages = (result?.messages ?? []) as readonly Message[];
    const paused = messages.findLast(({ type }) => type === 'run-paused');
    const body = paused?.['reason'] === 'budget' ? { budget: { maxTokens: 1_000_000 } } : {};
    await this.request(`${this.path}/resume`, body, 200);
  }

  private async decide(gates: ReturnType<typeof openGates>): Promise<void> {
    const { gateId } = this.choices.oneOf(gates);
    const approved = this.choices.happens(0.8);
    const responder = `person-${PersistentClient.key()}`;
    const isNamed = gates.length > 1 || this.choices.happens(0.5);
    const body = { approved, responder, ...(isNamed ? { gateId } : {}) };
    const isAcknowledged = (await this.request(`${this.path}/hitl`, body, 200)) !== null;
    this.decisions.push({ gateId, approved, responder, isAcknowledged });
  }

  /** Rewinds to a checkpoint that is not the latest; false when there is none. */
  private async rewind(): Promise<boolean> {
    const older = (await this.snapshots()).slice(1);
    if (older.length === 0) return false;
    const { snapshotId } = this.choices.oneOf(older);
    const isAcknowledged = (await this.request(`${this.path}/resume`, { snapshotId }, 200)) !== null;
    this.rewinds.push({ snapshotId, isAcknowledged });
    return true;
  }

  private async snapshots(): Promise<readonly SnapshotSummary[]> {
    return (await this.read('/snapshots')).snapshots ?? [];
  }

  private async read(below: string): Promise<ResponseBody> {
    this.doing = `GET ${below}`;
    const { status, body } = await this.client.get(`${this.path}${below}`);
    if (status !== 200) throw new Error(`GET ${this.path}${below}: ${status} ${JSON.stringify(body)}`);
    this.doing = `${this.doing}: ${JSON.stringify(body).slice(0, 500)}`;
    return body;
  }

  /** Sends a request. Some give up after a connection error; some send an acknowledged request once more. */
  private async request(
    path: string,
    body: unknown,
    expected: number,
    onRepeat: (again: Acknowledged) => void = () => {},
  ): Promise<Acknowledged | null> {
    this.doing = `POST ${path} ${JSON.stringify(body)}`;
    const key = PersistentClient.key();
    const patience = this.choices.happens(GIVES_UP) ? 1 : Infinity;
    const answer = await this.client.post(path, body, { key, patience });
    if (answer === null || this.mayBeOver(answer)) return null;
    if (answer.status !== expected)
      throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (this.runId === '') this.runId = answer.body.runId as string;
    if (this.choices.happens(REPEATS)) {
      const again = await this.client.post(path, body, { key });
      if (again?.status !== expected)
        throw new Error(`POST ${path}, repeated: ${again?.status} ${JSON.stringify(again?.body)}`);
      onRepeat(again);
    }
    return answer;
  }
}
