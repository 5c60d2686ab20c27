import { NOON, sampleAct, targetsOf } from './support/sample-act.js';
import type { AuditStoreHarness } from './support/contract.js';

/** Promise 3. */
export default function readAfterContract(harness: AuditStoreHarness): void {
  it('is in the order in which acts were recorded, of all namespaces', async () => {
    const { audit } = harness;
    await audit.record({ acts: [sampleAct({ target: 'a', at: NOON + 5 }), sampleAct({ target: 'b' })] });
    const afterId = await audit.lastId();
    await audit.record({ acts: [sampleAct({ target: 'c', namespace: null })] });
    expect(targetsOf(await audit.readAfter({ afterId: 0, limit: 2 }))).toEqual(['a', 'b']);
    expect(targetsOf(await audit.readAfter({ afterId, limit: 2 }))).toEqual(['c']);
    expect(await audit.readAfter({ afterId: await audit.lastId(), limit: 2 })).toEqual([]);
  });

  it('leaves out nothing that is recorded at the same time, by whichever process', async () => {
    const { audit, elsewhere } = harness;
    const seen: (string | null)[] = [];
    let isOver = false;
    const recording = Promise.all(
      Array.from({ length: 40 }, (_, count) =>
        (count % 2 === 0 ? audit : elsewhere).record({ acts: [sampleAct({ target: String(count) })] }),
      ),
    ).finally(() => {
      isOver = true;
    });
    let afterId = 0;
    for (;;) {
      const wasOver = isOver;
      const page = await audit.readAfter({ afterId, limit: 7 });
      seen.push(...targetsOf(page));
      afterId = page.at(-1)?.id ?? afterId;
      if (wasOver && page.length === 0) break;
    }
    await recording;
    expect(seen.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, count) => count));
  });

  it('gives no id twice, also after the newest was removed', async () => {
    const { audit } = harness;
    await audit.record({ acts: [sampleAct()] });
    const first = await audit.lastId();
    await audit.removeBefore({ before: NOON + 1, limit: 10 });
    await audit.record({ acts: [sampleAct()] });
    expect(await audit.lastId()).toBeGreaterThan(first);
  });
}
