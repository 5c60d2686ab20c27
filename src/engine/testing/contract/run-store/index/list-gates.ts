import type { DecidedGate, GateCursor, ListedGate, OpenGate } from '../../../../ports/store/gates.js';
import type { WorkflowPatterns } from '../../../../ports/access/workflow-patterns.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

const [ONE, TWO, OTHER, FOREIGN] = [1, 2, 3, 4].map((index) => sampleRunId(index)) as [
  string,
  string,
  string,
  string,
];

const gate = (gateId: number, at: number): OpenGate => ({ gateId, unitId: 'sign', openedAt: NOON + at });
const decision = (gateId: number, decidedAt: number, decidedSeq: number): DecidedGate => ({
  ...gate(gateId, 0),
  decidedAt: NOON + decidedAt,
  decidedSeq,
});

export default function listGatesContract(harness: RunStoreHarness): void {
  const list = (
    status: 'open' | 'decided',
    {
      namespace = 'default',
      workflowId = null as string | null,
      workflows = null as WorkflowPatterns | null,
      before = null as GateCursor | null,
      limit = 9,
    } = {},
  ) => harness.store.listGates({ namespace, status, workflowId, workflows, before, limit });
  const namesOf = (gates: readonly ListedGate[]): readonly string[] =>
    gates.map(({ runId, gateId }) => `${[ONE, TWO, OTHER, FOREIGN].indexOf(runId)}.${gateId}`);

  beforeEach(async () => {
    await harness.store.append(sampleAppend(ONE, { openGates: [gate(1, 5), gate(2, 5)] }));
    await harness.store.append(sampleAppend(TWO, { openGates: [gate(2, 7)] }));
    const other = sampleRow(OTHER, { workflowId: 'other', definitionHash: 'hash-2' });
    await harness.store.append(sampleAppend(OTHER, { row: other, openGates: [gate(2, 5)] }));
    const foreign = sampleRow(FOREIGN, { namespace: 'acme' });
    await harness.store.append(sampleAppend(FOREIGN, { row: foreign, openGates: [gate(2, 6)] }));
  });

  it('returns those that wait, newest first by when they opened, then by run and gate', async () => {
    const { gates, next } = await list('open');
    expect(namesOf(gates)).toEqual(['1.2', '2.2', '0.2', '0.1']);
    expect(next).toBeNull();
    expect(gates[1]).toEqual({
      ...gate(2, 5),
      runId: OTHER,
      workflowId: 'other',
      definitionHash: 'hash-2',
      decidedAt: null,
      decidedSeq: null,
    });
    await expect(list('decided')).resolves.toEqual({ gates: [], next: null });
  });

  it('returns those of a workflow, and of a namespace', async () => {
    expect(namesOf((await list('open', { workflowId: 'other' })).gates)).toEqual(['2.2']);
    expect(namesOf((await list('open', { workflowId: 'nobody' })).gates)).toEqual([]);
    expect(namesOf((await list('open', { namespace: 'acme' })).gates)).toEqual(['3.2']);
  });

  it.each<[WorkflowPatterns, readonly string[]]>([
    [['other'], ['2.2']],
    [['o*'], ['2.2']],
    [['invoice*'], ['1.2', '0.2', '0.1']],
    [
      ['invoices', 'other*'],
      ['1.2', '2.2', '0.2', '0.1'],
    ],
    [['*'], ['1.2', '2.2', '0.2', '0.1']],
    [['invoice', 'others', 'x*'], []],
    [[], []],
  ])('returns those of workflows that fit %j, page by page, and no others', async (workflows, expected) => {
    const decidedGates = [decision(1, 20, 3)];
    for (const limit of [1, 2, 9]) {
      const seen: string[] = [];
      let before: GateCursor | null = null;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list('open', { workflows, before, limit });
        seen.push(...namesOf(page.gates));
        before = page.next;
      } while (before !== null);
      expect(seen).toEqual(expected);
    }
    await harness.store.append(sampleAppend(ONE, { expectedSeq: 2, openGates: [gate(2, 5)], decidedGates }));
    const decided = namesOf((await list('decided', { workflows })).gates);
    expect(decided).toEqual(expected.filter((name) => name === '0.1'));
    const other = await list('open', { workflowId: 'other', workflows });
    expect(namesOf(other.gates)).toEqual(expected.filter((name) => name === '2.2'));
  });

  it.each([1, 2, 3])('continues where a page of %d ended', async (limit) => {
    const seen: string[] = [];
    let before: GateCursor | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list('open', { before, limit });
      expect(page.gates.length).toBeLessThanOrEqual(limit);
      seen.push(...namesOf(page.gates));
      before = page.next;
    } while (before !== null);
    expect(seen).toEqual(['1.2', '2.2', '0.2', '0.1']);
  });

  it('moves a gate to the decided ones with its decision', async () => {
    const decidedGates = [decision(1, 20, 3)];
    await harness.store.append(sampleAppend(ONE, { expectedSeq: 2, openGates: [gate(2, 5)], decidedGates }));
    expect(namesOf((await list('open')).gates)).toEqual(['1.2', '2.2', '0.2']);
    await expect(list('decided')).resolves.toEqual({
      gates: [{ ...decision(1, 20, 3), runId: ONE, workflowId: 'invoices', definitionHash: 'hash-1' }],
      next: null,
    });
  });

  it('returns decided ones newest first by when that was, in pages, of a workflow and of a namespace', async () => {
    await harness.store.append(
      sampleAppend(ONE, {
        expectedSeq: 2,
        openGates: [],
        decidedGates: [decision(2, 20, 3), decision(1, 21, 4)],
      }),
    );
    await harness.store.append(
      sampleAppend(OTHER, { expectedSeq: 2, openGates: [], decidedGates: [decision(2, 20, 3)] }),
    );
    expect(namesOf((await list('decided')).gates)).toEqual(['0.1', '2.2', '0.2']);
    const { gates, next } = await list('decided', { limit: 2 });
    expect(namesOf(gates)).toEqual(['0.1', '2.2']);
    expect(namesOf((await list('decided', { before: next, limit: 2 })).gates)).toEqual(['0.2']);
    expect(namesOf((await list('decided', { workflowId: 'other' })).gates)).toEqual(['2.2']);
    expect(namesOf((await list('decided', { namespace: 'acme' })).gates)).toEqual([]);
  });

  it('has a gate that was opened and decided again once, with the newest decision', async () => {
    await harness.store.append(
      sampleAppend(TWO, { expectedSeq: 2, openGates: [], decidedGates: [decision(2, 20, 3)] }),
    );
    await harness.store.append(sampleAppend(TWO, { expectedSeq: 4, openGates: [gate(2, 7)] }));
    expect(namesOf((await list('open', { limit: 1 })).gates)).toEqual(['1.2']);
    await harness.store.append(
      sampleAppend(TWO, { expectedSeq: 6, openGates: [], decidedGates: [decision(2, 30, 7)] }),
    );
    const { gates } = await list('decided');
    expect(gates).toMatchObject([{ runId: TWO, decidedAt: NOON + 30, decidedSeq: 7 }]);
  });

  it('keeps the decisions of a run that has ended, and no gate that waits there', async () => {
    const row = endedRow(ONE, NOON + 9);
    await harness.store.append(
      sampleAppend(ONE, { expectedSeq: 2, row, openGates: [gate(2, 5)], decidedGates: [decision(1, 9, 3)] }),
    );
    expect(namesOf((await list('open')).gates)).toEqual(['1.2', '2.2']);
    expect(namesOf((await list('decided')).gates)).toEqual(['0.1']);
    await harness.store.purgeEnded({ endedBefore: NOON + 10, throughPosition: null, limit: 9 });
    expect(namesOf((await list('decided')).gates)).toEqual([]);
  });
}
