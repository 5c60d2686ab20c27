import { inSequence, workflowYaml } from '../../../../test/support/engine.js';
import { ANN, compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import { messagesOf } from '../../core/log/messages.js';
import { encodeState } from '../../core/state/codec/state-codec.js';
import { INITIAL_STATE, STATE_VERSION } from '../../core/state/state.js';
import { appendRequest } from '../mailbox/appending/append-request.js';
import type { RunInMemory } from '../run-shell.js';
import { SliceScheduler } from '../mailbox/slice-scheduler.js';
import type { RunRecord } from '../../run-record.js';
import type { EncodeRecord } from './records/ended-records.js';
import { RunReader } from './run-reader.js';

const gated = compileText(inSequence('w', [{ id: 'g', uses: 'builtin.approval' }]));
const address = { workflowId: 'w', runId: 'run' };
const reject = {
  type: 'decision',
  at: 2_000,
  gateId: 2,
  approved: false,
  responder: 'ann',
  by: ANN,
  comment: null,
} as const;
const cancel = { type: 'cancel', at: 5_000, by: ANN, graceMs: 0 } as const;

/** A run whose log is longer than any page. */
function longRun(): SimulatedRun {
  const count = { id: 'count', uses: 'builtin.set', config: { values: { n: '${{ iteration }}' } } };
  const flow = { type: 'loop', unit: 'count', maxIterations: 1_300, until: 'false' };
  return new SimulatedRun(compileText(workflowYaml('w', { units: [count], flow })));
}

/** Readers of a store that holds the run; `memory`: the run as this process has it. */
async function readerOf(
  run: SimulatedRun,
  options: { memory?: RunInMemory; isAlone?: boolean; withState?: boolean } = {},
) {
  const { memory, isAlone = true, withState = false } = options;
  const store = new InMemoryRunStore();
  const append = (from: number, to: SimulatedRun, isStateKept: boolean) =>
    store.append(
      appendRequest({ ...INITIAL_STATE, seq: from }, to.state, to.log.slice(from), {
        storedState: isStateKept
          ? { seq: to.state.seq, stateVersion: STATE_VERSION, state: encodeState(to.state) }
          : null,
        idempotency: [],
        startedFrom: null,
        isPreempted: false,
        isForeign: false,
      }),
    );
  await append(0, run, withState);
  const reads: number[] = [];
  const readEvents = store.readEvents.bind(store);
  store.readEvents = (request) => {
    reads.push(request.afterSeq);
    return readEvents(request);
  };
  const reader = new RunReader({
    store,
    slices: new SliceScheduler(),
    peek: () => memory,
    isAlone,
    isBarred: () => false,
  });
  return { store, reader, reads, append };
}

const inMemory = (run: SimulatedRun, history: RunInMemory['history'] = run.log): RunInMemory =>
  ({ runId: 'run', durable: run.state, history }) as RunInMemory;

describe('a run that is read', () => {
  it('is that of the workflow and namespace that were requested, or unknown', async () => {
    const run = new SimulatedRun(gated);
    for (const memory of [undefined, inMemory(run), { ...inMemory(run), durable: INITIAL_STATE }]) {
      const { reader } = await readerOf(run, memory === undefined ? {} : { memory });
      await reader.assertExists(address);
      for (const other of [{ workflowId: 'v' }, { namespace: 'acme' }]) {
        await expect(reader.assertExists({ ...address, ...other })).rejects.toMatchObject({
          code: 'unknown-run',
        });
        await expect(reader.record({ ...address, ...other })).rejects.toMatchObject({ code: 'unknown-run' });
      }
    }
    const { reader } = await readerOf(run);
    const nobody = { ...address, runId: 'nobody' };
    await expect(reader.record(nobody)).rejects.toMatchObject({ code: 'unknown-run' });
    await expect(reader.status('nobody')).rejects.toMatchObject({ code: 'unknown-run' });
    await expect(reader.fold('nobody', null)).rejects.toMatchObject({ code: 'unknown-run' });
    expect(await reader.status('run')).toBe('paused');
  });

  it('is the same from memory and from the store', async () => {
    const run = new SimulatedRun(gated);
    const stored = await readerOf(run);
    const live = await readerOf(run, { memory: inMemory(run) });
    const record = await stored.reader.record(address);
    expect(record).toMatchObject({ status: 'paused', result: { completedUnits: [] } });
    expect(await live.reader.record(address)).toEqual(record);
    expect(live.reads).toEqual([]);
    const withoutHistory = await readerOf(run, { memory: inMemory(run, null) });
    expect(await withoutHistory.reader.record(address)).toEqual(record);
    expect(withoutHistory.reads).toEqual([0]);
  });

  it('needs no events from the store where its record shows no result', async () => {
    const run = new SimulatedRun(compileText(inSequence('w', [{ id: 'a', uses: 'work' }])));
    for (const memory of [undefined, inMemory(run, null)]) {
      const { reader, reads } = await readerOf(run, { withState: true, ...(memory && { memory }) });
      expect((await reader.record(address)).status).toBe('running');
      expect(reads).toEqual([]);
    }
  });

  it('has its newest messages also where only a state of it was loaded', async () => {
    const run = new SimulatedRun(gated);
    const { reader } = await readerOf(run, { withState: true });
    const messages = run.log.flatMap((event) => messagesOf('run', event));
    expect(messages.length).toBeGreaterThan(0);
    expect((await reader.record(address)).result?.messages).toEqual(messages);
  });

  it('is looked up in the store where others may have appended to it, and only there', async () => {
    const run = new SimulatedRun(gated);
    const memory = inMemory(run);
    for (const isAlone of [true, false]) {
      const here = new SimulatedRun(gated);
      const { reader, append } = await readerOf(here, { memory, isAlone });
      expect(await reader.status('run')).toBe('paused');
      here.send(cancel);
      await append(2, here, false);
      expect(await reader.status('run')).toBe(isAlone ? 'paused' : 'failed');
      expect((await reader.record(address)).status).toBe(isAlone ? 'paused' : 'failed');
    }
  });

  it('that failed says why from the end of its log, which is not folded', async () => {
    const failed = new SimulatedRun(gated);
    failed.send(reject);
    const cancelled = new SimulatedRun(gated);
    cancelled.send(cancel);
    for (const run of [failed, cancelled]) {
      const { store, reader } = await readerOf(run);
      store.load = () => Promise.reject(new Error('folded'));
      const { status, error } = await reader.record(address);
      expect([status, error]).toEqual(['failed', run.state.error]);
      expect(error).toMatch(/(Rejected|Cancelled) by ann/);
    }
  });

  it('that failed says why after whatever was noted since, however much that is', async () => {
    for (const notes of [1, 50, 500]) {
      const run = new SimulatedRun(gated);
      run.send(cancel);
      for (let i = 0; i < notes; i++) {
        run.send({ type: 'note', at: 6_000, request: 'resume' });
      }
      const { reader, reads } = await readerOf(run);
      expect((await reader.record(address)).error).toBe('Cancelled by ann');
      expect(reads.length).toBeLessThan(10);
    }
  });

  it('that is running is shown as its row says', async () => {
    const run = new SimulatedRun(compileText(inSequence('w', [{ id: 'a', uses: 'work' }])));
    const { store, reader, reads } = await readerOf(run);
    const shown = await reader.record(address);
    store.load = () => Promise.reject(new Error('folded'));
    expect(await reader.record(address)).toEqual(shown);
    expect(shown).toEqual({
      runId: 'run',
      workflowId: 'w',
      status: 'running',
      createdAt: 1_000,
      updatedAt: 1_000,
    });
    expect(reads).toEqual([]);
  });

  it('that is long has its newest messages from the end of its log alone', async () => {
    const run = longRun();
    const { reader, reads } = await readerOf(run, { withState: true });
    const all = run.log.flatMap((event) => messagesOf('run', event));
    const { result } = await reader.record(address);
    expect(result?.messages).toEqual(all.slice(-1_000));
    expect(result?.messages).toHaveLength(1_000);
    expect(Math.min(...reads)).toBeGreaterThan(500);
  });

  it('that is over has its header without being folded', async () => {
    const run = longRun();
    for (const memory of [undefined, inMemory(run)]) {
      const { store, reader, reads } = await readerOf(run, memory === undefined ? {} : { memory });
      const { result: _result, ...header } = await reader.record(address);
      reads.length = 0;
      store.load = () => Promise.reject(new Error('folded'));
      expect(await reader.header(address)).toEqual(header);
      expect(reads).toEqual([]);
      await expect(reader.header({ ...address, workflowId: 'v' })).rejects.toMatchObject({
        code: 'unknown-run',
      });
    }
  });

  it('that is long and over is folded once, until something happens to it', async () => {
    const run = longRun();
    const { store, reader } = await readerOf(run);
    const first = await reader.record(address);
    expect(first.status).toBe('completed');
    store.load = () => Promise.reject(new Error('folded again'));
    expect(await reader.record(address)).toBe(first);
  });
});

describe('the text of a run that is over', () => {
  const encodings = (): { encode: EncodeRecord; written: RunRecord[] } => {
    const written: RunRecord[] = [];
    const encode = async (record: RunRecord): Promise<Uint8Array> => {
      written.push(record);
      return Buffer.from(JSON.stringify(record));
    };
    return { encode, written };
  };

  it('is that of its record; it is folded and written once for all who ask, until something happens to it', async () => {
    const run = longRun();
    const { store, reader } = await readerOf(run);
    const other = await readerOf(run);
    const { encode, written } = encodings();
    let loads = 0;
    const load = store.load.bind(store);
    store.load = (request) => ((loads += 1), load(request));
    const texts = await Promise.all([1, 2, 3].map(() => reader.encoded(address, encode)));
    texts.push(await reader.encoded(address, encode));
    const fresh = await other.reader.record(address);
    for (const text of texts) expect(Buffer.from(text as Uint8Array).toString()).toBe(JSON.stringify(fresh));
    expect([loads, written.length]).toEqual([1, 1]);
  });

  it('is kept next to the record once both were requested, so that neither is made again', async () => {
    const { store, reader } = await readerOf(longRun());
    const { encode, written } = encodings();
    let loads = 0;
    const load = store.load.bind(store);
    store.load = (request) => ((loads += 1), load(request));
    for (let i = 0; i < 3; i++) {
      const text = (await reader.encoded(address, encode)) as Uint8Array;
      expect(await reader.record(address)).toEqual(JSON.parse(Buffer.from(text).toString()));
    }
    expect([loads, written.length]).toEqual([2, 1]);
  });

  it('is not made where the record is short, has no result, or is in memory', async () => {
    const { encode, written } = encodings();
    const short = new SimulatedRun(gated);
    const failed = new SimulatedRun(gated);
    failed.send(reject);
    const live = longRun();
    for (const [run, memory] of [[short], [failed], [live, inMemory(live)]] as const) {
      const { reader } = await readerOf(run, memory === undefined ? {} : { memory });
      expect(await reader.encoded(address, encode)).toEqual(await reader.record(address));
    }
    expect(written).toEqual([]);
    const { reader } = await readerOf(short);
    await expect(reader.encoded({ ...address, workflowId: 'v' }, encode)).rejects.toMatchObject({
      code: 'unknown-run',
    });
  });
});

describe('the messages of a run', () => {
  it('come page by page, each once and oldest first, however long its log is', async () => {
    const run = longRun();
    const { reader } = await readerOf(run);
    const all = run.log.flatMap((event) => messagesOf('run', event));
    expect(run.log.length).toBeGreaterThan(2_000);
    const whole = await reader.messages(address, { afterSeq: 0, limit: 1_000_000 });
    expect(whole).toEqual({ messages: all, next: null });
    const paged: unknown[] = [];
    let afterSeq: number | null = 0;
    let pages = 0;
    while (afterSeq !== null) {
      const page = await reader.messages(address, { afterSeq, limit: 400 });
      expect(page.messages.length >= 400 || page.next === null).toBe(true);
      paged.push(...page.messages);
      afterSeq = page.next;
      pages += 1;
    }
    expect(paged).toEqual(all);
    expect(pages).toBeGreaterThan(2);
  });

  it('are those of that run alone', async () => {
    const { reader } = await readerOf(new SimulatedRun(gated));
    const page = { afterSeq: 0, limit: 10 };
    await expect(reader.messages({ ...address, workflowId: 'v' }, page)).rejects.toMatchObject({
      code: 'unknown-run',
    });
    expect(await reader.messages(address, { afterSeq: 99, limit: 10 })).toEqual({ messages: [], next: null });
  });
});

describe('the checkpoints of a run', () => {
  it('are all named, oldest first, with what they come after', async () => {
    const run = longRun();
    const { reader } = await readerOf(run);
    const snapshots = await reader.snapshots(address);
    const gate = await readerOf(new SimulatedRun(gated));
    expect(await gate.reader.snapshots(address)).toEqual([
      { snapshotId: 'run.2', createdAt: 1_000, after: 'gate-opened', unitId: 'g' },
    ]);
    const seqs = snapshots.map(({ snapshotId }) => Number(snapshotId.split('.')[1]));
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(new Set(seqs).size).toBe(snapshots.length);
    expect(seqs.some((seq) => seq > 1_000)).toBe(true);
  });

  it('show the run as it was then', async () => {
    const run = new SimulatedRun(gated);
    run.send({
      type: 'decision',
      at: 2_000,
      gateId: 2,
      approved: true,
      responder: 'ann',
      by: ANN,
      comment: null,
    });
    const { reader } = await readerOf(run);
    expect(await reader.snapshot(address, 'run.2')).toEqual({
      snapshotId: 'run.2',
      createdAt: 1_000,
      after: 'gate-opened',
      unitId: 'g',
      completedUnits: [],
      state: { n: 1 },
    });
    expect((await reader.snapshot(address, 'run.3')).completedUnits).toEqual(['g']);
    for (const id of ['nonsense', 'run.1', 'run.999', 'other.2']) {
      await expect(reader.snapshot(address, id)).rejects.toMatchObject({ code: 'no-checkpoint' });
      await expect(reader.checkpoint('run', id)).rejects.toMatchObject({ code: 'no-checkpoint' });
    }
  });
});
