import type { RunStoreHarness } from './support/contract.js';
import { NOON, sampleAppend, sampleDefinition, sampleRow, sampleRunId } from './support/sample-run.js';

const RUN = sampleRunId(1);

/** Promise 8. Events, rows and states are given to the store permanently; everything else stays the caller's. */
export default function sharingContract(harness: RunStoreHarness): void {
  it('keeps labels, gates and keys as they were given, whatever becomes of the caller’s objects', async () => {
    const labels: Record<string, string> = { team: 'a' };
    const openGates = [{ gateId: 1, unitId: 'sign', openedAt: NOON }];
    const key = { scope: 'start:invoices', key: 'key-1', fingerprint: 'f', runId: RUN };
    await harness.store.append(sampleAppend(RUN, { labels, openGates, idempotency: [key] }));
    labels['team'] = 'b';
    openGates[0]!.unitId = 'other';
    openGates.pop();
    key.fingerprint = 'g';
    await expect(harness.store.readLabels({ runId: RUN })).resolves.toEqual({ team: 'a' });
    await expect(harness.store.listOpenGates({ runId: RUN })).resolves.toEqual([
      { gateId: 1, unitId: 'sign', openedAt: NOON },
    ]);
    await expect(
      harness.store.readIdempotency({ scope: 'start:invoices', key: 'key-1' }),
    ).resolves.toMatchObject({ fingerprint: 'f' });
  });

  it('keeps a definition as it was given', async () => {
    const headers = { authorization: 'a' };
    const definition = sampleDefinition({ bindings: { 'acme.pay': { headers } } });
    await harness.store.register({ definition, opening: 'one' });
    headers.authorization = 'b';
    await expect(
      harness.store.readDefinition({ namespace: 'default', hash: 'hash-1' }),
    ).resolves.toMatchObject({ bindings: { 'acme.pay': { headers: { authorization: 'a' } } } });
  });

  it('never changes what it returned', async () => {
    const gate = { gateId: 1, unitId: 'sign', openedAt: NOON };
    const storedState = { seq: 2, stateVersion: 1, state: { at: 2 } };
    await harness.store.append(
      sampleAppend(RUN, { openGates: [gate], storedState, row: sampleRow(RUN, { openExecutions: 1 }) }),
    );
    await harness.store.register({ definition: sampleDefinition(), opening: 'one' });
    const results = async (): Promise<readonly unknown[]> => [
      await harness.store.load({ runId: RUN, atSeq: null }),
      await harness.store.readEvents({ runId: RUN, afterSeq: 0, limit: 9 }),
      await harness.store.readRow({ runId: RUN }),
      await harness.store.listOpenGates({ runId: RUN }),
      await harness.store.listUnfinished({ lanes: null, afterRunId: null, limit: 9 }),
      await harness.store.readAll({ afterPosition: 0, limit: 9 }),
      await harness.store.listRegistrations({ namespace: null, opening: null }),
      await harness.store.readDefinition({ namespace: 'default', hash: 'hash-1' }),
    ];
    const before = await results();
    const asTheyWere = structuredClone(before);
    await harness.store.append(
      sampleAppend(RUN, {
        expectedSeq: 2,
        openGates: [],
        storedState: { seq: 4, stateVersion: 1, state: { at: 4 } },
        row: sampleRow(RUN, { status: 'paused' }),
      }),
    );
    await harness.store.append(sampleAppend(sampleRunId(2)));
    await harness.store.register({
      definition: sampleDefinition({ workflowId: 'other', bindings: {} }),
      opening: 'one',
    });
    expect(before).toEqual(asTheyWere);
    expect(await results()).not.toEqual(asTheyWere);
  });

  it.each([
    ['a list of events', (): Promise<readonly unknown[]> => events()],
    ['a list of gates', (): Promise<readonly unknown[]> => harness.store.listOpenGates({ runId: RUN })],
    [
      'a page of the log',
      (): Promise<readonly unknown[]> => harness.store.readAll({ afterPosition: 0, limit: 9 }),
    ],
  ])('is not touched by a caller that empties %s', async (_what, read) => {
    const openGates = [{ gateId: 1, unitId: 'sign', openedAt: NOON }];
    await harness.store.append(sampleAppend(RUN, { openGates }));
    const result = await read();
    const asItWas = [...result];
    try {
      (result as unknown[]).length = 0;
    } catch {
      // Frozen: so much the better.
    }
    await expect(read()).resolves.toEqual(asItWas);
  });

  function events(): Promise<readonly unknown[]> {
    return harness.store.readEvents({ runId: RUN, afterSeq: 0, limit: 9 });
  }
}
