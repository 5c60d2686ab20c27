import type { Telemetry } from '../../src/engine/index.js';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { inSequence, openEngine } from '../support/engine.js';

type Recorded = readonly [what: keyof Telemetry, ...rest: readonly unknown[]];

/** A telemetry that records what an engine reports, without durations. */
function telemetry() {
  const recorded: Recorded[] = [];
  const recording: Telemetry = {
    runStarted: () => void recorded.push(['runStarted']),
    runEnded: (status) => void recorded.push(['runEnded', status]),
    attempted: (origin, outcome, tookMs) => {
      expect(tookMs).toBeGreaterThanOrEqual(0);
      recorded.push(['attempted', origin, outcome]);
    },
    appended: (outcome, tookMs) => {
      expect(tookMs).toBeGreaterThanOrEqual(0);
      recorded.push(['appended', outcome]);
    },
    committed: (operations, tookMs, isDurable) => {
      expect(tookMs).toBeGreaterThan(0);
      recorded.push(['committed', operations, isDurable]);
    },
  };
  const of = (what: keyof Telemetry): readonly Recorded[] => recorded.filter(([name]) => name === what);
  return { recording, told: recorded, of };
}

const ONCE = { policyOverrides: { retry: { maxAttempts: 1 } } };
const start = (workflowId: string) => ({ workflowId, input: {}, sync: true });

describe('what an engine reports of its units', () => {
  it('is each attempt, and how it ended', async () => {
    const { recording, of } = telemetry();
    let calls = 0;
    const { engine, clock } = await openEngine(
      {
        works: () => 'ok',
        later: () => Promise.resolve('ok'),
        fails: () => {
          calls += 1;
          if (calls === 1) throw new Error('once');
          return 'ok';
        },
        hangs: () => new Promise(() => undefined),
      },
      { telemetry: recording },
    );
    const units = ['works', 'later', 'fails'].map((uses) => ({ id: uses, uses }));
    await engine.workflows.register({
      yaml: inSequence('all', units, { policy: { retry: { baseMs: 0, maxAttempts: 2 } } }),
    });
    const run = engine.runs.start(start('all'));
    await clock.advance(1_000);
    await run;
    expect(of('attempted').map(([, ...rest]) => rest)).toEqual([
      ['in-process', 'finished'],
      ['in-process', 'finished'],
      ['in-process', 'failed'],
      ['in-process', 'finished'],
    ]);

    await engine.workflows.register({
      yaml: inSequence('hangs', [
        { id: 'a', uses: 'hangs', policyOverrides: { retry: { maxAttempts: 1 }, timeout: { unitMs: 100 } } },
      ]),
    });
    const hanging = engine.runs.start(start('hangs'));
    await clock.advance(1_000);
    expect((await hanging).status).toBe('failed');
    expect(of('attempted').at(-1)).toEqual(['attempted', 'in-process', 'timed-out']);
    expect(of('runEnded')).toEqual([
      ['runEnded', 'completed'],
      ['runEnded', 'failed'],
    ]);
    await engine.close();
  });

  it('is an attempt that was aborted, once, and a run that was cancelled', async () => {
    const { recording, of } = telemetry();
    const { engine, clock } = await openEngine(
      { hangs: () => new Promise(() => undefined) },
      { telemetry: recording, cancelGraceMs: 10 },
    );
    await engine.workflows.register({ yaml: inSequence('hangs', [{ id: 'a', uses: 'hangs', ...ONCE }]) });
    const { runId } = await engine.runs.start({ ...start('hangs'), sync: false });
    const cancelled = engine.runs.cancel({ workflowId: 'hangs', runId });
    await clock.advance(1_000);
    await cancelled;
    await engine.close();
    expect(of('attempted')).toEqual([['attempted', 'in-process', 'aborted']]);
    expect(of('runEnded')).toEqual([['runEnded', 'cancelled']]);
  });
});

describe('what an engine reports of its store', () => {
  it('is each append, also one that failed', async () => {
    const { recording, of } = telemetry();
    class Failing extends InMemoryRunStore {
      isIll = false;
      override append(request: AppendRequest): ReturnType<InMemoryRunStore['append']> {
        return this.isIll ? (Promise.reject(new Error('ill')) as never) : super.append(request);
      }
    }
    const store = new Failing();
    const { engine } = await openEngine({ works: () => 'ok' }, { telemetry: recording, store });
    await engine.workflows.register({ yaml: inSequence('plain', [{ id: 'a', uses: 'works' }]) });
    await engine.runs.start(start('plain'));
    expect(new Set(of('appended').map(([, outcome]) => outcome))).toEqual(new Set(['appended']));
    store.isIll = true;
    await expect(engine.runs.start(start('plain'))).rejects.toThrow('ill');
    expect(of('appended').at(-1)).toEqual(['appended', 'failed']);
    await engine.close();
  });

  it('is each commit of SQLite, with how many were written in it', async () => {
    const { recording, of } = telemetry();
    const { path: folder, remove } = await temporaryFolder();
    const store = new SqliteRunStore({ folder, workers: builtWorkers });
    const { engine } = await openEngine({ works: () => 'ok' }, { telemetry: recording, store });
    await engine.workflows.register({ yaml: inSequence('plain', [{ id: 'a', uses: 'works' }]) });
    await Promise.all(Array.from({ length: 10 }, () => engine.runs.start(start('plain'))));
    await engine.close();
    const commits = of('committed');
    expect(commits.every(([, , isDurable]) => isDurable === true)).toBe(true);
    const operations = commits.reduce((sum, [, count]) => sum + (count as number), 0);
    expect(operations).toBeGreaterThanOrEqual(of('appended').length);
    expect(commits.length).toBeLessThan(operations);
    await remove();
  });
});

describe('a telemetry that throws', () => {
  it('stops no run, is logged once, and called no more', async () => {
    const logger = new RecordingLogger();
    let recorded = 0;
    const ill = (): void => {
      recorded += 1;
      throw new Error('ill');
    };
    const { engine } = await openEngine(
      { works: () => 'ok' },
      {
        logger,
        telemetry: { runStarted: ill, runEnded: ill, attempted: ill, appended: ill, committed: ill },
      },
    );
    await engine.workflows.register({ yaml: inSequence('plain', [{ id: 'a', uses: 'works' }]) });
    const { status } = await engine.runs.start(start('plain'));
    await engine.close();
    expect([status, recorded]).toEqual(['completed', 1]);
    expect(logger.said.filter(({ message }) => /telemetry/.test(message))).toHaveLength(1);
  });
});

describe('the figures of an engine', () => {
  it('are what is in progress, and nothing once that is over', async () => {
    let answer = (_said: string): void => undefined;
    const { engine } = await openEngine({
      waits: () => new Promise((resolve) => (answer = resolve)),
    });
    await engine.workflows.register({ yaml: inSequence('waits', [{ id: 'a', uses: 'waits' }]) });
    const run = engine.runs.start(start('waits'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(engine.figures()).toMatchObject({ runsInMemory: 1, unitsInFlight: 1, mailboxes: { mails: 0 } });
    answer('done');
    await run;
    await new Promise((resolve) => setImmediate(resolve));
    expect(engine.figures()).toEqual({
      runsInMemory: 0,
      unitsInFlight: 0,
      mailboxes: { busy: 0, mails: 0 },
      stalledRuns: 0,
    });
    await engine.close();
  });
});
