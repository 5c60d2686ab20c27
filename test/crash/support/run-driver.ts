import { setTimeout as delay } from 'node:timers/promises';
import type { RunRecord, SnapshotSummary } from '../../../src/engine/index.js';
import type { Choices } from './choices.js';
import { ITEMS, type CrashWorkflow } from './crash-workflows.js';
import { PersistentClient, type Acknowledged, type AnswerBody } from './persistent-client.js';
import { openGates } from './run-history.js';

/** A request that steered the run. Whoever turned away from it does not know whether it counted. */
export interface Steering {
  readonly isAcknowledged: boolean;
}

export interface Decision extends Steering {
  readonly gateId: number;
  readonly unitId: string;
  readonly approved: boolean;
  /** Names this one request. */
  readonly responder: string;
}

export interface Rewind extends Steering {
  readonly snapshotId: string;
}

/** What a driver of one run was promised. */
export interface DrivenRun {
  readonly workflow: CrashWorkflow;
  readonly token: string;
  readonly runId: string;
  readonly decisions: readonly Decision[];
  readonly rewinds: readonly Rewind[];
  /** How many requests to go on were made. */
  readonly resumes: number;
  /** The record that was acknowledged last. */
  readonly last: RunRecord;
}

const GIVES_UP = 0.1;
const REPEATS = 0.15;
const POLL_MS = 15;

/** A client of one run: starts it, decides at its gates, lifts its pauses, goes back, looks at it often. */
export class RunDriver {
  runId = '';
  readonly token = PersistentClient.key();
  readonly decisions: Decision[] = [];
  readonly rewinds: Rewind[] = [];
  resumes = 0;
  private doing = 'nothing yet';

  constructor(
    private readonly client: PersistentClient,
    readonly workflow: CrashWorkflow,
    private readonly choices: Choices,
  ) {}

  /** Drives the run to its end; null when the client turned away before its start was acknowledged. */
  async drive(): Promise<DrivenRun | null> {
    if (!(await this.start())) return null;
    for (;;) {
      const record = await this.look();
      if (record.status === 'running') await delay(this.choices.between(1, POLL_MS));
      else if (await this.steer(record)) return { ...this.facts(), last: record };
    }
  }

  /** Where it is; for a suite that waits too long. */
  get description(): string {
    return `${this.workflow.id} ${this.runId === '' ? 'not started' : this.runId}, ${this.doing}`;
  }

  private facts() {
    const { workflow, token, runId, decisions, rewinds, resumes } = this;
    return { workflow, token, runId, decisions, rewinds, resumes };
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

  /** Reads the run in one of the ways in which one can. */
  private async look(): Promise<RunRecord> {
    if (this.choices.happens(0.3)) await this.read('/messages');
    if (this.choices.happens(0.2)) {
      const snapshots = await this.snapshots();
      if (snapshots.length > 0) await this.read(`/snapshots/${this.choices.oneOf(snapshots).snapshotId}`);
    }
    return (await this.read('')) as RunRecord;
  }

  /** Does what a stopped run needs. True: nothing, it has come to its end. */
  private async steer(record: RunRecord): Promise<boolean> {
    if (this.rewinds.length < this.workflow.rewinds && this.choices.happens(0.5) && (await this.rewind()))
      return false;
    if (record.status === 'completed') return true;
    if (record.status === 'failed' && this.wasRejected(record)) return true;
    const gates = openGates(record);
    if (record.status === 'failed' || gates.length === 0) await this.resume();
    else await this.decide(gates);
    return false;
  }

  private wasRejected({ error }: RunRecord): boolean {
    return this.decisions.some(({ responder }) => error?.includes(responder));
  }

  private async resume(): Promise<void> {
    this.resumes += 1;
    await this.request(`${this.path}/resume`, {}, 200);
  }

  private async decide(gates: ReturnType<typeof openGates>): Promise<void> {
    const { gateId, unitId } = this.choices.oneOf(gates);
    const approved = this.choices.happens(0.8);
    const responder = `person-${PersistentClient.key()}`;
    const isNamed = gates.length > 1 || this.choices.happens(0.5);
    const body = { approved, responder, ...(isNamed ? { gateId } : {}) };
    const isAcknowledged = (await this.request(`${this.path}/hitl`, body, 200)) !== null;
    this.decisions.push({ gateId, unitId, approved, responder, isAcknowledged });
  }

  /** Goes back to a checkpoint that is not the latest; false when there is none. */
  private async rewind(): Promise<boolean> {
    const older = (await this.snapshots()).slice(0, -1);
    if (older.length === 0) return false;
    const { snapshotId } = this.choices.oneOf(older);
    const isAcknowledged = (await this.request(`${this.path}/resume`, { snapshotId }, 200)) !== null;
    this.rewinds.push({ snapshotId, isAcknowledged });
    return true;
  }

  private async snapshots(): Promise<readonly SnapshotSummary[]> {
    return (await this.read('/snapshots')).snapshots ?? [];
  }

  private async read(below: string): Promise<AnswerBody> {
    this.doing = `GET ${below}`;
    const { status, body } = await this.client.get(`${this.path}${below}`);
    if (status !== 200) throw new Error(`GET ${this.path}${below}: ${status} ${JSON.stringify(body)}`);
    this.doing = `${this.doing}: ${JSON.stringify(body).slice(0, 500)}`;
    return body;
  }

  /** Some turn away after a connection error; some send an acknowledged request once more. */
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
    if (answer === null) return null;
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
