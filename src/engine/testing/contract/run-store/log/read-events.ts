import type { RunStoreHarness } from '../support/contract.js';
import { sampleAppend, sampleEvents, sampleRunId } from '../support/sample-run.js';

const RUN = sampleRunId(1);

export default function readEventsContract(harness: RunStoreHarness): void {
  beforeEach(async () => {
    await harness.store.append(sampleAppend(RUN, { count: 3 }));
    await harness.store.append(sampleAppend(sampleRunId(2), { count: 1 }));
    await harness.store.append(sampleAppend(RUN, { expectedSeq: 3, count: 4 }));
  });

  it.each([
    ['all', 0, 100, 0, 7],
    ['a page that ends within an append', 0, 5, 0, 5],
    ['a page that begins within an append', 4, 2, 4, 2],
    ['a page that begins at an append', 3, 1, 3, 1],
    ['nothing after the end', 7, 10, 7, 0],
    ['nothing when nothing is asked for', 0, 0, 0, 0],
  ])('returns %s, oldest first', async (_what, afterSeq, limit, after, count) => {
    await expect(harness.store.readEvents({ runId: RUN, afterSeq, limit })).resolves.toEqual(
      sampleEvents(after, count),
    );
  });

  it.each([0, 1, 500, 1_000_000])(
    'returns all of them in pages of about %s characters, none of which is empty before the end',
    async (maxChars) => {
      const found: unknown[] = [];
      for (let afterSeq = 0; afterSeq < 7;) {
        const page = await harness.store.readEvents({ runId: RUN, afterSeq, limit: 5, maxChars });
        expect(page.length).toBeGreaterThan(0);
        expect(page.length).toBeLessThanOrEqual(5);
        found.push(...page);
        afterSeq = page.at(-1)!.seq;
      }
      expect(found).toEqual(sampleEvents(0, 7));
      expect(await harness.store.readEvents({ runId: RUN, afterSeq: 7, limit: 5, maxChars })).toEqual([]);
    },
  );

  it('returns an empty list for a run that does not exist', async () => {
    await expect(
      harness.store.readEvents({ runId: sampleRunId(3), afterSeq: 0, limit: 10 }),
    ).resolves.toEqual([]);
  });
}
