import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleRunId } from '../support/sample-run.js';

const RUN = sampleRunId(1);

export default function readLabelsContract(harness: RunStoreHarness): void {
  it('returns none for an unknown run and for one without', async () => {
    await harness.store.append(sampleAppend(RUN));
    await expect(harness.store.readLabels({ runId: RUN })).resolves.toEqual({});
    await expect(harness.store.readLabels({ runId: sampleRunId(2) })).resolves.toEqual({});
  });

  it('returns what came with the first append, whatever its names are', async () => {
    const labels = Object.fromEntries([
      ['team', 'Zażółć'],
      ['__proto__', 'x'],
      ['', ''],
    ]);
    await harness.store.append(sampleAppend(RUN, { labels }));
    await harness.store.append(sampleAppend(sampleRunId(2), { labels: { team: 'other' } }));
    const read = await harness.store.readLabels({ runId: RUN });
    expect(Object.entries(read).sort()).toEqual(Object.entries(labels).sort());
  });

  it('ignores those of a later append', async () => {
    await harness.store.append(sampleAppend(RUN, { labels: { team: 'a' } }));
    await harness.store.append(sampleAppend(RUN, { expectedSeq: 2, labels: { team: 'b', more: 'c' } }));
    await expect(harness.store.readLabels({ runId: RUN })).resolves.toEqual({ team: 'a' });
  });

  it('has them after the end of the run, until it is purged', async () => {
    await harness.store.append(sampleAppend(RUN, { labels: { team: 'a' }, row: endedRow(RUN, NOON) }));
    await expect(harness.store.readLabels({ runId: RUN })).resolves.toEqual({ team: 'a' });
    await harness.store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 1 });
    await harness.store.append(sampleAppend(RUN));
    await expect(harness.store.readLabels({ runId: RUN })).resolves.toEqual({});
  });
}
