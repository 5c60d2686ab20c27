import type { AppendRequest } from '../../../../ports/store/append.js';
import type { RunStoreHarness } from '../support/contract.js';
import { sampleAppend, sampleDefinition, sampleKey, sampleRow, sampleRunId } from '../support/sample-run.js';

const RUN = sampleRunId(1);
const SOURCE = sampleRunId(9);

/** An append that requires that the registration it was made from still holds. */
export default function appendStartedFromContract(harness: RunStoreHarness): void {
  const start = async (
    hash: string,
    bootId: string | null,
    changes: Partial<AppendRequest> = {},
  ): Promise<string> =>
    harness.store.append(
      sampleAppend(RUN, {
        startedFrom: { hash, opening: bootId },
        idempotency: [sampleKey(RUN)],
        labels: { team: 'a' },
        ...changes,
      }),
    );

  it.each([
    ['in this boot', 'opening-2'],
    ['in whichever boot', null],
  ])('is written while the definition is what was registered last, %s', async (_when, bootId) => {
    const definition = sampleDefinition({ hash: 'hash-0' });
    await harness.store.register({ definition, opening: 'opening-1' });
    await harness.store.register({ definition: sampleDefinition(), opening: 'opening-2' });
    await expect(start('hash-1', bootId)).resolves.toBe('appended');
    await expect(harness.store.readRow({ runId: RUN })).resolves.toEqual(sampleRow(RUN));
  });

  it.each([
    ['another definition is registered', 'hash-0', null, {}],
    ['an earlier boot registered it', 'hash-1', 'opening-2', {}],
    ['nothing is registered', 'hash-1', null, { workflowId: 'unknown' }],
    ['another namespace registered it', 'hash-1', null, { namespace: 'acme' }],
  ])('is stale, and nothing of it is written, when %s', async (_what, hash, bootId, row) => {
    await harness.store.register({ definition: sampleDefinition(), opening: 'opening-1' });
    await expect(start(hash, bootId, { row: sampleRow(RUN, row) })).resolves.toBe('stale');
    await expect(harness.store.readRow({ runId: RUN })).resolves.toBeNull();
    await expect(harness.store.readIdempotency(sampleKey(RUN))).resolves.toBeNull();
    await expect(harness.store.readLabels({ runId: RUN })).resolves.toEqual({});
    await expect(harness.store.lastPosition()).resolves.toBe(0);
  });

  it('is stale, and not written, when the run that it is a fork of is not stored any more', async () => {
    const row = sampleRow(RUN, { origin: 'fork', forkedFrom: SOURCE });
    const fork = async () => harness.store.append(sampleAppend(RUN, { row }));
    await expect(fork()).resolves.toBe('stale');
    await expect(harness.store.readRow({ runId: RUN })).resolves.toBeNull();
    await harness.store.append(sampleAppend(SOURCE));
    await expect(fork()).resolves.toBe('appended');
  });

  it('does not require the source of what is imported: that may come later, or never', async () => {
    const row = sampleRow(RUN, { origin: 'import', forkedFrom: SOURCE });
    expect(await harness.store.append(sampleAppend(RUN, { row }))).toBe('appended');
  });

  it('is checked in the order of the writes', async () => {
    const results = await Promise.all([
      harness.store.register({ definition: sampleDefinition(), opening: 'opening-1' }),
      start('hash-1', 'opening-1'),
      harness.store.register({ definition: sampleDefinition({ hash: 'hash-2' }), opening: 'opening-1' }),
      harness.store.append(
        sampleAppend(sampleRunId(2), { startedFrom: { hash: 'hash-1', opening: 'opening-1' } }),
      ),
    ]);
    expect([results[1], results[3]]).toEqual(['appended', 'stale']);
  });

  it('conflicts rather when its key is known: the caller finds the run that it requests again', async () => {
    await harness.store.append(sampleAppend(sampleRunId(2), { idempotency: [sampleKey(sampleRunId(2))] }));
    await expect(start('hash-0', null)).resolves.toBe('conflict');
  });
}
