import { ANY_RUN, type RunFilter } from '../../../../ports/store/run-filter.js';
import type { AppendRequest } from '../../../../ports/store/append.js';
import type { RunCursor } from '../../../../ports/store/run-index.js';
import type { ListedRun, RunRow } from '../../../../ports/store/run-row.js';
import type { RunStoreHarness } from '../support/contract.js';
import {
  NOON,
  endedRow,
  sampleAppend,
  sampleDefinition,
  sampleRow,
  sampleRunId,
} from '../support/sample-run.js';

const ids = Array.from({ length: 9 }, (_, index) => sampleRunId(index));
const [R0 = '', R1 = '', R2 = '', R3 = '', R4 = '', R5 = '', FOREIGN = '', CHILD = '', FORK = ''] = ids;

const GATE = { gateId: 2, unitId: 'sign', openedAt: NOON + 5 };
const PAYING = { ...GATE, gateId: 3, unitId: 'pay' };

const labelled = (labels: Record<string, string>): Partial<AppendRequest> => ({ labels });

const APPENDS: readonly AppendRequest[] = [
  sampleAppend(R1, {
    row: sampleRow(R1, { createdAt: NOON + 1, status: 'paused' }),
    openGates: [GATE, { ...GATE, gateId: 4 }, PAYING],
    ...labelled({ team: 'blue', kind: 'x' }),
  }),
  sampleAppend(R4, { row: sampleRow(R4, { createdAt: NOON + 2 }), ...labelled({ team: 'blue' }) }),
  sampleAppend(R2, {
    row: sampleRow(R2, { createdAt: NOON + 2, workflowId: 'other', definitionHash: 'hash-2' }),
    ...labelled({ team: 'red', kind: 'x' }),
  }),
  sampleAppend(R3, { row: endedRow(R3, NOON + 9, { createdAt: NOON + 2 }) }),
  sampleAppend(R0, {
    row: endedRow(R0, NOON + 9, {
      createdAt: NOON + 3,
      workflowId: 'other',
      status: 'failed',
      isCancelled: true,
      figures: null,
    }),
  }),
  sampleAppend(R5, {
    row: sampleRow(R5, { createdAt: NOON + 4, status: 'pending' }),
    openGates: [PAYING],
    ...labelled({ team: 'blue', kind: 'y' }),
  }),
  sampleAppend(CHILD, {
    row: sampleRow(CHILD, { createdAt: NOON + 5, workflowId: 'kids', parentRunId: R4, origin: 'child' }),
  }),
  sampleAppend(FORK, {
    row: endedRow(FORK, NOON + 9, { createdAt: NOON + 6, origin: 'fork', forkedFrom: R0 }),
  }),
  sampleAppend(FOREIGN, {
    row: sampleRow(FOREIGN, { namespace: 'acme', createdAt: NOON + 2 }),
    openGates: [GATE],
    ...labelled({ team: 'blue' }),
  }),
];
/** By (createdAt, runId), newest first. */
const NEWEST_FIRST = [FORK, CHILD, R5, R0, R4, R3, R2, R1];

