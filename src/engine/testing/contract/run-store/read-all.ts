import type { LogEntry } from '../../../ports/run-store.js';
import type { RunStoreHarness } from './support/contract.js';
import { sampleAppend, sampleEvents, sampleRow } from './support/sample-run.js';

export default function readAllContract(harness: RunStoreHarness): void {
  it('answers nothing for an empty store', async () => {
    await expect(harness.store.readAll({ afterPosition: 0, limit: 10 })).resolves.toEqual([]);
  });

  it('answers one entry for each append, in the order of the appends', async () => {
    await harness.store.append(sampleAppend('a', { count: 2 }));
    await harness.store.append(sampleAppend('b', { count: 1, row: sampleRow('b', { workflowId: 'other' }) }));
    await harness.store.append(sampleAppend('a', { expectedSeq: 2, count: 1 }));
    const entries = await harness.store.readAll({ afterPosition: 0, limit: 10 });
    expect(entries).toEqual([
      { position: expect.any(Number), runId: 'a', workflowId: 'invoices', events: sampleEvents(0, 2) },
      { position: expect.any(Number), runId: 'b', workflowId: 'other', events: sampleEvents(0, 1) },
      { position: expect.any(Number), runId: 'a', workflowId: 'invoices', events: sampleEvents(2, 1) },
    ]);
  });

  it('has nothing of a refused append', async () => {
    await harness.store.append(sampleAppend('a'));
    await harness.store.append(sampleAppend('a'));
    await expect(harness.store.readAll({ afterPosition: 0, limit: 10 })).resolves.toHaveLength(1);
  });

  it('shows a follower that reads while others append every append once, with growing positions (promise 4)', async () => {
    const total = 120;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; index < total / 4; index += 1) {
        await harness.store.append(sampleAppend(`run-${writer}-${index}`, { count: 1 }));
      }
    });
    const seen: LogEntry[] = [];
    while (seen.length < total) {
      const afterPosition = seen.at(-1)?.position ?? 0;
      seen.push(...(await harness.store.readAll({ afterPosition, limit: 7 })));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(writers);
    const positions = seen.map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    expect(new Set(seen.map(({ runId }) => runId)).size).toBe(total);
  });

  it('gives no position twice, also after the newest run was purged', async () => {
    await harness.store.append(
      sampleAppend('a', { row: sampleRow('a', { status: 'completed', endedAt: 5 }) }),
    );
    const [first] = await harness.store.readAll({ afterPosition: 0, limit: 1 });
    await harness.store.purgeEnded({ endedBefore: 6, limit: 1 });
    await harness.store.append(sampleAppend('b'));
    const [second] = await harness.store.readAll({ afterPosition: first!.position, limit: 1 });
    expect(second).toMatchObject({ runId: 'b' });
  });
}
