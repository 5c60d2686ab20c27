import type { LogEntry } from '../../../../ports/store/commit-log.js';
import type { RunStoreHarness } from '../support/contract.js';
import { endedRow, sampleAppend, sampleEvents, sampleRow, sampleRunId } from '../support/sample-run.js';

const RUN = sampleRunId(1);
const OTHER = sampleRunId(2);

export default function readAllContract(harness: RunStoreHarness): void {
  it('returns nothing for an empty store', async () => {
    await expect(harness.store.readAll({ afterPosition: 0, limit: 10 })).resolves.toEqual([]);
  });

  it('returns one entry for each append, in the order of the appends', async () => {
    const row = sampleRow(OTHER, { workflowId: 'other', namespace: 'acme' });
    await harness.store.append(sampleAppend(RUN, { count: 2 }));
    await harness.store.append(sampleAppend(OTHER, { count: 1, row }));
    await harness.store.append(sampleAppend(RUN, { expectedSeq: 2, count: 1 }));
    const entries = await harness.store.readAll({ afterPosition: 0, limit: 10 });
    const appended = { kind: 'appended', position: expect.any(Number), definitionHash: row.definitionHash };
    const ofRun = { ...appended, runId: RUN, namespace: 'default', workflowId: 'invoices' };
    expect(entries).toEqual([
      { ...ofRun, events: sampleEvents(0, 2) },
      { ...appended, runId: OTHER, namespace: 'acme', workflowId: 'other', events: sampleEvents(0, 1) },
      { ...ofRun, events: sampleEvents(2, 1) },
    ]);
  });

  it('says of what an import wrote that it is one, in one entry or in several', async () => {
    const row = sampleRow(OTHER, { origin: 'import' });
    await harness.store.append(sampleAppend(RUN));
    await harness.store.append(sampleAppend(OTHER, { count: 3, row }));
    const entries = await harness.store.readAll({ afterPosition: 0, limit: 10 });
    const flags = entries.map((entry) => [entry.runId, entry.kind === 'appended' && entry.isImport]);
    expect(new Map(flags as [string, unknown][])).toEqual(
      new Map([
        [RUN, undefined],
        [OTHER, true],
      ]),
    );
    const imported = entries.filter(({ runId }) => runId === OTHER);
    expect(imported.flatMap((entry) => (entry.kind === 'appended' ? entry.events : []))).toEqual(
      sampleEvents(0, 3),
    );
  });

  it('returns at most the limit, after the position', async () => {
    for (let index = 1; index <= 3; index += 1) await harness.store.append(sampleAppend(sampleRunId(index)));
    const [first] = await harness.store.readAll({ afterPosition: 0, limit: 1 });
    const rest = await harness.store.readAll({ afterPosition: first!.position, limit: 1 });
    expect(rest.map(({ runId }) => runId)).toEqual([sampleRunId(2)]);
  });

  it('may leave out appends without the events that are looked for, and never the last of a page', async () => {
    for (let index = 1; index <= 3; index += 1) await harness.store.append(sampleAppend(sampleRunId(index)));
    const [event] = sampleEvents(0, 1);
    const all = await harness.store.readAll({ afterPosition: 0, limit: 10 });
    await expect(
      harness.store.readAll({ afterPosition: 0, limit: 10, types: [event!.type] }),
    ).resolves.toEqual(all);
    const others = await harness.store.readAll({ afterPosition: 0, limit: 10, types: ['no-such-type'] });
    expect(others.at(-1)).toEqual(all.at(-1));
    expect(all).toEqual(expect.arrayContaining([...others]));
    await expect(
      harness.store.readAll({ afterPosition: all.at(-1)!.position, limit: 10, types: ['no-such-type'] }),
    ).resolves.toEqual([]);
  });

  it('has nothing of a refused append', async () => {
    await harness.store.append(sampleAppend(RUN));
    await harness.store.append(sampleAppend(RUN));
    await expect(harness.store.readAll({ afterPosition: 0, limit: 10 })).resolves.toHaveLength(1);
  });

  it('shows a follower that reads while others append and purge every entry once, with growing positions (promise 4)', async () => {
    const total = 120;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; index < total / 4; index += 1) {
        const runId = sampleRunId(writer * total + index);
        const row = index % 3 === 0 ? endedRow(runId, 5) : sampleRow(runId);
        await harness.store.append(sampleAppend(runId, { count: 1, row }));
      }
    });
    const seen: LogEntry[] = [];
    const runs = new Set<string>();
    while (runs.size < total) {
      const afterPosition = seen.at(-1)?.position ?? 0;
      const page = await harness.store.readAll({ afterPosition, limit: 7 });
      seen.push(...page);
      for (const { runId } of page) runs.add(runId);
      const throughPosition = seen.at(-1)?.position ?? 0;
      await harness.store.purgeEnded({ endedBefore: 6, throughPosition, limit: 3 });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(writers);
    const positions = seen.map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    const appended = seen.filter(({ kind }) => kind === 'appended');
    expect(new Set(appended.map(({ runId }) => runId)).size).toBe(total);
    expect(appended).toHaveLength(total);
  });
}
