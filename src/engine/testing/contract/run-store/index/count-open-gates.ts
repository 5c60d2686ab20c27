import type { WorkflowPatterns } from '../../../../ports/access/workflow-patterns.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRow, sampleRunId } from '../support/sample-run.js';

const gate = (gateId: number) => ({ gateId, unitId: 'sign', openedAt: NOON });

export default function countOpenGatesContract(harness: RunStoreHarness): void {
  const count = (
    workflowId: string | null,
    namespace = 'default',
    workflows: WorkflowPatterns | null = null,
  ): Promise<number> => harness.store.countOpenGates({ namespace, workflowId, workflows });

  it('counts those that wait, of a namespace and of a workflow', async () => {
    await expect(count(null)).resolves.toBe(0);
    const [one, two, three] = [sampleRunId(1), sampleRunId(2), sampleRunId(3)];
    await harness.store.append(sampleAppend(one, { openGates: [gate(1), gate(2)] }));
    const row = sampleRow(two, { workflowId: 'other' });
    await harness.store.append(sampleAppend(two, { row, openGates: [gate(1)] }));
    const foreign = sampleRow(three, { namespace: 'acme' });
    await harness.store.append(sampleAppend(three, { row: foreign, openGates: [gate(1)] }));
    await expect(Promise.all([count(null), count('other'), count('nobody')])).resolves.toEqual([3, 1, 0]);
    await expect(count(null, 'acme')).resolves.toBe(1);
    const shown = [['other'], ['invoices', 'o*'], ['*'], ['oth', 'others', 'nobody*'], []].map((patterns) =>
      count(null, 'default', patterns),
    );
    await expect(Promise.all(shown)).resolves.toEqual([1, 3, 3, 0, 0]);
    await expect(count('other', 'default', ['invoices'])).resolves.toBe(0);
    await expect(count('other', 'default', ['o*'])).resolves.toBe(1);
    await harness.store.append(sampleAppend(one, { expectedSeq: 2, row: endedRow(one, NOON) }));
    await expect(count(null)).resolves.toBe(1);
  });
}
