import { definitionOf, FINISHED, LiveShell, settled } from '../../../../test/support/live-shell.js';
import { ANN, compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { document, gate } from '../../../../test/support/workflow-documents.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';
import type { RunState } from '../../core/state/state.js';
import { UNBOUNDED, type Budget } from '../../core/turn/budget.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import type { AppendRequest, AppendResult } from '../../ports/store/append.js';
import type { PublicEvent } from '../../public-events.js';
import type { RunInMemory } from '../run-shell.js';
import { LiveRun } from '../mailbox/live-run.js';
import { SliceScheduler, type SliceAccount } from '../mailbox/slice-scheduler.js';
import { EventPages } from './event-pages.js';
import { StatusChanges } from './status-changes.js';

const work = (id: string) => ({ id, uses: 'work' });
const BRANCH = { type: 'sequential', order: ['a', 'b'] };
const BESIDE = { flow: { type: 'parallel', units: ['ok', BRANCH] } };

/** The log of a run with an open gate whose other branch has ended its first unit; `middle`: the seq of that end. */
function halfway() {
  const run = new SimulatedRun(compileText(document('w', [gate('ok'), work('a'), work('b')], BESIDE)));
  // The gate is decided last.
  run.finish((count) => count - 1);
  const middle = run.log.find(({ type }) => type === 'unit-finished')!.seq;
  return { run, log: run.log, middle };
}

/** What a store and the runs in memory are to `StatusChanges`. */
class Shell {
  reads = 0;
  status = 'running';
  memory: RunInMemory | undefined;
  readonly changes: StatusChanges;

  constructor(public log: readonly RunEvent[]) {
    this.changes = new StatusChanges({
      store: {
        readEvents: async ({ afterSeq, limit }: { readonly afterSeq: number; readonly limit: number }) => {
          this.reads += 1;
          return this.log.slice(afterSeq, afterSeq + limit) as never;
        },
        readRow: async () => ({ status: this.status, lastSeq: this.log.length }) as never,
      } as never,
      reader: {} as never,
      peek: () => this.memory,
    });
  }

  /** The run is in memory, after its log so far. */
  holds(durable: RunState, isMidTurn: boolean): RunInMemory {
    this.memory = { runId: 'run', durable, isMidTurnAt: () => isMidTurn } as unknown as RunInMemory;
    return this.memory;
  }

  async told(afterSeq = 0, throughSeq = this.log.length) {
    const { changes, settledSeq } = await this.changes.within('run', afterSeq, throughSeq);
    return { changes: [...changes], settledSeq };
  }
}

describe('the status changes of a run', () => {
  it('are none with the last event of a turn that is preempted: a page ends before it', async () => {
    const { run, log, middle } = halfway();
    const shell = new Shell(log.slice(0, middle));
    shell.holds(run.fold(middle), true);
    expect(await shell.told()).toEqual({ changes: [], settledSeq: middle - 1 });
    // The turn continues, and another unit is called: the run was never paused.
    shell.log = log.slice(0, middle + 1);
    const continued = shell.holds(run.fold(middle + 1), false);
    shell.changes.changed(continued, [log[middle]!], run.fold(middle));
    expect(await shell.told()).toEqual({ changes: [], settledSeq: middle + 1 });
  });

  it('are final with the end of a preempted turn, even where that brings no event', async () => {
    const { run, log, middle } = halfway();
    const shell = new Shell(log.slice(0, middle + 1));
    const state = run.fold(middle + 1);
    shell.holds(state, true);
    expect((await shell.told()).settledSeq).toBe(middle);
    shell.changes.changed(shell.holds(state, false), [], state);
    expect((await shell.told()).settledSeq).toBe(middle + 1);
  });

  it('of a run that moves while it is read come from its mailbox, and are those of its log', async () => {
    const { run, log } = halfway();
    const shell = new Shell([]);
    shell.changes.attachToAll();
    for (const [n, event] of log.entries()) {
      shell.log = log.slice(0, n + 1);
      shell.changes.changed(shell.holds(run.fold(n + 1), true), [event], run.fold(n));
    }
    shell.changes.changed(shell.holds(run.state, false), [], run.state);
    const fromMailbox = await shell.told();
    expect(shell.reads).toBe(0);
    const elsewhere = new Shell(log);
    expect(await elsewhere.told()).toEqual(fromMailbox);
  });

  it('are found once, from the start of a log that is not in memory, and are the same wherever a reader begins', async () => {
    const { log } = halfway();
    const shell = new Shell(log);
    const whole = await shell.told();
    expect(whole.changes.length).toBeGreaterThan(0);
    const { reads } = shell;
    for (let afterSeq = 0; afterSeq < log.length; afterSeq += 1) {
      const { changes } = await shell.told(afterSeq);
      expect(changes).toEqual(whole.changes.filter(([seq]) => seq > afterSeq));
    }
    expect(shell.reads).toBe(reads);
  });

  it('of a quarantined run are that pause alone: its log is not folded', async () => {
    const { run, log, middle } = halfway();
    const until = run.fold(middle);
    const located = { path: '', scope: '', unitId: '', executionId: null };
    const stamped = { v: 1, seq: middle + 1, at: 9 };
    const pause = {
      ...located,
      ...stamped,
      type: 'paused',
      reason: 'crash-limit',
      error: 'it ended the process',
      by: ANN,
    } as unknown as RunEvent;
    expect(until.seq).toBe(middle);
    const shell = new Shell([...log.slice(0, middle), pause]);
    shell.status = 'paused';
    expect(await shell.told()).toEqual({ changes: [[middle + 1, 'paused']], settledSeq: middle + 1 });
    expect(shell.reads).toBe(1);
  });
});

/** Turns of one event, each when the test says so. */
class SingleSteps extends SliceScheduler {
  private readonly turns: (() => void)[] = [];

  override takeWithin<T extends { readonly isPreempted: boolean }>(
    _account: SliceAccount,
    decide: (budget: Budget) => T,
  ): Promise<T> {
    return new Promise((resolve) => {
      this.turns.push(() => resolve(decide({ ...UNBOUNDED, events: 1 })));
    });
  }

  /** False: no turn waits. */
  async next(): Promise<boolean> {
    const turn = this.turns.shift();
    turn?.();
    await settled();
    return turn !== undefined;
  }
}

/** Its log is seen before its answer has come back. */
class SlowAnswers extends InMemoryRunStore {
  private readonly answers: (() => void)[] = [];

  override async append(request: AppendRequest): Promise<AppendResult> {
    const result = await super.append(request);
    await new Promise<void>((resolve) => this.answers.push(resolve));
    return result;
  }

  async answer(): Promise<void> {
    for (const answer of this.answers.splice(0)) answer();
    await settled();
  }
}

/** A run whose every turn is preempted after one event, and what two readers see of it: one of all along, and one who comes. */
class Preempted {
  readonly seen: (readonly PublicEvent[])[] = [];
  /** How often a page ended before the end of the log. */
  heldBack = 0;
  private readonly store = new SlowAnswers();
  private readonly slices = new SingleSteps();
  private readonly shell = new LiveShell(this.store);
  private readonly run: LiveRun;
  private readonly follows: StatusChanges;

  constructor(yaml: string) {
    Object.assign(this.shell, { slices: this.slices });
    this.run = new LiveRun('run', definitionOf(yaml), this.shell);
    this.run.isOwned = true;
    this.follows = this.reader();
    this.follows.attachToAll();
    this.shell.notifier.changed = (run, events, before) => this.follows.changed(run, events, before);
  }

  async send(signal: Signal): Promise<void> {
    void this.run.send([signal]);
    await this.play();
  }

  async finish(unitId: string): Promise<void> {
    this.shell.calls.find((call) => call.unitId === unitId)!.complete(FINISHED);
    await settled();
    await this.play();
  }

  /** What a reader sees who comes now. */
  async page(changes = this.reader()): Promise<readonly PublicEvent[]> {
    const { items } = await new EventPages(this.store, changes).after(OWNER, 0, BOUNDS);
    return items;
  }

  private async play(): Promise<void> {
    while (await this.slices.next()) {
      await this.look();
      await this.store.answer();
      await this.look();
    }
  }

  private async look(): Promise<void> {
    const { length } = await this.store.readEvents({ runId: 'run', afterSeq: 0, limit: 1_000 });
    const page = await this.page();
    expect(await this.page(this.follows)).toEqual(page);
    const newest = await new EventPages(this.store, this.follows).newest(OWNER, length, BOUNDS);
    expect(newest).toEqual(page);
    this.seen.push(page);
    const { settledSeq } = await this.follows.within('run', 0, length);
    if (settledSeq < length) this.heldBack += 1;
  }

  private reader(): StatusChanges {
    return new StatusChanges({ store: this.store, reader: {} as never, peek: () => this.run });
  }
}

const OWNER = { runId: 'run', workflowId: 'w' };
const BOUNDS = { limit: 1_000, maxBytes: 1_000_000, view: 'public' } as const;

describe('a run whose turns are preempted', () => {
  it('is shown alike to all readers at all times: no pause that another reader is not told', async () => {
    const run = new Preempted(document('w', [gate('ok'), work('a'), work('b')], BESIDE));
    const at = 1_750_000_000_000;
    const begin = { runId: 'run', namespace: 'default', input: {}, labels: {}, parent: null } as const;
    await run.send({ type: 'start', at, ...begin, by: ANN, origin: { type: 'client' } });
    await run.finish('a');
    await run.finish('b');
    const { seq: gateId } = (await run.page()).find(({ type }) => type === 'gate.opened')!;
    const decision = { gateId, approved: true, responder: 'ann', by: ANN, comment: null };
    await run.send({ type: 'decision', at, ...decision });
    const whole = await run.page();
    expect(whole.at(-1)?.type).toBe('run.completed');
    for (const page of run.seen) expect(page).toEqual(whole.slice(0, page.length));
    const pauses = whole.filter(({ data, change }) => (change?.data ?? data)['status'] === 'paused');
    // Only once the other branch has ended; between its two units the gate was not all that was left.
    expect(pauses).toHaveLength(1);
    const second = whole.findLast(({ type }) => type === 'unit.finished')!;
    expect(pauses[0]!.seq).toBeGreaterThan(second.seq);
    expect(run.heldBack).toBeGreaterThan(0);
  });
});
