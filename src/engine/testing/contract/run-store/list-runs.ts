import type { RunRow } from '../../../ports/run-store.js';
import type { RunStoreHarness } from './support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from './support/sample-run.js';

const [R0, R1, R2, R3, R4, FOREIGN] = [0, 1, 2, 3, 4, 5].map((index) => sampleRunId(index)) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

const ROWS: readonly RunRow[] = [
  sampleRow(R1, { createdAt: NOON + 1, status: 'paused' }),
  sampleRow(R4, { createdAt: NOON + 2 }),
  sampleRow(R2, { createdAt: NOON + 2, workflowId: 'other' }),
  endedRow(R3, NOON + 9, { createdAt: NOON + 2 }),
  endedRow(R0, NOON + 9, { createdAt: NOON + 3, workflowId: 'other', status: 'failed' }),
];
/** By (createdAt, runId), newest first. */
const NEWEST_FIRST = [R0, R4, R3, R2, R1];

export default function listRunsContract(harness: RunStoreHarness): void {
  const all = { namespace: 'default', workflowId: null, status: null, before: null, limit: 100 };
  const idsOf = (rows: readonly RunRow[]): readonly string[] => rows.map(({ runId }) => runId);

  beforeEach(async () => {
    for (const row of ROWS) await harness.store.append(sampleAppend(row.runId, { row }));
    const row = sampleRow(FOREIGN, { namespace: 'acme', createdAt: NOON + 2 });
    await harness.store.append(sampleAppend(FOREIGN, { row }));
  });

  it('answers whole rows, newest first by createdAt, then runId', async () => {
    const rows = await harness.store.listRuns(all);
    expect(idsOf(rows)).toEqual(NEWEST_FIRST);
    for (const row of rows) expect(row).toEqual(ROWS.find(({ runId }) => runId === row.runId));
  });

  it('goes on after the last row of the page before, also among runs of one instant', async () => {
    const seen: string[] = [];
    let before: RunRow | null = null;
    for (;;) {
      const page: readonly RunRow[] = await harness.store.listRuns({ ...all, before, limit: 1 });
      const [row] = page;
      if (row === undefined) break;
      seen.push(row.runId);
      before = row;
    }
    expect(seen).toEqual(NEWEST_FIRST);
  });

  it.each([
    ['another namespace', { namespace: 'acme' }, [FOREIGN]],
    ['another namespace and a status', { namespace: 'acme', status: 'running' as const }, [FOREIGN]],
    ['a namespace without runs', { namespace: 'nobody' }, []],
    ['a workflow', { workflowId: 'other' }, [R0, R2]],
    ['an unknown workflow', { workflowId: 'nobody' }, []],
    ['running', { status: 'running' as const }, [R4, R2]],
    ['paused', { status: 'paused' as const }, [R1]],
    ['completed', { status: 'completed' as const }, [R3]],
    ['failed', { status: 'failed' as const }, [R0]],
    ['pending', { status: 'pending' as const }, []],
    ['a workflow and a status', { workflowId: 'invoices', status: 'running' as const }, [R4]],
    ['a workflow and completed', { workflowId: 'invoices', status: 'completed' as const }, [R3]],
    ['a status before a row', { status: 'running' as const, before: ROWS[1]! }, [R2]],
    ['a workflow before a row', { workflowId: 'other', before: ROWS[4]! }, [R2]],
  ])('filters by %s', async (_what, filter, ids) => {
    expect(idsOf(await harness.store.listRuns({ ...all, ...filter }))).toEqual(ids);
  });

  it('answers at most the limit', async () => {
    expect(idsOf(await harness.store.listRuns({ ...all, limit: 2 }))).toEqual([R0, R4]);
  });
}
