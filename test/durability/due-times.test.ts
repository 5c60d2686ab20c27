import type { RunRow } from '../../src/engine/ports/store/run-row.js';
import { DueRuns } from '../../src/engine/runtime/ownership/due-runs.js';
import { SILENT } from '../../src/engine/runtime/logger.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { inSequence, openEngine } from '../support/engine.js';

function rowOf(runId: string, wakeAt: number): RunRow {
  return {
    runId,
    namespace: 'default',
    workflowId: 'w',
    definitionHash: 'h',
    status: 'running',
    createdAt: 0,
    updatedAt: 0,
    endedAt: null,
    openExecutions: 0,
    wakeAt,
    lastSeq: 1,
    parentRunId: null,
    origin: 'client',
    forkedFrom: null,
    isCancelled: false,
    figures: null,
    compensation: null,
  };
}

type Listed = (request: {
  readonly after: { readonly wakeAt: number; readonly runId: string } | null;
  readonly before: number;
  readonly limit: number;
}) => Promise<readonly RunRow[]>;

function dueRuns(clock: ManualClock, listDue: Listed) {
  const woken: string[] = [];
  const due = new DueRuns({
    store: { listDue },
    clock,
    logger: SILENT,
    shards: () => null,
    isAlone: true,
    wake: async (runId) => {
      woken.push(runId);
    },
  });
  return { due, woken };
}

describe('due times', () => {
  it('are kept when a retry is in flight in the same run while the store is scanned', async () => {
    const retry = { maxAttempts: 2, backoff: 'fixed', baseMs: 1_000, jitter: false };
    const { engine, clock } = await openEngine({
      work: ({ context }) => {
        if (context.attempt === 1) throw new Error('once more');
        return new Promise(() => {});
      },
    });
    await engine.workflows.register({
      yaml: inSequence('w', [{ id: 'a', uses: 'work' }], {
        policy: { retry, timeout: { workflowMs: 40_000, unitMs: 600_000 } },
      }),
    });
    const { runId } = await engine.runs.start({ workflowId: 'w' });
    await clock.advance(39_000);
    expect((await engine.runs.get({ workflowId: 'w', runId })).status).toBe('running');
    await clock.advance(2_000);
    expect((await engine.runs.get({ workflowId: 'w', runId })).status).toBe('failed');
    await engine.close();
  });

  it('that are set while a page is read are not overridden by the page', async () => {
    const clock = new ManualClock();
    const page = Promise.withResolvers<readonly RunRow[]>();
    const { due, woken } = dueRuns(clock, () => page.promise);
    const start = clock.now();
    due.look();
    // The page was read before the run set an earlier due time.
    due.set('r', start + 5_000);
    page.resolve([rowOf('r', start + 25_000)]);
    await clock.advance(6_000);
    expect(woken).toEqual(['r']);
    due.stop();
  });

  it('are scanned to the end, however many runs are overdue and cannot continue', async () => {
    const clock = new ManualClock();
    const overdue = Array.from({ length: 20_500 }, (_, i) =>
      rowOf(String(i).padStart(6, '0'), clock.now() - 1_000),
    );
    const rows = [...overdue, rowOf('zzz', clock.now() - 500)];
    let pages = 0;
    const { due, woken } = dueRuns(clock, async ({ after, limit }) => {
      if (++pages > 500) throw new Error('it turns round and round');
      const from = after === null ? 0 : rows.findIndex(({ runId }) => runId === after.runId) + 1;
      return rows.slice(from, from + limit);
    });
    due.look();
    for (let i = 0; i < 20; i++) await clock.advance(100);
    expect(woken.length).toBe(rows.length);
    expect(woken).toContain('zzz');
    expect(pages).toBeLessThan(100);
    due.stop();
  });

  it('are no longer looked for after a stop', async () => {
    const clock = new ManualClock();
    let looks = 0;
    const { due } = dueRuns(clock, async () => {
      looks++;
      return [];
    });
    due.look();
    due.stop();
    // So do shards whose runs were still being taken over when the engine closed.
    due.look();
    await clock.advance(120_000);
    expect(looks).toBe(1);
    expect(clock.scheduled).toBe(0);
  });
});
