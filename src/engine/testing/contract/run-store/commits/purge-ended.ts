import { ANY_RUN } from '../../../../ports/store/run-filter.js';
import type { RunStoreHarness } from '../support/contract.js';
import { NOON, endedRow, sampleAppend, sampleKey, sampleRow, sampleRunId } from '../support/sample-run.js';

const LATE = sampleRunId(1);
const EARLY = sampleRunId(2);
const LIVE = sampleRunId(3);
const MIDDLE = sampleRunId(4);

export default function purgeEndedContract(harness: RunStoreHarness): void {
  const purge = (
    endedBefore: number,
    { throughPosition = null as number | null, limit = 10 } = {},
  ): Promise<readonly string[]> => harness.store.purgeEnded({ endedBefore, throughPosition, limit });
  const log = async (afterPosition = 0): Promise<readonly string[]> =>
    (await harness.store.readAll({ afterPosition, limit: 99 })).map(({ kind, runId }) => `${kind} ${runId}`);

  beforeEach(async () => {
    await harness.store.append(
      sampleAppend(LATE, { row: endedRow(LATE, NOON + 3), idempotency: [sampleKey(LATE)] }),
    );
    await harness.store.append(
      sampleAppend(EARLY, {
        row: endedRow(EARLY, NOON + 1, { status: 'failed', namespace: 'acme' }),
        idempotency: [sampleKey(EARLY, { key: 'key-2' })],
        storedState: { seq: 2, stateVersion: 1, state: {} },
      }),
    );
    await harness.store.append(sampleAppend(LIVE, { row: sampleRow(LIVE, { createdAt: NOON - 99 }) }));
    await harness.store.append(sampleAppend(MIDDLE, { row: endedRow(MIDDLE, NOON + 2) }));
  });

  it('deletes those that ended before the instant and returns their ids, oldest first', async () => {
    await expect(purge(NOON + 3)).resolves.toEqual([EARLY, MIDDLE]);
    const all = { namespace: 'default', filter: ANY_RUN, before: null, limit: 10 };
    const left = (await harness.store.findRuns(all)).runs;
    expect(left.map(({ row }) => row.runId)).toEqual([LATE, LIVE]);
  });

  it('deletes at most the limit, the oldest first', async () => {
    await expect(purge(NOON + 9, { limit: 1 })).resolves.toEqual([EARLY]);
    await expect(purge(NOON + 9, { limit: 2 })).resolves.toEqual([MIDDLE, LATE]);
    await expect(purge(NOON + 9, { limit: 2 })).resolves.toEqual([]);
  });

  it('leaves nothing of a deleted run, and the others as they were', async () => {
    await purge(NOON + 3);
    await expect(harness.store.load({ runId: EARLY, atSeq: null })).resolves.toBeNull();
    await expect(harness.store.readRow({ runId: EARLY })).resolves.toBeNull();
    await expect(harness.store.readEvents({ runId: EARLY, afterSeq: 0, limit: 9 })).resolves.toEqual([]);
    await expect(harness.store.readIdempotency(sampleKey(EARLY, { key: 'key-2' }))).resolves.toBeNull();
    await expect(harness.store.readIdempotency(sampleKey(LATE))).resolves.toMatchObject({ runId: LATE });
  });

  it('writes a tombstone for each at the end of the log; nothing is left where its appends were', async () => {
    await purge(NOON + 3);
    const entries = await harness.store.readAll({ afterPosition: 0, limit: 10 });
    expect(entries).toMatchObject([
      { kind: 'appended', runId: LATE },
      { kind: 'appended', runId: LIVE },
      { kind: 'purged', runId: EARLY, namespace: 'acme', workflowId: 'invoices' },
      { kind: 'purged', runId: MIDDLE, namespace: 'default', workflowId: 'invoices' },
    ]);
    const positions = entries.map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
  });

  it('takes no run with an entry that the slowest follower has not read', async () => {
    const [, early] = await harness.store.readAll({ afterPosition: 0, limit: 2 });
    await expect(purge(NOON + 9, { throughPosition: 0 })).resolves.toEqual([]);
    await expect(purge(NOON + 9, { throughPosition: early!.position })).resolves.toEqual([EARLY, LATE]);
    await harness.store.append(
      sampleAppend(MIDDLE, { expectedSeq: 2, count: 1, row: endedRow(MIDDLE, NOON + 2) }),
    );
    const last = await harness.store.lastPosition();
    await expect(purge(NOON + 9, { throughPosition: last - 1 })).resolves.toEqual([]);
    await expect(purge(NOON + 9, { throughPosition: last })).resolves.toEqual([MIDDLE]);
  });

  it('finds those that may go after those that may not', async () => {
    await harness.store.append(
      sampleAppend(EARLY, { expectedSeq: 2, count: 1, row: endedRow(EARLY, NOON + 1) }),
    );
    const throughPosition = (await harness.store.lastPosition()) - 1;
    await expect(purge(NOON + 9, { throughPosition, limit: 1 })).resolves.toEqual([MIDDLE]);
  });

  it('spares a run that ended and continues again', async () => {
    await harness.store.append(sampleAppend(EARLY, { expectedSeq: 2, row: sampleRow(EARLY) }));
    await expect(purge(NOON + 2)).resolves.toEqual([]);
  });

  it('keeps a run that a stored run is a fork of as long as that one', async () => {
    const fork = sampleRunId(5);
    const row = endedRow(fork, NOON + 5, { origin: 'fork', forkedFrom: EARLY, createdAt: NOON + 1 });
    await harness.store.append(sampleAppend(fork, { row }));
    await expect(purge(NOON + 4)).resolves.toEqual([MIDDLE, LATE]);
    await expect(harness.store.readEvents({ runId: EARLY, afterSeq: 0, limit: 9 })).resolves.toHaveLength(2);
    await expect(purge(NOON + 9)).resolves.toEqual([fork, EARLY]);
    await expect(purge(NOON + 9)).resolves.toEqual([]);
  });

  it('finds those that may go after ten thousand that may not, and those before them that may by now', async () => {
    const kept = Array.from({ length: 10_050 }, (_, index) => sampleRunId(100 + index));
    const ended = (runId: string, concernsFamily: boolean) =>
      sampleAppend(runId, { row: endedRow(runId, NOON - 1), concernsFamily, count: 1 });
    // A store in memory limits what has ended, except what a follower has still to read.
    await harness.store.writeCursor({ name: 'sample', position: 0 });
    await Promise.all(kept.map(async (runId) => harness.store.append(ended(runId, true))));
    await expect(purge(NOON + 9, { limit: 2 })).resolves.toEqual([EARLY, MIDDLE]);
    const again = sampleRunId(99);
    await harness.store.append(ended(again, false));
    const rest = await purge(NOON + 9, { limit: 3 });
    expect([...rest].sort()).toEqual([LATE, again].sort());
    await expect(purge(NOON + 9)).resolves.toEqual([]);
    await harness.store.dropFamilyLog({ throughPosition: await harness.store.lastPosition() });
    await expect(purge(NOON + 9, { limit: 20_000 })).resolves.toEqual(kept);
  });

  it('takes a chain of forks from its end to its beginning', async () => {
    const chain = [EARLY, ...Array.from({ length: 4 }, (_, index) => sampleRunId(5 + index))];
    for (const [index, runId] of chain.entries()) {
      if (index === 0) continue;
      const forkedFrom = chain[index - 1]!;
      const row = endedRow(runId, NOON + 5 + index, { origin: 'fork', forkedFrom, createdAt: NOON + 1 });
      await harness.store.append(sampleAppend(runId, { row }));
    }
    await expect(purge(NOON + 5)).resolves.toEqual([MIDDLE, LATE]);
    const fromItsEnd = chain.toReversed();
    await expect(purge(NOON + 99, { limit: 2 })).resolves.toEqual(fromItsEnd.slice(0, 2));
    await expect(purge(NOON + 99)).resolves.toEqual(fromItsEnd.slice(2));
    await expect(purge(NOON + 99)).resolves.toEqual([]);
  });

  it('stops in a chain of forks at one that must stay', async () => {
    const [fork, forkOfIt] = [sampleRunId(5), sampleRunId(6)];
    const forked = (runId: string, forkedFrom: string, concernsFamily: boolean) => {
      const row = endedRow(runId, NOON + 5, { origin: 'fork', forkedFrom, createdAt: NOON + 1 });
      return sampleAppend(runId, { row, concernsFamily });
    };
    await harness.store.append(forked(fork, EARLY, true));
    await harness.store.append(forked(forkOfIt, fork, false));
    await expect(purge(NOON + 9)).resolves.toEqual([MIDDLE, LATE, forkOfIt]);
    await expect(purge(NOON + 9)).resolves.toEqual([]);
  });

  it('lets a run of the same id begin again, and be purged again', async () => {
    await purge(NOON + 2);
    expect(await harness.store.append(sampleAppend(EARLY))).toBe('appended');
    const loaded = await harness.store.load({ runId: EARLY, atSeq: null });
    expect(loaded).toMatchObject({ storedState: null, row: sampleRow(EARLY) });
    expect(loaded?.events).toHaveLength(2);
    const before = await harness.store.lastPosition();
    await harness.store.append(sampleAppend(EARLY, { expectedSeq: 2, row: endedRow(EARLY, NOON) }));
    await expect(purge(NOON + 1)).resolves.toEqual([EARLY]);
    await expect(log(before)).resolves.toEqual([`purged ${EARLY}`]);
  });
}
