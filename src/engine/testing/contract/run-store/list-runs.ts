import type { RunRow } from '../../../ports/run-store.js';
import type { RunStoreHarness } from './support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow } from './support/sample-run.js';

const ROWS: readonly RunRow[] = [
  sampleRow('r1', { createdAt: NOON + 1, status: 'paused' }),
  sampleRow('r4', { createdAt: NOON + 2 }),
  sampleRow('r2', { createdAt: NOON + 2, workflowId: 'other' }),
  endedRow('r3', NOON + 9, { createdAt: NOON + 2 }),
  endedRow('r0', NOON + 9, { createdAt: NOON + 3, workflowId: 'other', status: 'failed' }),
];
/** By (createdAt, runId), newest first. */
const NEWEST_FIRST = ['r0', 'r4', 'r3', 'r2', 'r1'];

export default function listRunsContract(harness: RunStoreHarness): void {
  const all = { workflowId: null, status: null, before: null, limit: 100 };
  const idsOf = (rows: readonly RunRow[]): readonly string[] => rows.map(({ runId }) => runId);

  beforeEach(async () => {
    for (const row of ROWS) await harness.store.append(sampleAppend(row.runId, { row }));
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
    ['a workflow', { workflowId: 'other' }, ['r0', 'r2']],
    ['an unknown workflow', { workflowId: 'nobody' }, []],
    ['running', { status: 'running' as const }, ['r4', 'r2']],
    ['paused', { status: 'paused' as const }, ['r1']],
    ['completed', { status: 'completed' as const }, ['r3']],
    ['failed', { status: 'failed' as const }, ['r0']],
    ['pending', { status: 'pending' as const }, []],
    ['a workflow and a status', { workflowId: 'invoices', status: 'running' as const }, ['r4']],
    ['a workflow and completed', { workflowId: 'invoices', status: 'completed' as const }, ['r3']],
    ['a status before a row', { status: 'running' as const, before: ROWS[1]! }, ['r2']],
    ['a workflow before a row', { workflowId: 'other', before: ROWS[4]! }, ['r2']],
  ])('filters by %s', async (_what, filter, ids) => {
    expect(idsOf(await harness.store.listRuns({ ...all, ...filter }))).toEqual(ids);
  });

  it('answers at most the limit', async () => {
    expect(idsOf(await harness.store.listRuns({ ...all, limit: 2 }))).toEqual(['r0', 'r4']);
  });
}
