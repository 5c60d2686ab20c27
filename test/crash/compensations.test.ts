import { setTimeout as delay } from 'node:timers/promises';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, remote } from '../support/workflow-documents.js';
import { Choices, printedSeed } from './support/choices.js';
import type { CrashWorkflow } from './support/crash-workflows.js';
import { ExecutionLedger } from './support/execution-ledger.js';
import { KillMoments } from './support/kill-moments.js';
import type { LogEvent } from './support/run-history.js';
import { ServiceHost } from './support/service-host.js';

/** Runs that undo what they did die again and again; `FLOWGATE_CRASH_UNDO_KILLS=2000` for a long night. */
const KILLS = Number(process.env['FLOWGATE_CRASH_UNDO_KILLS'] ?? 12);
/** What each run has to undo. */
const BOOKINGS = 20;
const RUNS_AT_ONCE = 4;
const SETTLED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 30;

const PATIENT = { retry: { maxAttempts: 20, backoff: 'fixed', baseMs: 15, jitter: false } };
const ONCE = { policyOverrides: { retry: { maxAttempts: 1 } } };

const WORKFLOW: Pick<CrashWorkflow, 'id' | 'yaml' | 'bindings'> = {
  id: 'trips',
  yaml: JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id: 'trips' },
    spec: {
      policy: PATIENT,
      units: [
        remote('book', { compensate: { unit: 'release', with: { booked: '${{ done.output }}' } } }),
        remote('release'),
        remote('pay', ONCE),
        remote('close'),
      ],
      flow: {
        type: 'try',
        do: {
          type: 'sequential',
          order: [
            {
              type: 'foreach',
              items: `[${Array.from({ length: BOOKINGS }, (_, index) => index).join(', ')}]`,
              maxConcurrency: 5,
              do: 'book',
            },
            'pay',
          ],
        },
        finally: 'close',
      },
    },
  }),
  bindings: (endpoint) =>
    Object.assign({}, ...['book', 'release', 'pay', 'close'].map((id) => bound(id, endpoint))) as Readonly<
      Record<string, unknown>
    >,
};

const choices = new Choices(printedSeed('compensations'));
const moments = new KillMoments(choices.fork());
const ledger = new ExecutionLedger();
/** The keys that were called, by unit. */
const called = { book: new Set<string>(), release: new Set<string>() };
let units: UnitServer;
let host: ServiceHost;

beforeAll(async () => {
  units = await startUnitServer(async ({ headers, body }, response) => {
    const key = String(headers['idempotency-key']);
    const { unitId } = (JSON.parse(body) as { readonly context: { readonly unitId: string } }).context;
    if (unitId === 'book' || unitId === 'release') called[unitId].add(key);
    moments.passed('arrived');
    await delay(choices.between(0, 15));
    response.once('finish', () => moments.passed('answered'));
    if (unitId === 'pay') return { status: 422, body: 'declined' };
    if (choices.happens(0.04)) return { status: 503, body: 'busy' };
    return { body: { content: key } };
  });
  host = new ServiceHost({ ledger, workflows: [WORKFLOW as CrashWorkflow], unitsUrl: units.url });
});
afterAll(async () => {
  await host.close();
  await units.close();
});

it(
  `undoes each of ${BOOKINGS} calls of a run once, by its key, and forgets none, over ${KILLS} kills`,
  async () => {
    const client = host.client();
    await host.start();
    const runIds: string[] = [];
    let trips = 0;
    const until = { isOver: false };
    const drive = async (): Promise<void> => {
      while (!until.isOver) {
        const start = await client.post('/workflows/trips/runs', {}, { key: `trip-${trips++}` });
        const runId = start!.body.runId!;
        runIds.push(runId);
        await untilFailed(runId);
      }
    };
    const drivers = Array.from({ length: RUNS_AT_ONCE }, drive);
    for (let kills = 0; kills < KILLS; kills++) {
      await moments.next(host.current);
      await host.current.kill();
      await units.disconnected();
      host.launch();
    }
    until.isOver = true;
    await Promise.all(drivers);

    const undone = new Set<string>();
    for (const runId of runIds) {
      const log = await logOf(runId);
      const completions = log.filter(
        ({ type, data }) => type === 'unit-finished' && data['unitId'] === 'book',
      );
      const compensations = log.flatMap(({ type, data }) => {
        const { compensates } = data as { readonly compensates?: number };
        return type === 'unit-scheduled' && compensates !== undefined ? [compensates] : [];
      });
      const done = completions.map(({ data }) => data['executionId'] as number);
      expect(done).toHaveLength(BOOKINGS);
      expect(compensations).toEqual(done.toReversed());
      const ends = log.filter(({ type, data }) => type === 'unit-finished' && data['unitId'] === 'release');
      expect(ends).toHaveLength(BOOKINGS);
      for (const id of done) undone.add(`${runId}:${id}:compensate`);
      expect(
        log.filter(({ type }) => type === 'compensation-finished').map(({ data }) => data),
      ).toMatchObject([{ done: BOOKINGS, failed: 0, unknown: 0 }]);
      expect(log.at(-1)!.type).toBe('run-failed');
    }
    expect([...called.release].toSorted()).toEqual([...undone].toSorted());
    expect(called.book.size).toBe(undone.size);
    process.stdout.write(`${KILLS} kills, ${runIds.length} runs, ${undone.size} calls undone\n`);

    /** A run that saw one kill after another pauses, as if a unit killed the process: a person resumes it. */
    async function untilFailed(runId: string): Promise<void> {
      const path = `/workflows/trips/runs/${runId}`;
      let status: string | undefined;
      for (let left = SETTLED_WITHIN_MS; left > 0; left -= LOOK_EVERY_MS) {
        ({ status } = (await client.get(path)).body);
        if (status === 'failed') return;
        if (status === 'paused') await client.post(`${path}/resume`, {});
        // The time to settle begins with the last kill.
        if (!until.isOver) left = SETTLED_WITHIN_MS;
        await delay(LOOK_EVERY_MS);
      }
      const last = (await logOf(runId)).slice(-3).map(({ type }) => type);
      throw new Error(`${path} is ${status} after ${last.join()}, and does not come to its end.`);
    }

    async function logOf(runId: string): Promise<readonly LogEvent[]> {
      const log: LogEvent[] = [];
      for (let after: number | null = 0; after !== null;) {
        const { body } = await client.get(
          `/workflows/trips/runs/${runId}/events?view=log&limit=1000&afterSeq=${after}`,
        );
        log.push(...(body.items ?? []));
        after = body.next ?? null;
      }
      return log;
    }
  },
  120_000 + KILLS * 12_000,
);
