import { InMemoryRunStore } from '../../../storage/in-memory/in-memory-run-store.js';
import { sampleAppend, sampleRunId } from '../../testing/contract/run-store/support/sample-run.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import type { AppendRequest, RunDeaths } from '../../ports/run-store.js';
import { DeadlyRuns } from './deadly-runs.js';

class LeftStore extends InMemoryRunStore {
  left: readonly RunDeaths[] = [];
  readonly marked: unknown[] = [];
  readonly appended: AppendRequest[] = [];
  loads = 0;

  override async deathsLeftBehind(): Promise<readonly RunDeaths[]> {
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

/** A store with one run, and what its last processes left behind of it. */
async function afterDeaths(left: Partial<RunDeaths>) {
  const store = new LeftStore();
  await store.open();
  const first = sampleAppend(RUN);
  await store.append(first);
  const { lastSeq } = first.row;
  store.left = [{ runId: RUN, lastSeq, deaths: 3, ...left }];
  store.appended.length = 0;
  const logger = new RecordingLogger();
  const deadly = new DeadlyRuns({ store, clock: new ManualClock(), logger });
  await deadly.open();
  return { store, logger, deadly, lastSeq, row: await store.readRow({ runId: RUN }) };
}

describe('a run in which the process died three times in a row', () => {
  it('is paused, with what to do, and is neither read nor called', async () => {
    const { store, logger, deadly, lastSeq, row } = await afterDeaths({});
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
    expect(deadly.isSuspect(RUN)).toBe(false);
    expect(logger.said).toMatchObject([{ level: 'warn', message: 'Run needs help' }]);
    expect(store.marked).toEqual([{ runId: RUN, doing: 'turn', lastSeq: null }]);
  });

  it('is left alone when something of it was appended since, and the count with it', async () => {
    const { store, deadly } = await afterDeaths({ lastSeq: 0 });
    expect(store.appended).toEqual([]);
    expect(deadly.isSuspect(RUN)).toBe(false);
    expect(store.marked).toEqual([{ runId: RUN, doing: 'turn', lastSeq: null }]);
  });

  it('that is gone, or over, is nobody’s business any more', async () => {
    const { store } = await afterDeaths({ runId: sampleRunId(2) });
    expect(store.appended).toEqual([]);
    expect(store.marked).toEqual([{ runId: sampleRunId(2), doing: 'turn', lastSeq: null }]);
  });
});

describe('runs in which the process died less often', () => {
  it('are worked on one at a time, the others at once', async () => {
    const { deadly, store } = await afterDeaths({ deaths: 2 });
    expect(deadly.isSuspect(RUN)).toBe(true);
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
    expect(deadly.isSuspect(RUN)).toBe(false);
  });

  it('do not wait for ever for one whose work failed', async () => {
    const { deadly } = await afterDeaths({ deaths: 1 });
    const failed = deadly.alone(RUN, () => Promise.reject(new Error('no')));
    const next = deadly.alone(RUN, async () => 'done');
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('done');
  });
});
