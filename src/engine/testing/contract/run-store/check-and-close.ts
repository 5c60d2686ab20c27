import { StoreError } from '../../../../errors/service-errors.js';
import type { RunStore } from '../../../ports/run-store.js';
import type { RunStoreHarness } from './support/contract.js';
import { sampleAppend } from './support/sample-run.js';

const CALLS: readonly (readonly [keyof RunStore, (store: RunStore) => Promise<unknown>])[] = [
  ['append', (store) => store.append(sampleAppend('z'))],
  ['load', (store) => store.load({ runId: 'a', atSeq: null })],
  ['readRow', (store) => store.readRow({ runId: 'a' })],
  ['readEvents', (store) => store.readEvents({ runId: 'a', afterSeq: 0, limit: 1 })],
  ['listRuns', (store) => store.listRuns({ workflowId: null, status: null, before: null, limit: 1 })],
  ['listUnfinished', (store) => store.listUnfinished({ afterRunId: null, limit: 1 })],
  [
    'saveDefinition',
    (store) => store.saveDefinition({ hash: 'h', workflowId: 'w', yaml: '', bindings: {}, registeredAt: 0 }),
  ],
  ['readDefinition', (store) => store.readDefinition({ hash: 'h' })],
  ['readIdempotency', (store) => store.readIdempotency({ scope: 's', key: 'k' })],
  ['readAll', (store) => store.readAll({ afterPosition: 0, limit: 1 })],
  ['readCursor', (store) => store.readCursor({ name: 'n' })],
  ['writeCursor', (store) => store.writeCursor({ name: 'n', position: 1 })],
  ['purgeEnded', (store) => store.purgeEnded({ endedBefore: 1, limit: 1 })],
  ['check', (store) => store.check()],
];

export default function checkAndCloseContract(harness: RunStoreHarness): void {
  it('an open store can serve', async () => {
    await expect(harness.store.check()).resolves.toBeUndefined();
  });

  it('closing waits for what was appended', async () => {
    const appends = Array.from({ length: 20 }, (_, index) =>
      harness.store.append(sampleAppend(`run-${index}`)),
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
