import type { RunStoreHarness } from '../support/contract.js';
import { sampleAppend, sampleEvents, sampleRow, sampleRunId } from '../support/sample-run.js';

const RUN = sampleRunId(1);
const STATE_4 = { seq: 4, stateVersion: 7, state: { outputs: [1, { two: null }] } };
const STATE_6 = { seq: 6, stateVersion: 7, state: 'six' };

async function appendWithStates({ store }: RunStoreHarness): Promise<void> {
  await store.append(sampleAppend(RUN, { count: 3 }));
  await store.append(sampleAppend(RUN, { expectedSeq: 3, count: 1, storedState: STATE_4 }));
  await store.append(sampleAppend(RUN, { expectedSeq: 4, count: 2, storedState: STATE_6 }));
  await store.append(sampleAppend(RUN, { expectedSeq: 6, count: 2 }));
}

export default function loadContract(harness: RunStoreHarness): void {
  it('returns null for a run that does not exist', async () => {
    await expect(harness.store.load({ runId: RUN, atSeq: null })).resolves.toBeNull();
  });

  it.each([
    ['the end', null, STATE_6, 6, 2],
    ['the seq of a stored state', 6, STATE_6, 6, 0],
    ['a seq between two stored states', 5, STATE_4, 4, 1],
    ['a seq before every stored state, within an append', 2, null, 0, 2],
    ['the start', 0, null, 0, 0],
    ['a seq that is not reached yet', 99, STATE_6, 6, 2],
  ])(
    'stops at %s, with the newest stored state before it',
    async (_where, atSeq, storedState, after, count) => {
      await appendWithStates(harness);
      await expect(harness.store.load({ runId: RUN, atSeq })).resolves.toEqual({
        row: sampleRow(RUN, { lastSeq: 8 }),
        storedState,
        events: sampleEvents(after, count),
      });
    },
  );

  it('has the newest stored state after a great many', async () => {
    for (let seq = 0; seq < 20; seq += 1) {
      const storedState = { seq: seq + 1, stateVersion: 7, state: seq };
      await harness.store.append(sampleAppend(RUN, { expectedSeq: seq, count: 1, storedState }));
    }
    const loaded = await harness.store.load({ runId: RUN, atSeq: null });
    expect(loaded?.storedState).toEqual({ seq: 20, stateVersion: 7, state: 19 });
    expect(loaded?.events).toEqual([]);
  });

  it('can still be folded up to any seq after a great many stored states', async () => {
    for (let seq = 0; seq < 20; seq += 1) {
      const storedState = { seq: seq + 1, stateVersion: 7, state: seq };
      await harness.store.append(sampleAppend(RUN, { expectedSeq: seq, count: 1, storedState }));
    }
    for (let atSeq = 1; atSeq <= 20; atSeq += 1) {
      const loaded = await harness.store.load({ runId: RUN, atSeq });
      const after = loaded?.storedState?.seq ?? 0;
      expect(after).toBeLessThanOrEqual(atSeq);
      expect(loaded?.events).toEqual(sampleEvents(after, atSeq - after));
    }
  });
}
