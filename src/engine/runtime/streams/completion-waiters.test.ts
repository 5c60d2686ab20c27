import { getEventListeners } from 'node:events';
import { InProcessRunWatch } from '../../drivers/local/in-process-run-watch.js';
import { StoreError } from '../../../errors/service-errors.js';
import type { OpenGate } from '../../ports/store/gates.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { RunRecord } from '../../run-record.js';
import { inSequence } from '../../../../test/support/engine.js';
import { settled } from '../../../../test/support/live-shell.js';
import { ANN, compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { document, gate } from '../../../../test/support/workflow-documents.js';
import { sampleRow } from '../../testing/contract/run-store/support/sample-run.js';
import { ManualClock } from '../../testing/manual-clock.js';
import type { SyncUntil } from '../../vocabulary.js';
import type { RunInMemory } from '../run-shell.js';
import type { RunReader } from '../reading/run-reader.js';
import { CompletionWaiters } from './completion-waiters.js';

const plan = compileText(inSequence('w', [{ id: 'a', uses: 'work' }]));

/** A run in memory, as it is now. */
function inMemory(runId: string, isOver: boolean): RunInMemory {
  const run = new SimulatedRun(plan);
  if (isOver) run.send({ type: 'cancel', at: 2_000, by: ANN, graceMs: 0 });
  return { runId, durable: run.state, history: run.log } as unknown as RunInMemory;
}

/** The waits of one process; a record is named after where it is from. */
function waiting() {
  const clock = new ManualClock();
  const watch = new InProcessRunWatch();
  const row: { current: RunRow | null; gates: readonly OpenGate[]; reads: number } = {
    current: null,
    gates: [],
    reads: 0,
  };
  const is = { owner: true, unreadable: false, lackingUnit: false };
  const reader = {
    record: async (address: { readonly runId: string }) => ({ runId: address.runId, from: 'the store' }),
    recordOfLive: ({ runId }: RunInMemory) => ({ runId, from: 'memory' }),
  };
  const completions = new CompletionWaiters({
    store: {
      readRow: async () => {
        row.reads += 1;
        if (is.unreadable) throw new StoreError('the disk failed to read');
        return row.current;
      },
      listOpenGates: async () => row.gates,
      listChildren: async () => [],
    },
    watch,
    clock,
    reader: reader as unknown as RunReader,
    owns: () => is.owner,
    awaitsUnit: () => is.lackingUnit,
    unitWaitMs: 2_000,
  });
  /** A wait, and what it came to so far. */
  const wait = (
    runId: string,
    maxWaitMs: number | null = null,
    signal?: AbortSignal,
    until: SyncUntil = 'stop',
  ) => {
    const { stopped, abandon } = completions.next(runId, maxWaitMs, signal, until);
    const outcome: { record: RunRecord | null | undefined } = { record: undefined };
    void stopped.then((record) => {
      outcome.record = record;
    });
    return { outcome, abandon };
  };
  const append = async (status: RunRow['status'], seq: number) => {
    row.current = sampleRow('run', { status, lastSeq: seq });
    watch.announce({ runId: 'run', seq });
    await settled();
  };
  return { clock, watch, row, is, stops: completions, wait, append };
}

describe('a request that has checked out a run that has begun', () => {
  it('has its record at once where it has stopped already', () => {
    const { stops: completions } = waiting();
    expect(completions.ofRun(inMemory('run', true))).toEqual({ runId: 'run', from: 'memory' });
  });

  it('has it when it stops, next to others that wait for it and give up', async () => {
    const { stops: completions, wait, row } = waiting();
    const other = wait('run');
    const stopped = Promise.all([1, 2].map(() => completions.ofRun(inMemory('run', false))));
    other.abandon();
    completions.changed(inMemory('run', true));
    const record = { runId: 'run', from: 'memory' };
    expect([await stopped, row.reads]).toEqual([[record, record], 0]);
  });

  it('has it from the store when it goes to another process, and null when the engine closes', async () => {
    const { stops: completions, is, append } = waiting();
    const moved = completions.ofRun(inMemory('run', false));
    is.owner = false;
    completions.moved(() => true);
    await append('completed', 3);
    expect(await moved).toMatchObject({ runId: 'run', from: 'the store' });
    const foreign = completions.ofRun(inMemory('run', false));
    expect(await foreign).toMatchObject({ from: 'the store' });
    is.owner = true;
    const open = completions.ofRun(inMemory('run', false));
    completions.close();
    expect([await open, await completions.ofRun(inMemory('run', false))]).toEqual([null, null]);
  });
});

describe('a wait with an end leaves no timer and no listener behind', () => {
  const HELD = { runId: 'run', from: 'memory' };
  const FOREIGN = expect.objectContaining({ from: 'the store' });

  /** One wait with the run checked out and one without, both with a bound and a signal. */
  function bounded(owner = true) {
    const all = waiting();
    all.is.owner = owner;
    const leaving = new AbortController();
    const { signal } = leaving;
    const held = all.stops.ofRun(inMemory('run', false), { waitMs: 1_000, signal });
    const other = all.wait('run', 1_000, signal);
    const left = async () => {
      await settled();
      const { stops: completions, watch, clock } = all;
      return [
        completions.waitedFor,
        watch.waiting,
        clock.scheduled,
        getEventListeners(signal, 'abort').length,
      ];
    };
    const records = async () => [await held, other.outcome.record];
    return { ...all, leaving, left, records };
  }
  const NOTHING = [0, 0, 0, 0];

  it.each([
    ['when the run stops', true, HELD, (all) => all.stops.changed(inMemory('run', true))],
    ['when the time is over', true, null, (all) => all.clock.advance(1_000)],
    ['when it is given up by its signal', true, null, (all) => all.leaving.abort()],
    ['when the engine closes', true, null, (all) => all.stops.close()],
    ['when a run of another process stops', false, FOREIGN, (all) => all.append('paused', 3)],
    ['when the time is over for one of another process', false, null, (all) => all.clock.advance(1_000)],
    ['when one of another process is given up', false, null, (all) => all.leaving.abort()],
  ] as readonly (readonly [string, boolean, unknown, (all: ReturnType<typeof bounded>) => unknown])[])(
    '%s',
    async (_when, owner, record, end) => {
      const all = bounded(owner);
      expect(await all.left()).toEqual([owner ? 1 : 0, owner ? 0 : 2, 2, 2]);
      await end(all);
      expect(await all.left()).toEqual(NOTHING);
      expect(await all.records()).toEqual([record, record]);
    },
  );

  it('when the run goes to another process first', async () => {
    const all = bounded();
    all.is.owner = false;
    all.stops.moved(() => true);
    expect(await all.left()).toEqual([0, 2, 2, 2]);
    all.leaving.abort();
    expect(await all.left()).toEqual(NOTHING);
    expect(await all.records()).toEqual([null, null]);
  });

  it('when its run waits for a unit that nobody registers, though it was given no end', async () => {
    const { stops: completions, clock, is } = waiting();
    const waits = [
      completions.ofRun(inMemory('run', false)),
      completions.ofRun(inMemory('run', false), { signal: new AbortController().signal }),
      completions.next('run', null).stopped,
    ];
    expect(clock.scheduled).toBe(0);
    is.lackingUnit = true;
    completions.lacksUnit('run');
    completions.lacksUnit('run');
    expect([completions.waitedFor, clock.scheduled]).toEqual([1, 3]);
    await clock.advance(2_000);
    expect(await Promise.all(waits)).toEqual([null, null, null]);
    expect([completions.waitedFor, clock.scheduled]).toEqual([0, 0]);
  });

  it('when it was given up before it began', async () => {
    const { stops: completions, clock, wait } = waiting();
    const signal = AbortSignal.abort();
    const { outcome } = wait('run', 1_000, signal);
    expect(await completions.ofRun(inMemory('run', false), { signal })).toBeNull();
    await settled();
    expect([outcome.record, completions.waitedFor, clock.scheduled]).toEqual([null, 0, 0]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    // The run has stopped: there is nothing to wait for.
    expect(completions.ofRun(inMemory('run', true), { waitMs: 0, signal })).toEqual(HELD);
  });
});

describe('a wait for a run of this process', () => {
  it('gets its record when it stops, and not before', async () => {
    const { stops: completions, wait } = waiting();
    const [one, two, other] = [wait('run'), wait('run'), wait('other')];
    completions.changed(inMemory('run', false));
    completions.changed(inMemory('nobody waits', true));
    await settled();
    expect(one.outcome.record).toBeUndefined();
    completions.changed(inMemory('run', true));
    await settled();
    const record = { runId: 'run', from: 'memory' };
    expect([one.outcome.record, two.outcome.record, other.outcome.record]).toEqual([
      record,
      record,
      undefined,
    ]);
  });

  it('gets no more than null when that takes too long', async () => {
    const { clock, stops: completions, wait, row } = waiting();
    const { outcome } = wait('run', 1_000);
    await clock.advance(999);
    expect(outcome.record).toBeUndefined();
    await clock.advance(1);
    expect(outcome.record).toBeNull();
    completions.changed(inMemory('run', true));
    await settled();
    expect([outcome.record, row.reads]).toEqual([null, 0]);
  });

  it('leaves no timer behind when the run stops, and none where the wait has no bound', async () => {
    const { clock, stops: completions, wait } = waiting();
    wait('run');
    expect(clock.scheduled).toBe(0);
    wait('run', 1_000);
    expect(clock.scheduled).toBe(1);
    completions.changed(inMemory('run', true));
    expect(clock.scheduled).toBe(0);
  });

  it('may be given up, and the others continue', async () => {
    const { clock, stops: completions, wait } = waiting();
    const [one, two] = [wait('run', 1_000), wait('run')];
    one.abandon();
    await settled();
    expect([one.outcome.record, clock.scheduled]).toEqual([null, 0]);
    completions.changed(inMemory('run', true));
    await settled();
    expect(two.outcome.record).toEqual({ runId: 'run', from: 'memory' });
    two.abandon();
    await settled();
    expect(two.outcome.record).toEqual({ runId: 'run', from: 'memory' });
  });

  it('looks to the store once the run is foreign', async () => {
    const { stops: completions, wait, append, is } = waiting();
    const [moved, stays] = [wait('run'), wait('other')];
    await append('running', 2);
    is.owner = false;
    completions.moved((runId) => runId === 'run');
    await settled();
    expect(moved.outcome.record).toBeUndefined();
    await append('completed', 3);
    expect(moved.outcome.record).toEqual(expect.objectContaining({ runId: 'run', from: 'the store' }));
    expect(stays.outcome.record).toBeUndefined();
    completions.changed(inMemory('other', true));
    await settled();
    expect(stays.outcome.record).toEqual({ runId: 'other', from: 'memory' });
  });

  it('gets null when the process ends, at once, and nothing from the store', async () => {
    const { stops: completions, wait, row } = waiting();
    const { outcome } = wait('run');
    completions.close();
    await settled();
    expect([outcome.record, row.reads]).toEqual([null, 0]);
  });
});

describe('a wait for a run of another process', () => {
  async function elsewhere() {
    const all = waiting();
    all.is.owner = false;
    return all;
  }

  it.each(['paused', 'completed', 'failed'] as const)('gets its record when it is %s', async (status) => {
    const { wait, append, watch } = await elsewhere();
    const { outcome } = wait('run');
    await settled();
    expect(outcome.record).toBeUndefined();
    await append('pending', 1);
    await append('running', 2);
    expect(outcome.record).toBeUndefined();
    await append(status, 3);
    expect(outcome.record).toEqual(expect.objectContaining({ from: 'the store' }));
    expect(watch.waiting).toBe(0);
  });

  it('gets it at once when it has stopped already', async () => {
    const { wait, append, watch } = await elsewhere();
    await append('paused', 2);
    const { outcome } = wait('run');
    await settled();
    expect(outcome.record).toEqual(expect.objectContaining({ from: 'the store' }));
    expect(watch.waiting).toBe(0);
  });

  it('is not woken by what it has seen', async () => {
    const { wait, append, row, watch } = await elsewhere();
    await append('running', 5);
    wait('run');
    await settled();
    // It reads from the start once, and then from where the run was.
    const { reads } = row;
    watch.announce({ runId: 'run', seq: 5 });
    await settled();
    expect(row.reads).toBeLessThanOrEqual(reads + 1);
    const later = row.reads;
    watch.announce({ runId: 'run', seq: 5 });
    await settled();
    expect(row.reads).toBe(later);
  });

  it('leaves nothing behind when it is given up or takes too long', async () => {
    const { clock, wait, watch } = await elsewhere();
    const [one, two] = [wait('run'), wait('run', 1_000)];
    await settled();
    expect(watch.waiting).toBe(2);
    one.abandon();
    await clock.advance(1_000);
    await settled();
    expect([one.outcome.record, two.outcome.record, watch.waiting]).toEqual([null, null, 0]);
  });

  it('continues through a time in which the store cannot be read, and leaves nothing behind of each try', async () => {
    const { clock, wait, watch, is, append } = await elsewhere();
    is.unreadable = true;
    const { outcome } = wait('run');
    await clock.advance(10_000);
    expect(outcome.record).toBeUndefined();
    expect(watch.waiting).toBeLessThanOrEqual(1);
    is.unreadable = false;
    await append('completed', 3);
    await clock.advance(1_000);
    expect(outcome.record).toEqual(expect.objectContaining({ from: 'the store' }));
    expect(watch.waiting).toBe(0);
  });

  it('gets null when the store cannot be read, or the process ends', async () => {
    const { stops: completions, wait, row } = await elsewhere();
    const ended = wait('run');
    await settled();
    completions.close();
    await settled();
    expect(ended.outcome.record).toBeNull();
    const { reads } = row;
    const late = wait('run');
    await settled();
    expect([late.outcome.record, row.reads]).toEqual([null, reads]);
    const other = await elsewhere();
    Object.defineProperty(other.row, 'current', {
      get: () => {
        throw new Error('the disk is gone');
      },
    });
    const broken = other.wait('run');
    await settled();
    expect(broken.outcome.record).toBeNull();
  });
});

describe('a request that is answered at a gate, too', () => {
  const gated = compileText(
    document('w', [gate('ask'), { id: 'a', uses: 'work' }], {
      flow: { type: 'parallel', units: ['ask', 'a'] },
    }),
  );
  const atGate = (): RunInMemory => {
    const run = new SimulatedRun(gated);
    return { runId: 'run', durable: run.state, history: run.log } as unknown as RunInMemory;
  };

  it('is answered by an owned run once one opens, and those that wait for its stop are not', async () => {
    const { stops: completions, wait } = waiting();
    const early = wait('run', null, undefined, 'gate');
    const late = wait('run');
    completions.changed(atGate());
    await settled();
    expect([early.outcome.record, late.outcome.record]).toEqual([
      { runId: 'run', from: 'memory' },
      undefined,
    ]);
    expect(completions.waitedFor).toBe(1);
    completions.changed(inMemory('run', true));
    await settled();
    expect([late.outcome.record, completions.waitedFor]).toEqual([{ runId: 'run', from: 'memory' }, 0]);
  });

  it('is answered at once where one is open already', () => {
    const { stops: completions } = waiting();
    const record = { runId: 'run', from: 'memory' };
    expect(completions.ofRun(atGate(), { syncUntil: 'gate' })).toEqual(record);
    expect(completions.ofRun(atGate())).toBeInstanceOf(Promise);
  });

  it('is answered by the store for a run of another process', async () => {
    const { is, wait, append, row } = waiting();
    is.owner = false;
    const early = wait('run', null, undefined, 'gate');
    const late = wait('run');
    await append('running', 1);
    expect(early.outcome.record).toBeUndefined();
    row.gates = [{ gateId: 2, unitId: 'ask', openedAt: 1 }];
    await append('running', 2);
    expect(early.outcome.record).toMatchObject({ from: 'the store' });
    expect(late.outcome.record).toBeUndefined();
    await append('completed', 3);
    expect(late.outcome.record).toMatchObject({ from: 'the store' });
  });
});