export default function findRunsContract(harness: RunStoreHarness): void {
  const find = (
    filter: Partial<RunFilter>,
    { namespace = 'default', before = null as RunCursor | null, limit = 100 } = {},
  ) => harness.store.findRuns({ namespace, filter: { ...ANY_RUN, ...filter }, before, limit });
  const idsOf = (runs: readonly ListedRun[]): readonly string[] => runs.map(({ row }) => row.runId);

  beforeEach(async () => {
    await harness.store.saveDefinition(sampleDefinition());
    await harness.store.saveDefinition(sampleDefinition({ hash: 'hash-2', workflowId: 'other' }));
    for (const append of APPENDS) await harness.store.append(append);
  });

  it('returns whole rows with labels and open gates, newest first by createdAt, then runId', async () => {
    const { runs, next } = await find({});
    expect(idsOf(runs)).toEqual(NEWEST_FIRST);
    expect(next).toBeNull();
    for (const listed of runs) {
      const { row, labels, openGates } = APPENDS.find(({ runId }) => runId === listed.row.runId)!;
      const gates = [...(openGates ?? [])].sort((a, b) => a.gateId - b.gateId);
      expect(listed).toEqual({ row, labels: labels ?? {}, openGates: gates });
    }
  });

  it.each([1, 2, 3])('continues where a page of %d ended, also among runs of one instant', async (limit) => {
    const seen: string[] = [];
    let before: RunCursor | null = null;
    do {
      const page: Awaited<ReturnType<typeof find>> = await find({}, { before, limit });
      expect(page.runs.length).toBeLessThanOrEqual(limit);
      seen.push(...idsOf(page.runs));
      before = page.next;
    } while (before !== null);
    expect(seen).toEqual(NEWEST_FIRST);
  });

  it('shows by `next` whether there is more', async () => {
    expect((await find({}, { limit: 8 })).next).toBeNull();
    expect((await find({}, { limit: 7 })).next).toEqual({ createdAt: NOON + 2, runId: R2 });
    expect((await find({ statuses: ['running', 'paused'] }, { limit: 1 })).next).not.toBeNull();
  });

  const cases: readonly (readonly [string, Partial<RunFilter>, readonly string[]])[] = [
    ['a workflow', { workflowId: 'other' }, [R0, R2]],
    ['an unknown workflow', { workflowId: 'nobody' }, []],
    ['workflows', { workflows: ['other', 'kids'] }, [CHILD, R0, R2]],
    ['the beginnings of workflows', { workflows: ['k*', 'inv*'] }, [FORK, CHILD, R5, R4, R3, R1]],
    ['any workflow', { workflows: ['*'] }, NEWEST_FIRST],
    ['workflows that there are not', { workflows: ['othe', 'others', 'x*', 'kids-*'] }, []],
    ['no workflow', { workflows: [] }, []],
    ['workflows and one of them', { workflows: ['o*', 'kids'], workflowId: 'other' }, [R0, R2]],
    ['workflows and another one', { workflows: ['o*', 'kids'], workflowId: 'invoices' }, []],
    [
      'workflows and a status',
      { workflows: ['o*', 'kids'], statuses: ['running', 'failed'] },
      [CHILD, R0, R2],
    ],
    [
      'workflows and a label',
      { workflows: ['invoices'], labels: [{ name: 'team', value: 'blue' }] },
      [R5, R4, R1],
    ],
    ['workflows and a definition', { workflows: ['invoices'], definitionHash: 'hash-2' }, []],
    ['workflows and the beginning of an id', { workflows: ['o*'], idPrefix: R3.slice(0, 20) }, [R0, R2]],
    ['a status', { statuses: ['running'] }, [CHILD, R4, R2]],
    ['completed', { statuses: ['completed'] }, [FORK, R3]],
    ['several statuses', { statuses: ['paused', 'failed', 'pending'] }, [R5, R0, R1]],
    ['several statuses with completed', { statuses: ['completed', 'failed'] }, [FORK, R0, R3]],
    ['a workflow and a status', { workflowId: 'invoices', statuses: ['running'] }, [R4]],
    ['a label', { labels: [{ name: 'team', value: 'blue' }] }, [R5, R4, R1]],
    ['a value of a label that no run has', { labels: [{ name: 'team', value: 'blu' }] }, []],
    [
      'two labels',
      {
        labels: [
          { name: 'team', value: 'blue' },
          { name: 'kind', value: 'x' },
        ],
      },
      [R1],
    ],
    [
      'three labels that no run has',
      { labels: ['x', 'y', 'z'].map((value) => ({ name: 'kind', value })) },
      [],
    ],
    ['a label and a status', { labels: [{ name: 'kind', value: 'x' }], statuses: ['paused'] }, [R1]],
    ['when they were made, inclusive', { createdFrom: NOON + 4 }, [FORK, CHILD, R5]],
    ['when they were made, exclusive', { createdBefore: NOON + 2 }, [R1]],
    ['an instant', { createdFrom: NOON + 2, createdBefore: NOON + 3 }, [R4, R3, R2]],
    ['no time at all', { createdFrom: NOON + 3, createdBefore: NOON + 3 }, []],
    ['open gates', { hasOpenGate: true }, [R5, R1]],
    ['the unit of a gate', { gateUnit: 'sign' }, [R1]],
    ['the unit of a gate of several', { gateUnit: 'pay', hasOpenGate: true }, [R5, R1]],
    ['cancelled', { isCancelled: true }, [R0]],
    ['not cancelled', { isCancelled: false }, NEWEST_FIRST.filter((id) => id !== R0)],
    ['their origin', { origin: 'child' }, [CHILD]],
    ['the usual origin', { origin: 'client' }, [R5, R0, R4, R3, R2, R1]],
    ['the run that they are forks of', { forkedFrom: R0 }, [FORK]],
    ['a run without forks', { forkedFrom: FORK }, []],
    ['the run that they are children of', { parentRunId: R4 }, [CHILD]],
    ['a run without children', { parentRunId: CHILD }, []],
    ['a parent and another workflow', { parentRunId: R4, workflowId: 'other' }, []],
    ['a definition', { definitionHash: 'hash-2' }, [R2]],
    ['a definition that is not kept', { definitionHash: 'hash-3' }, []],
    ['a definition and another workflow', { definitionHash: 'hash-2', workflowId: 'invoices' }, []],
    ['a whole id', { idPrefix: R3 }, [R3]],
    ['the beginning of an id', { idPrefix: R3.slice(0, 20) }, NEWEST_FIRST],
    ['the beginning of no id', { idPrefix: '%' }, []],
    ['all at once', { workflowId: 'other', isCancelled: true, origin: 'client', statuses: ['failed'] }, [R0]],
  ];
  it.each(cases)('filters by %s', async (_what, filter, expected) => {
    expect(idsOf((await find(filter)).runs)).toEqual(expected);
    const walked: string[] = [];
    let before: RunCursor | null = null;
    do {
      const page: Awaited<ReturnType<typeof find>> = await find(filter, { before, limit: 1 });
      walked.push(...idsOf(page.runs));
      before = page.next;
    } while (before !== null);
    expect(walked).toEqual(expected);
  });

  it.each(cases)('keeps namespaces apart when it filters by %s', async (_what, filter) => {
    await expect(find(filter, { namespace: 'nobody' })).resolves.toEqual({ runs: [], next: null });
    const others = await find(filter, { namespace: 'acme' });
    for (const { row } of others.runs) expect(row.namespace).toBe('acme');
  });

  it('finds a run by what it is now', async () => {
    const row = endedRow(R1, NOON + 9, { createdAt: NOON + 1 });
    await harness.store.append(sampleAppend(R1, { expectedSeq: 2, row }));
    expect(idsOf((await find({ statuses: ['paused'] })).runs)).toEqual([]);
    expect(idsOf((await find({ hasOpenGate: true })).runs)).toEqual([R5]);
    expect(idsOf((await find({ gateUnit: 'sign' })).runs)).toEqual([]);
    const [listed] = (
      await find({ statuses: ['completed'], workflowId: 'invoices', createdBefore: NOON + 2 })
    ).runs;
    expect(listed).toMatchObject({ row: { runId: R1, endedAt: NOON + 9 }, openGates: [] });
  });

  it('keeps what a run began with, whatever later appends say', async () => {
    const row: RunRow = sampleRow(FORK, { createdAt: NOON + 6, origin: 'client', forkedFrom: null });
    await harness.store.append(sampleAppend(FORK, { expectedSeq: 2, row }));
    const [listed] = (await find({ forkedFrom: R0 })).runs;
    expect(listed?.row).toMatchObject({ origin: 'fork', forkedFrom: R0, status: 'running' });
  });

  it('shows the oldest 20 of many gates, and finds a run by any of them', async () => {
    const openGates = Array.from({ length: 30 }, (_, index) => ({
      gateId: 30 - index,
      unitId: index === 0 ? 'newest' : 'many',
      openedAt: NOON + 30 - index,
    }));
    await harness.store.append(
      sampleAppend(R4, { expectedSeq: 2, row: sampleRow(R4, { createdAt: NOON + 2 }), openGates }),
    );
    const [listed] = (await find({ gateUnit: 'newest' })).runs;
    expect(listed?.openGates.map(({ gateId }) => gateId)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(idsOf((await find({ gateUnit: 'many' })).runs)).toEqual([R4]);
  });

  it('shows what a run spent', async () => {
    const figures = { tokens: 12.5, cost: 1e300, activeMs: 7, activeSince: null };
    const row = sampleRow(R4, { createdAt: NOON + 2, status: 'paused', figures });
    await harness.store.append(sampleAppend(R4, { expectedSeq: 2, row }));
    const later = { ...figures, tokens: 2 ** 60, activeSince: NOON + 8 };
    const moved = { ...row, figures: later };
    expect((await harness.store.readRow({ runId: R4 }))?.figures).toEqual(figures);
    await harness.store.append(sampleAppend(R4, { expectedSeq: 4, row: moved }));
    expect((await harness.store.readRow({ runId: R4 }))?.figures).toEqual(later);
  });
}
