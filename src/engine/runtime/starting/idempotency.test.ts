import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import { sampleAppend, sampleRunId } from '../../testing/contract/run-store/support/sample-run.js';
import { earlierRun, idempotencyRecord, startScope, type KeyedRequest } from './idempotency.js';

const request: KeyedRequest = { scope: 'start:w', key: 'k', content: { input: { a: 1, b: 2 }, sync: false } };

/** A store that has carried the request out as this run. */
async function carriedOut(runId: string): Promise<InMemoryRunStore> {
  const store = new InMemoryRunStore();
  await store.append(sampleAppend(runId, { idempotency: [idempotencyRecord(request, runId)] }));
  return store;
}

describe('the key of a start', () => {
  it('is in the default namespace what it always was, so that old keys are found', () => {
    expect(startScope('default', 'w')).toBe('start:w');
  });

  it('is separate in every other namespace, whatever a workflow is called', () => {
    expect(startScope('acme', 'w')).toBe('start\nacme\nw');
    const scopes = [
      startScope('default', 'w'),
      startScope('acme', 'w'),
      startScope('acme', 'v'),
      startScope('other', 'w'),
    ];
    expect(new Set(scopes).size).toBe(4);
  });
});

describe('a request under its key', () => {
  it('is kept with the SHA-256 of its canonical JSON, as those of released versions are', () => {
    expect(idempotencyRecord(request, 'run')).toEqual({
      scope: 'start:w',
      key: 'k',
      fingerprint: 'fd133b72127b0898eb6c9bb46b2b91c18b5cc84a919e91c86fb005815c73494b',
      runId: 'run',
    });
  });

  it('returns the run that it made before, in whatever order its fields are', async () => {
    const runId = sampleRunId(1);
    const store = await carriedOut(runId);
    expect(await earlierRun(store, request)).toBe(runId);
    const reordered = { ...request, content: { sync: false, input: { b: 2, a: 1 } } };
    expect(await earlierRun(store, reordered)).toBe(runId);
  });

  it('is new under another key or in another scope', async () => {
    const store = await carriedOut(sampleRunId(1));
    expect(await earlierRun(store, { ...request, key: 'other' })).toBeNull();
    expect(await earlierRun(store, { ...request, scope: 'start:v' })).toBeNull();
  });

  it('is refused when the key stands for something else', async () => {
    const store = await carriedOut(sampleRunId(1));
    const other = { ...request, content: { input: { a: 1, b: 3 }, sync: false } };
    await expect(earlierRun(store, other)).rejects.toMatchObject({ code: 'idempotency-conflict' });
  });

  it('is of the account that sent it, where that was authenticated', async () => {
    const ann: KeyedRequest = { ...request, owner: 'ann' };
    const store = new InMemoryRunStore();
    const runId = sampleRunId(1);
    await store.append(sampleAppend(runId, { idempotency: [idempotencyRecord(ann, runId)] }));
    expect(await earlierRun(store, ann)).toBe(runId);
    for (const other of [{ ...request, owner: 'eve' }, request])
      await expect(earlierRun(store, other)).rejects.toMatchObject({ code: 'idempotency-conflict' });
  });

  it('is of whoever sends it, where it was stored before anybody was authenticated', async () => {
    const runId = sampleRunId(1);
    const store = await carriedOut(runId);
    expect(await earlierRun(store, { ...request, owner: 'ann' })).toBe(runId);
    const other = { ...request, owner: 'ann', content: { input: {}, sync: false } };
    await expect(earlierRun(store, other)).rejects.toMatchObject({ code: 'idempotency-conflict' });
  });
});
