import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { PersistentClient } from '../../crash/support/persistent-client.js';
import { bound, document, remote } from '../../support/workflow-documents.js';
import type { ReplicaLedger } from './replica-ledger.js';

const UNITS = ['a', 'b', 'c'] as const;
const LOOK_EVERY_MS = 100;
/** A run takes less than a second; a disturbance may keep it for a few. */
const ENDS_WITHIN_MS = 60_000;

/** Three units, one after the other: whenever a replica goes, something of it is in flight. */
export const STEADY = {
  id: 'steady',
  yaml: document(
    'steady',
    UNITS.map((id) => remote(id)),
    { policy: { retry: { maxAttempts: 20, backoff: 'fixed', baseMs: 20, jitter: false } } },
  ),
  bindings: (endpoint: string): Readonly<Record<string, unknown>> =>
    Object.assign({}, ...UNITS.map((id) => bound(id, endpoint))) as Readonly<Record<string, unknown>>,
};

/**
 * So many clients at once, each with one run after the other. Every run that was acknowledged must end with each unit completed
 * once, whatever becomes of the replicas.
 */
export class SteadyLoad {
  readonly faults: string[] = [];
  /** Runs that ended right. */
  ended = 0;
  private isOver = false;
  private readonly loops: readonly Promise<void>[];

  constructor(
    private readonly client: PersistentClient,
    private readonly replicas: ReplicaLedger,
    { size = 10 } = {},
  ) {
    this.loops = Array.from({ length: size }, () => this.loop());
  }

  /** Begins no new runs; resolves once all have ended. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.loops);
  }

  private async loop(): Promise<void> {
    while (!this.isOver) {
      try {
        await this.run();
        this.ended += 1;
      } catch (error) {
        this.faults.push(error instanceof Error ? error.message : String(error));
        return;
      }
    }
  }

  private async run(): Promise<void> {
    const key = PersistentClient.key();
    const runs = '/workflows/steady/runs';
    const start = await this.client.post(runs, { input: { token: key } }, { key });
    if (start?.status !== 202) throw new Error(`A start was answered with ${JSON.stringify(start)}.`);
    const path = `${runs}/${start.body.runId}`;
    const giveUpAt = Date.now() + ENDS_WITHIN_MS;
    let { status, body } = await this.client.get(path);
    while (status === 200 && body.status !== 'completed' && body.status !== 'failed') {
      if (Date.now() > giveUpAt) throw new Error(`${path} does not end: ${JSON.stringify(body)}`);
      await delay(LOOK_EVERY_MS);
      ({ status, body } = await this.client.get(path));
    }
    if (status !== 200) throw new Error(`${path} was acknowledged, and is ${status}.`);
    if (!isDeepStrictEqual(body.result?.completedUnits, UNITS))
      throw new Error(`${path} ended as ${JSON.stringify(body)}`);
    const runId = start.body.runId ?? '';
    for (const unitId of UNITS) {
      const executions = this.replicas.ledger.executionsOf({ runId, unitId });
      if (executions !== 1) throw new Error(`${unitId} of ${path} had ${executions} keys.`);
    }
    const others = this.replicas.ledger.runsOf(key).filter((id) => id !== runId);
    if (others.length > 0) throw new Error(`The start of ${path} made ${others.join(', ')}, too.`);
  }
}
