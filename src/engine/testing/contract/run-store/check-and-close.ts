import { ANY_RUN } from '../../../ports/store/run-filter.js';
import { StoreError } from '../../../../errors/service-errors.js';
import type { RunStore } from '../../../ports/store/run-store.js';
import type { RunStoreHarness } from './support/contract.js';
import { sampleAppend, sampleDefinition, sampleRunId } from './support/sample-run.js';

const RUN = sampleRunId(1);

const CALLS: readonly (readonly [keyof RunStore, (store: RunStore) => Promise<unknown>])[] = [
  ['append', async (store) => store.append(sampleAppend(RUN))],
  ['load', (store) => store.load({ runId: RUN, atSeq: null })],
  ['readRow', (store) => store.readRow({ runId: RUN })],
  ['readEvents', (store) => store.readEvents({ runId: RUN, afterSeq: 0, limit: 1 })],
  ['findRuns', (store) => store.findRuns({ namespace: 'default', filter: ANY_RUN, before: null, limit: 1 })],
  ['readListed', (store) => store.readListed({ runId: RUN })],
  [
    'listGates',
    (store) =>
      store.listGates({
        namespace: 'default',
        status: 'open',
        workflowId: null,
        workflows: null,
        before: null,
        limit: 1,
      }),
  ],
  [
    'countOpenGates',
    (store) => store.countOpenGates({ namespace: 'default', workflowId: null, workflows: null }),
  ],
  ['countOpenRuns', (store) => store.countOpenRuns({ namespace: 'default', atMost: 1 })],
  ['countStanding', (store) => store.countStanding()],
  ['readChanges', (store) => store.readChanges({ afterPosition: 0, limit: 1 })],
  [
    'listDefinitions',
    (store) =>
      store.listDefinitions({ namespace: 'default', workflowId: 'invoices', before: null, limit: 1 }),
  ],
  ['listUnfinished', (store) => store.listUnfinished({ lanes: null, afterRunId: null, limit: 1 })],
  ['listDue', (store) => store.listDue({ lanes: null, before: 1, after: null, limit: 1 })],
  ['listOpenGates', (store) => store.listOpenGates({ runId: RUN })],
  ['readLabels', (store) => store.readLabels({ runId: RUN })],
  ['saveDefinition', (store) => store.saveDefinition(sampleDefinition())],
  ['readDefinition', (store) => store.readDefinition({ namespace: 'default', hash: 'h' })],
  ['register', (store) => store.register({ definition: sampleDefinition(), opening: 'one' })],
  [
    'readRegistration',
    (store) => store.readRegistration({ namespace: 'default', workflowId: 'w', opening: null }),
  ],
  ['unregister', (store) => store.unregister({ namespace: 'default', workflowId: 'w', opening: null })],
  ['listRegistrations', (store) => store.listRegistrations({ namespace: null, opening: null })],
  ['readIdempotency', (store) => store.readIdempotency({ scope: 's', key: 'k' })],
  ['readAll', (store) => store.readAll({ afterPosition: 0, limit: 1 })],
  ['lastPosition', (store) => store.lastPosition()],
  ['countAfter', (store) => store.countAfter({ position: 0, atMost: 1 })],
  ['readCursor', (store) => store.readCursor({ name: 'n' })],
  ['writeCursor', (store) => store.writeCursor({ name: 'n', position: 1 })],
  ['purgeEnded', (store) => store.purgeEnded({ endedBefore: 1, throughPosition: null, limit: 1 })],
  ['dropTombstones', (store) => store.dropTombstones({ throughPosition: 1 })],
  ['listUnindexed', (store) => store.listUnindexed({ limit: 1 })],
  ['indexRun', (store) => store.indexRun({ runId: RUN, openGates: [] })],
  ['callsLeftBehind', (store) => store.callsLeftBehind({ shards: null })],
  ['deathsLeftBehind', (store) => store.deathsLeftBehind({ shards: null })],
  ['check', (store) => store.check({ deep: true })],
  ['check', (store) => store.check({ deep: false })],
];

export default function checkAndCloseContract(harness: RunStoreHarness): void {
  it.each([true, false])('an open store can serve (deep: %s)', async (deep) => {
    await expect(harness.store.check({ deep })).resolves.toBeUndefined();
  });

  it('closing waits for what was appended', async () => {
    const appends = Array.from({ length: 20 }, (_, index) =>
      harness.store.append(sampleAppend(sampleRunId(index))),
    );
    await harness.store.close();
    expect(new Set(await Promise.all(appends))).toEqual(new Set(['appended']));
  });

  it.each(CALLS)('%s of a closed store rejects with a StoreError', async (_method, call) => {
    await harness.store.close();
    await expect(call(harness.store)).rejects.toThrow(StoreError);
  });

  it('closing twice is no error', async () => {
    await harness.store.close();
    await expect(harness.store.close()).resolves.toBeUndefined();
  });
}
