import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import { sampleAppend, sampleRunId } from '../../testing/contract/run-store/support/sample-run.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import type { AppendRequest } from '../../ports/store/append.js';
import type { CrashCounts } from '../../ports/store/crash-journal.js';
import { CrashLoopingRuns } from './crash-looping-runs.js';

class LeftStore extends InMemoryRunStore {
  left: readonly CrashCounts[] = [];
  readonly marked: unknown[] = [];
  readonly appended: AppendRequest[] = [];
  loads = 0;

  override async deathsLeftBehind(): Promise<readonly CrashCounts[]> {
    return this.left;
  }

  override markAtRisk(mark?: unknown): void {
    this.marked.push(mark);
  }

  override append(request: AppendRequest): ReturnType<InMemoryRunStore['append']> {
    this.appended.push(request);
    return super.append(request);
  }

  override load(request: Parameters<InMemoryRunStore['load']>[0]): ReturnType<InMemoryRunStore['load']> {
    this.loads++;
    return super.load(request);
  }
}

const RUN = sampleRunId(1);

/** A store with one run, and the crash count that its last processes left behind. */
async function afterCrashes(left: Partial<CrashCounts>) {
  const store = new LeftStore();
  await store.open();
  const first = sampleAppend(RUN);
  await store.append(first);
  const { lastSeq } = first.row;
  store.left = [{ runId: RUN, lastSeq, deaths: 3, ...left }];
  store.appended.length = 0;
  const logger = new RecordingLogger();
  const deadly = new CrashLoopingRuns({ store, clock: new ManualClock(), logger });
  await deadly.assess(null);
  return { store, logger, deadly, lastSeq, row: await store.readRow({ runId: RUN }) };
}

describe('a run in which the process died three times in a row', () => {
  it('is paused, with what to do, and is neither read nor called', async () => {
    const { store, logger, deadly, lastSeq, row } = await afterCrashes({});
    expect(row).toMatchObject({ status: 'paused', openExecutions: 0, wakeAt: null, lastSeq: lastSeq + 1 });
    expect(store.appended[0]?.events).toMatchObject([
      {
        type: 'paused',
        v: 2,
        seq: lastSeq + 1,
        reason: 'crash-limit',
        error: expect.stringMatching(/resume it/),
      },
    ]);
    expect(store.loads).toBe(0);
    expect(deadly.isSuspected(RUN)).toBe(false);
    expect(logger.said).toMatchObject([{ level: 'warn', message: 'Run needs help' }]);
    expect(store.marked).toEqual([{ runId: RUN, doing: 'turn', lastSeq: null }]);
  });

  it('is not paused when something was appended to it since, and its count is reset', async () => {
    const { store, deadly } = await afterCrashes({ lastSeq: 0 });
    expect(store.appended).toEqual([]);
    expect(deadly.isSuspected(RUN)).toBe(false);
    expect(store.marked).toEqual([{ runId: RUN, doing: 'turn', lastSeq: null }]);
  });

  it('is not paused when somebody appends to it at that moment, and nothing is said', async () => {
    const store = new LeftStore();
    await store.open();
    const first = sampleAppend(RUN);
    await store.append(first);
    store.left = [{ runId: RUN, lastSeq: first.row.lastSeq, deaths: 3 }];
    const readRow = store.readRow.bind(store);
    store.readRow = async (request) => {
      const row = await readRow(request);
      store.readRow = readRow;
      await store.append(sampleAppend(RUN, { expectedSeq: first.row.lastSeq }));
      return row;
    };
    const logger = new RecordingLogger();
    await new CrashLoopingRuns({ store, clock: new ManualClock(), logger }).assess(null);
    expect((await store.readRow({ runId: RUN }))?.status).toBe('running');
    expect(logger.said).toEqual([]);
  });

  it('that is gone, or over, is nobody’s business any more', async () => {
    const { store } = await afterCrashes({ runId: sampleRunId(2) });
    expect(store.appended).toEqual([]);
    expect(store.marked).toEqual([{ runId: sampleRunId(2), doing: 'turn', lastSeq: null }]);
  });
});

describe('runs in which the process died fewer times', () => {
  it('are worked on one at a time, the others at once', async () => {
    const { deadly, store } = await afterCrashes({ deaths: 2 });
    expect(deadly.isSuspected(RUN)).toBe(true);
    expect(store.appended).toEqual([]);
    const happened: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = deadly.alone(RUN, () => promise.then(() => void happened.push('first')));
    const second = deadly.alone(RUN, async () => void happened.push('second'));
    await deadly.alone(sampleRunId(2), async () => void happened.push('other'));
    expect(happened).toEqual(['other']);
    resolve();
    await Promise.all([first, second]);
    expect(happened).toEqual(['other', 'first', 'second']);
    expect(deadly.isSuspected(RUN)).toBe(false);
  });

  it('do not wait for ever for a run whose work failed', async () => {
    const { deadly } = await afterCrashes({ deaths: 1 });
    const failed = deadly.alone(RUN, () => Promise.reject(new Error('no')));
    const next = deadly.alone(RUN, async () => 'done');
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('done');
  });
});
