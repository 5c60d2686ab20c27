import type { OpenGate } from '../../../../ports/store/gates.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRunId } from '../support/sample-run.js';

const RUN = sampleRunId(1);

const gate = (gateId: number): OpenGate => ({ gateId, unitId: `sign ${gateId}`, openedAt: NOON + gateId });

export default function listOpenGatesContract(harness: RunStoreHarness): void {
  const append = async (expectedSeq: number, openGates: readonly OpenGate[] | null): Promise<string> =>
    harness.store.append(sampleAppend(RUN, { expectedSeq, openGates }));

  it('returns none for an unknown run and for one without', async () => {
    await append(0, null);
    await expect(harness.store.listOpenGates({ runId: RUN })).resolves.toEqual([]);
    await expect(harness.store.listOpenGates({ runId: sampleRunId(2) })).resolves.toEqual([]);
  });

  it('returns those of the run, oldest first', async () => {
    await append(0, [gate(10), gate(9)]);
    await harness.store.append(sampleAppend(sampleRunId(2), { openGates: [gate(3)] }));
    await expect(harness.store.listOpenGates({ runId: RUN })).resolves.toEqual([gate(9), gate(10)]);
  });

  it('returns those of the last append that named any', async () => {
    await append(0, [gate(1), gate(2)]);
    await append(2, [gate(2), gate(3)]);
    await append(4, null);
    await expect(harness.store.listOpenGates({ runId: RUN })).resolves.toEqual([gate(2), gate(3)]);
    await append(6, []);
    await expect(harness.store.listOpenGates({ runId: RUN })).resolves.toEqual([]);
  });

  it.each([
    ['says nothing of gates', null],
    ['still names some', [gate(1)]],
  ])('has none once the run has ended, though the append %s', async (_what, openGates) => {
    await append(0, [gate(1), gate(2)]);
    await harness.store.append(
      sampleAppend(RUN, { expectedSeq: 2, row: endedRow(RUN, NOON + 9), openGates }),
    );
    await expect(harness.store.listOpenGates({ runId: RUN })).resolves.toEqual([]);
  });

  it('has none of a run that ends as it begins', async () => {
    await harness.store.append(sampleAppend(RUN, { row: endedRow(RUN, NOON), openGates: [gate(1)] }));
    await expect(harness.store.listOpenGates({ runId: RUN })).resolves.toEqual([]);
  });

  it('has those of a run that continues after its end', async () => {
    await append(0, [gate(1)]);
    await harness.store.append(sampleAppend(RUN, { expectedSeq: 2, row: endedRow(RUN, NOON + 9) }));
    await append(4, [gate(6)]);
    await expect(harness.store.listOpenGates({ runId: RUN })).resolves.toEqual([gate(6)]);
  });
}
