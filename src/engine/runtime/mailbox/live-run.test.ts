import { inSequence, workflowYaml } from '../../../../test/support/engine.js';
import { definitionOf, FINISHED, LiveShell, settled } from '../../../../test/support/live-shell.js';
import { ANN, compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { StoreError } from '../../../errors/service-errors.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';
import { INITIAL_STATE } from '../../core/state/state.js';
import { statusOf } from '../../core/state/status.js';
import { openPausesOf } from '../../core/waits/pause.js';
import type { Definition } from '../../definitions/definition.js';
import type { AppendRequest, AppendResult, IdempotencyRecord } from '../../ports/store/append.js';
import { appendRequest } from './appending/append-request.js';
import { LiveRun, StartRefused } from './live-run.js';
import { SliceAccount, SliceScheduler } from './slice-scheduler.js';

const work = (id: string) => ({ id, uses: 'work' });
const ONE = inSequence('w', [work('a')]);
const TWO = inSequence('w', [work('a'), work('b')]);
const BESIDE = workflowYaml('w', {
  units: [work('a'), work('b')],
  flow: { type: 'parallel', units: ['a', 'b'] },
});
const GATE = inSequence('w', [{ id: 'g', uses: 'builtin.approval' }]);

/** The failure of an append; null: it is written. */
type Refusal = (request: AppendRequest) => Error | 'the answer is lost' | null;

class FaultyStore extends InMemoryRunStore {
  refuses: Refusal = () => null;
  readonly asked: AppendRequest[] = [];

  override async append(request: AppendRequest): Promise<AppendResult> {
    this.asked.push(request);
    const refusal = this.refuses(request);
    if (refusal instanceof Error) throw refusal;
    const result = await super.append(request);
    if (refusal !== null) throw new StoreError('the disk did not answer');
    return result;
  }
}

/** One live run of a process, and its store. */
class Living {
  readonly store: FaultyStore;
  readonly shell: LiveShell;
  readonly definition: Definition;
  run: LiveRun;

  constructor(yaml: string, store = new FaultyStore()) {
    this.store = store;
    this.shell = new LiveShell(store);
    this.definition = definitionOf(yaml);
    this.run = new LiveRun('run', this.definition, this.shell);
    this.run.isOwned = true;
  }

  start(key: Parameters<LiveRun['send']>[1] = null): Promise<boolean> {
    const by = ANN;
    const at = this.shell.clock.now();
    return this.run.send(
      [
        {
          type: 'start',
          at,
          runId: 'run',
          namespace: 'default',
          input: {},
          labels: {},
          by,
          origin: { type: 'client' },
          parent: null,
        },
      ],
      key,
    );
  }

  async answer(unitId: string, answer: Parameters<LiveShell['calls'][number]['complete']>[0] = FINISHED) {
    this.shell.calls.findLast((call) => call.unitId === unitId)!.complete(answer);
    await settled();
  }

  get status(): string {
    return statusOf(this.run.durable);
  }

  async log(): Promise<readonly RunEvent[]> {
    return (await this.store.readEvents({ runId: 'run', afterSeq: 0, limit: 10_000 })) as readonly RunEvent[];
  }

  async types(): Promise<readonly string[]> {
    return (await this.log()).map(({ type }) => type);
  }

  /** Decides and appends as another process would, without notifying this one. */
  async elsewhere(act: (other: LiveRun) => Promise<unknown>): Promise<LiveShell> {
    const other = new LiveShell(this.store);
    other.isOwner = false;
    const run = new LiveRun('run', this.definition, other);
    await run.load();
    await act(run);
    return other;
  }
}

const decision = (approved = true, gateId = 2): Signal => ({
  type: 'decision',
  at: 1,
  gateId,
  approved,
  responder: 'ann',
  by: ANN,
  comment: null,
});
const cancel: Signal = { type: 'cancel', at: 1, by: ANN, graceMs: 0 };
const recordOf = (key: string, fingerprint = 'f'): IdempotencyRecord => ({
  scope: 'hitl:run',
  key,
  fingerprint,
  runId: 'run',
});
const permanent = new StoreError('longer than a text may be', { permanent: true });
const passing = new StoreError('the disk is full');

describe('a live run', () => {
  it('stores what happened, then acts upon it and notifies, from the start to the end', async () => {
    const living = new Living(TWO);
    expect(await living.start()).toBe(true);
    await settled();
    expect(living.shell.called).toEqual(['a']);
    await living.answer('a');
    await living.answer('b');
    expect(living.status).toBe('completed');
    expect(await living.types()).toEqual([
      'run-started',
      'unit-scheduled',
      'unit-finished',
      'unit-scheduled',
      'unit-finished',
      'run-completed',
    ]);
    expect(living.run.history).toEqual(await living.log());
    expect(living.shell.changes.flat()).toEqual(await living.log());
    expect(living.shell.logger.said).toEqual([]);
    expect(living.shell.nudged).toEqual([]);
  });

  it('stores many outcomes that came at once in one write', async () => {
    const living = new Living(BESIDE);
    await living.start();
    await settled();
    const before = living.store.asked.length;
    for (const call of living.shell.calls) call.complete(FINISHED);
    await settled();
    expect(living.status).toBe('completed');
    expect(living.store.asked.length - before).toBeLessThanOrEqual(2);
  });

  it('tells the caller whether it changed anything, and stores nothing where it did not', async () => {
    const living = new Living(GATE);
    await living.start();
    const { length } = living.store.asked;
    const changes = living.shell.changes.length;
    expect(await living.run.send([decision(true, 99)])).toBe(false);
    expect(await living.run.send([])).toBe(false);
    expect(living.store.asked).toHaveLength(length);
    expect(living.shell.changes).toHaveLength(changes);
    expect(await living.run.send([decision()])).toBe(true);
    expect(living.status).toBe('completed');
  });

  it('requests its wake-up, once for each time', async () => {
    const policy = { timeout: { workflowMs: 60_000 } };
    const living = new Living(inSequence('w', [work('a'), work('b')], { policy }));
    await living.start();
    await settled();
    const deadline = living.shell.clock.now() + 60_000;
    expect(living.shell.wakeUps).toEqual([deadline]);
    await living.answer('a');
    expect(living.shell.wakeUps).toEqual([deadline]);
    await living.answer('b');
    expect(living.shell.wakeUps).toEqual([deadline, null]);
  });

  it('without a due time requests no wake-up until it was loaded', async () => {
    const living = new Living(ONE);
    await living.start();
    await settled();
    expect(living.shell.wakeUps).toEqual([]);
    await living.run.refresh();
    expect(living.shell.wakeUps).toEqual([null]);
  });

  it('that is foreign is not called here; its owner is nudged by what is appended, and by that alone', async () => {
    const living = new Living(ONE);
    living.shell.isOwner = false;
    living.run.isOwned = false;
    await living.start();
    await settled();
    expect(living.shell.called).toEqual([]);
    expect([living.shell.nudged, living.shell.wakeUps]).toEqual([['run'], []]);
    await living.run.send([]);
    await living.run.send([decision()]);
    expect(living.shell.nudged).toEqual(['run']);
  });

  it('keeps its history while it is short, and leaves a long one to the store', async () => {
    const count = { id: 'count', uses: 'builtin.set', config: { values: { count: '${{ iteration }}' } } };
    const flow = { type: 'loop', unit: 'count', maxIterations: 4_000, until: 'false' };
    const living = new Living(workflowYaml('w', { units: [count], flow }));
    await living.start();
    expect(living.run.history).toHaveLength(living.run.durable.seq);
    await settled();
    while (!living.run.isIdle) await settled();
    expect(living.status).toBe('completed');
    expect(living.run.durable.seq).toBeGreaterThan(5_000);
    expect(living.run.history).toBeNull();
    const [cut] = living.store.asked;
    expect(cut!.row.wakeAt).toBe(cut!.row.updatedAt);
    expect(living.store.asked.length).toBeGreaterThan(1);
    expect(living.store.asked.at(-1)!.row.wakeAt).toBeNull();
    const again = new LiveRun('run', living.definition, living.shell);
    expect(await again.load()).toBe(true);
    expect(again.durable.seq).toBe(living.run.durable.seq);
  });

  it('knows all of its history after it was loaded from its first event', async () => {
    const living = new Living(ONE);
    await living.start();
    const again = new LiveRun('run', living.definition, living.shell);
    await again.load();
    expect(again.history).toEqual(await living.log());
  });

  it('that the store does not know cannot be loaded', async () => {
    const living = new Living(ONE);
    expect(await living.run.load()).toBe(false);
  });

  it('counts as an inbox batch only while it has one', async () => {
    const living = new Living(ONE);
    await living.start();
    await settled();
    expect(living.shell.inboxBatch.takeMost()).toBe(1);
    expect(living.shell.inboxBatch.takeMost()).toBe(0);
  });
});

describe('a run that has nothing to do', () => {
  it('may leave memory once nothing is in flight, it is not checked out and its mailbox is empty', async () => {
    const living = new Living(ONE);
    living.run.checkouts = 1;
    await living.start();
    await settled();
    living.run.checkouts = 0;
    living.run.leaveIfIdle();
    expect([living.run.isIdle, living.shell.idle]).toEqual([false, []]);
    living.run.checkouts = 1;
    await living.answer('a');
    expect([living.run.isIdle, living.shell.idle]).toEqual([true, []]);
    living.run.checkouts = 0;
    living.run.leaveIfIdle();
    expect(living.shell.idle).toEqual([living.run]);
  });

  it('notifies of it by itself when its last unit completed', async () => {
    const living = new Living(ONE);
    await living.start();
    await settled();
    await living.answer('a');
    expect(living.shell.idle).toEqual([living.run]);
  });

  it('stays while a write is under way', async () => {
    const living = new Living(GATE);
    const starting = living.start();
    expect(living.run.isIdle).toBe(false);
    living.run.leaveIfIdle();
    expect(living.shell.idle).toEqual([]);
    await starting;
    await settled();
    expect(living.shell.idle).toEqual([living.run]);
  });
});

describe('a run that waits for a slot among the executions of the process', () => {
  it('stays in memory until one comes free, and leaves if it has nothing to call by then', async () => {
    const living = new Living(ONE);
    const { admission } = living.shell;
    const others = Array.from({ length: 100 }, (_, id) =>
      admission.shareOf({ namespace: 'default', owner: null, workflowId: `other ${id}` }, () => undefined),
    );
    for (const share of others) admission.tryEnter(share);
    await living.start();
    await settled();
    living.run.leaveIfIdle();
    expect([living.run.isIdle, living.shell.idle, living.shell.called]).toEqual([true, [], []]);
    await living.run.send([cancel]);
    await settled();
    expect(living.shell.idle).toEqual([]);
    admission.leave(others[0]!);
    expect(living.shell.idle).toEqual([living.run]);
  });
});

describe('a run that was loaded', () => {
  async function loaded(yaml: string) {
    const living = new Living(yaml);
    await living.start();
    const again = new Living(yaml, living.store);
    await again.run.load();
    return again;
  }

  it('notifies of nothing until something happens', async () => {
    const living = await loaded(GATE);
    expect(await living.run.send([decision(true, 99)])).toBe(false);
    expect(living.shell.changes).toEqual([]);
  });

  it('counts the log that was read towards its next full state, and knows no history beyond that', async () => {
    const count = { id: 'count', uses: 'builtin.set', config: { values: { n: '${{ iteration }}' } } };
    const loop = { type: 'loop', unit: 'count', maxIterations: 700, until: 'false' };
    const units = [count, { id: 'g', uses: 'builtin.approval' }];
    const yaml = workflowYaml('w', { units, flow: { type: 'sequential', order: [loop, 'g'] } });
    const run = new SimulatedRun(compileText(yaml));
    const living = new Living(yaml);
    await living.store.append(
      appendRequest(INITIAL_STATE, run.state, run.log, {
        storedState: null,
        idempotency: [],
        startedFrom: null,
        isPreempted: false,
        isForeign: false,
      }),
    );
    await living.run.load();
    expect(living.run.history).toHaveLength(run.log.length);
    await living.run.send([decision(true, run.state.seq)]);
    expect(living.store.asked.at(-1)!.storedState).toMatchObject({ seq: living.run.durable.seq });
    const again = new LiveRun('run', living.definition, living.shell);
    await again.load();
    expect([statusOf(again.durable), again.history]).toEqual(['completed', null]);
  });

  it('is not loaded again for the first request', async () => {
    const living = await loaded(GATE);
    let loads = 0;
    living.store.load = () => Promise.reject(new Error(`load ${++loads}`));
    await living.run.send([decision()]);
    expect(loads).toBe(0);
  });

  it('has requests that come at once stored together, from the second on', async () => {
    const living = await loaded(BESIDE);
    const before = living.store.asked.length;
    const note = { type: 'note', at: 1, request: 'resume' } as const;
    await Promise.all([note, note, note].map((signal) => living.run.send([signal])));
    expect(living.store.asked.slice(before).map(({ events }) => events.length)).toEqual([1, 2]);
  });
});

describe('a start', () => {
  it('is refused when another one has its key, and leaves nothing behind', async () => {
    const first = new Living(ONE);
    const key = { record: { ...recordOf('k'), scope: 'start:w' }, request: 'start' as const };
    await first.start(key);
    const second = new Living(ONE, first.store);
    second.run = new LiveRun('second', second.definition, second.shell);
    const refusal = await second.start(key).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartRefused);
    expect(refusal).toMatchObject({ reason: 'conflict' });
    await settled();
    expect([second.run.durable.seq, second.run.isIdle]).toEqual([0, true]);
    expect(second.shell.called).toEqual([]);
    expect(second.shell.changes).toEqual([]);
  });

  it('is refused as stale when its workflow was registered again', async () => {
    const living = new Living(ONE);
    living.run.startedFrom = () => ({ hash: 'of another time', opening: null });
    await expect(living.start()).rejects.toMatchObject({ reason: 'stale' });
  });

  it('keeps its key, which no note follows', async () => {
    const living = new Living(GATE);
    const record = { ...recordOf('k'), scope: 'start:w' };
    await living.start({ record, request: 'start' });
    expect(living.store.asked[0]!.idempotency).toEqual([record]);
    expect(await living.types()).toEqual(['run-started', 'gate-opened']);
  });
});

describe('a run to which another process appended', () => {
  it('decides the same request again on what is there now', async () => {
    const living = new Living(inSequence('w', [{ id: 'g', uses: 'builtin.approval' }, work('a')]));
    await living.start();
    await living.elsewhere((other) => other.send([decision(false)]));
    expect(await living.run.send([decision(true)])).toBe(false);
    expect(living.status).toBe('failed');
    expect(await living.types()).toEqual(['run-started', 'gate-opened', 'gate-decided', 'run-failed']);
    expect(living.shell.changes.at(-1)).toEqual([]);
  });

  it('calls what the other decided, and notifies of it, once it looks', async () => {
    const living = new Living(inSequence('w', [{ id: 'g', uses: 'builtin.approval' }, work('a')]));
    await living.start();
    const other = await living.elsewhere((run) => run.send([decision()]));
    await settled();
    expect(other.nudged).toEqual(['run']);
    expect(living.shell.called).toEqual([]);
    const changes = living.shell.changes.length;
    await living.run.refresh();
    await settled();
    expect(living.shell.called).toEqual(['a']);
    expect(living.shell.changes.slice(changes)).toEqual([[]]);
    await living.run.refresh();
    expect(living.shell.changes).toHaveLength(changes + 1);
  });

  it('recognises a request that was carried out there under its key, and refuses another under the same key', async () => {
    const living = new Living(GATE);
    await living.start();
    const keyed = (fingerprint: string) => ({ record: recordOf('k', fingerprint), request: 'hitl' as const });
    await living.elsewhere((other) => other.send([decision()], keyed('f')));
    const answers = await Promise.allSettled([
      living.run.send([decision()], keyed('f')),
      living.run.send([cancel]),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await living.types()).toEqual(['run-started', 'gate-opened', 'gate-decided', 'run-completed']);
    const again = new Living(GATE, living.store);
    await again.run.load();
    await expect(again.run.send([decision()], keyed('other'))).rejects.toMatchObject({
      code: 'idempotency-conflict',
    });
    expect(await again.run.send([decision()], keyed('f'))).toBe(false);
  });

  it('notes a keyed request that lost, so that its key is kept, and no other', async () => {
    const living = new Living(GATE);
    await living.start();
    await living.run.send([decision()]);
    expect(await living.run.send([decision()], { record: recordOf('late'), request: 'hitl' })).toBe(true);
    expect((await living.types()).at(-1)).toBe('request-noted');
    expect(await living.store.readIdempotency(recordOf('late'))).toEqual(recordOf('late'));
  });
});

describe('a store that fails for a while', () => {
  it('loses no outcome: it is offered again with growing delays, and its unit is not called again', async () => {
    const living = new Living(ONE);
    await living.start();
    await settled();
    living.store.refuses = () => passing;
    const before = living.store.asked.length;
    await living.answer('a');
    const offers: number[] = [];
    for (let ms = 0; ms < 20_000; ms += 50) {
      if (living.store.asked.length > before + offers.length) offers.push(ms);
      await living.shell.clock.advance(50);
    }
    expect(offers.slice(0, 9)).toEqual([0, 50, 150, 350, 750, 1_550, 3_150, 6_350, 11_350]);
    expect(living.shell.logger.said[0]).toEqual({
      level: 'warn',
      message: 'A run could not be stored; its results are kept and offered again',
      fields: { runId: 'run', results: 1, error: 'the disk is full' },
    });
    expect(living.run.isIdle).toBe(false);
    living.store.refuses = () => null;
    await living.shell.clock.advance(5_000);
    expect([living.status, living.shell.called]).toEqual(['completed', ['a']]);
  });

  it('begins with short waits again after it served', async () => {
    const living = new Living(BESIDE);
    await living.start();
    await settled();
    living.store.refuses = () => passing;
    await living.answer('a');
    await living.shell.clock.advance(1_000);
    living.store.refuses = () => null;
    await living.shell.clock.advance(5_000);
    living.store.refuses = () => passing;
    await living.answer('b');
    living.store.refuses = () => null;
    await living.shell.clock.advance(50);
    expect(living.status).toBe('completed');
  });

  it('rejects the caller, once, and the request is not carried out later', async () => {
    const living = new Living(GATE);
    await living.start();
    living.store.refuses = () => passing;
    await expect(living.run.send([decision()])).rejects.toBe(passing);
    expect(living.shell.logger.said).toEqual([]);
    living.store.refuses = () => null;
    await living.shell.clock.advance(10_000);
    expect(living.status).toBe('paused');
  });

  it('rejects the caller who delivered what must not be lost, and that is done all the same', async () => {
    const living = new Living(GATE);
    await living.start();
    living.store.refuses = () => passing;
    await expect(living.run.deliver(cancel)).rejects.toBe(passing);
    living.store.refuses = () => null;
    await living.shell.clock.advance(50);
    expect(living.status).toBe('failed');
  });

  it('but wrote all the same is detected: nothing is decided twice, and the run continues from there', async () => {
    const living = new Living(TWO);
    await living.start();
    await settled();
    living.store.refuses = () => 'the answer is lost';
    await living.answer('a');
    living.store.refuses = () => null;
    await living.shell.clock.advance(50);
    await settled();
    expect(living.shell.called).toEqual(['a', 'b']);
    await living.answer('b');
    expect(living.status).toBe('completed');
    expect((await living.types()).filter((type) => type === 'unit-finished')).toHaveLength(2);
    expect(living.shell.changes.some((events) => events.length === 0)).toBe(true);
  });

  it('is offered what comes in the meantime, after what was kept', async () => {
    const living = new Living(TWO);
    await living.start();
    await settled();
    living.store.refuses = () => passing;
    await living.answer('a');
    const cancelled = living.run.send([cancel]);
    living.store.refuses = () => null;
    await living.shell.clock.advance(50);
    expect(await cancelled).toBe(true);
    expect(await living.types()).toEqual([
      'run-started',
      'unit-scheduled',
      'unit-finished',
      'unit-scheduled',
      'run-cancelled',
    ]);
  });
});

describe('what a store can never take', () => {
  /** Refuses every append that holds an output of that unit. */
  const refusing =
    (unitId: string): Refusal =>
    ({ events }) =>
      (events as readonly RunEvent[]).some(
        (event) => event.type === 'unit-finished' && event.unitId === unitId,
      )
        ? permanent
        : null;

  it('fails its unit with the reason, in place of the outcome', async () => {
    const living = new Living(ONE);
    await living.start();
    await settled();
    living.store.refuses = refusing('a');
    await living.answer('a');
    expect(living.status).toBe('failed');
    expect(living.run.durable.error).toContain('its answer cannot be stored: longer than a text may be');
    expect(living.shell.called).toEqual(['a']);
    expect(living.shell.logger.said).toEqual([
      {
        level: 'error',
        message: 'Something of a run cannot be stored',
        fields: { runId: 'run', isDropped: false, error: 'longer than a text may be' },
      },
    ]);
    // This took no time.
    expect(living.store.asked).toHaveLength(3);
  });

  it('costs the outcomes next to it nothing: they are stored sequentially, in order', async () => {
    const three = ['a', 'b', 'c'];
    const flow = { type: 'parallel', units: three, failureStrategy: 'collect-errors' };
    const living = new Living(workflowYaml('w', { units: three.map(work), flow }));
    await living.start();
    await settled();
    living.store.refuses = ({ events }) => (events.length > 0 ? passing : null);
    for (const call of living.shell.calls) call.complete(FINISHED);
    await settled();
    living.store.refuses = refusing('b');
    await living.shell.clock.advance(50);
    await settled();
    const told = (await living.log()).filter(
      ({ type }) => type === 'unit-finished' || type === 'unit-failed',
    );
    expect(told.map((event) => [event.type, (event as { unitId: string }).unitId])).toEqual([
      ['unit-finished', 'a'],
      ['unit-failed', 'b'],
      ['unit-finished', 'c'],
    ]);
    expect(living.shell.called).toEqual(three);
    expect(living.run.isIdle).toBe(true);
  });

  it('is stored many at once again afterwards', async () => {
    const living = new Living(
      workflowYaml('w', {
        units: ['a', 'b', 'c', 'd'].map(work),
        flow: { type: 'parallel', units: ['a', 'b', 'c', 'd'], failureStrategy: 'best-effort' },
      }),
    );
    await living.start();
    await settled();
    const answer = async (...ids: readonly string[]) => {
      living.store.refuses = () => passing;
      for (const call of living.shell.calls) if (ids.includes(call.unitId)) call.complete(FINISHED);
      await settled();
      living.store.refuses = refusing('a');
      const before = living.store.asked.length;
      await living.shell.clock.advance(50);
      await settled();
      return living.store.asked.slice(before).map(({ events }) => events.filter(isAnswer).length);
    };
    expect(await answer('a', 'b')).toEqual([2, 1, 0, 1]);
    expect(await answer('c', 'd')).toEqual([2]);
  });

  it('is rejected to the caller, and nothing is recorded in its place', async () => {
    const living = new Living(GATE);
    await living.start();
    living.store.refuses = () => permanent;
    await expect(living.run.send([decision()])).rejects.toBe(permanent);
    await settled();
    living.store.refuses = () => null;
    expect(living.shell.logger.said).toEqual([
      expect.objectContaining({ fields: { runId: 'run', isDropped: true, error: permanent.message } }),
    ]);
    expect(await living.types()).toEqual(['run-started', 'gate-opened']);
    expect(await living.run.send([decision()])).toBe(true);
  });

  it('is given up, and logged, when its replacement cannot be stored either', async () => {
    const living = new Living(ONE);
    await living.start();
    await settled();
    living.store.refuses = () => permanent;
    await living.answer('a');
    await settled();
    expect(living.shell.logger.said.map(({ fields }) => fields['isDropped'])).toEqual([false, false, true]);
    expect(living.run.isIdle).toBe(true);
  });
});

function isAnswer({ type }: { readonly type: string }): boolean {
  return type === 'unit-finished';
}

describe('a decision that cannot be made', () => {
  /** Units that cannot be looked up in the plan while it is faulty. */
  function faulty(yaml: string) {
    const living = new Living(yaml);
    const fault = { isThere: false };
    const { plan } = living.definition;
    const units = new Proxy(plan.units, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          if (fault.isThere) throw new Error(`no such unit ${'x'.repeat(1_000)}`);
          return (member as (...all: unknown[]) => unknown).apply(target, given);
        };
      },
    });
    const definition = { ...living.definition, plan: { ...plan, units } };
    living.run = new LiveRun('run', definition, living.shell);
    living.run.isOwned = true;
    return { living, fault };
  }

  it('pauses the run with the first 500 characters of the cause, and keeps the outcome', async () => {
    const { living, fault } = faulty(TWO);
    await living.start();
    await settled();
    fault.isThere = true;
    await living.answer('a');
    expect(living.status).toBe('paused');
    const paused = (await living.log()).at(-1) as RunEvent & { readonly error: string };
    expect(paused).toMatchObject({ type: 'paused', reason: 'undecided', executionId: 2 });
    expect(paused.error).toHaveLength(500);
    expect(living.run.hasUndecided).toBe(true);
    const [said] = living.shell.logger.said;
    expect(said).toMatchObject({ level: 'error', fields: { runId: 'run', signals: ['unit-finished'] } });
    expect(said!.fields['error']).toHaveLength(500);
    // Nothing else is left to do, but the outcome must not be forgotten.
    living.run.leaveIfIdle();
    expect([living.run.isIdle, living.shell.idle]).toEqual([true, []]);
  });

  it('is made automatically once it can be, with the outcome that was kept', async () => {
    const { living, fault } = faulty(TWO);
    await living.start();
    await settled();
    fault.isThere = true;
    await living.answer('a');
    await living.shell.clock.advance(1_000);
    expect([living.status, living.run.hasUndecided]).toEqual(['paused', true]);
    fault.isThere = false;
    await living.shell.clock.advance(2_000);
    expect([living.shell.called, living.run.hasUndecided]).toEqual([['a', 'b'], false]);
    await living.answer('b');
    expect(living.status).toBe('completed');
  });

  it('is made by a resume, and what could be decided next to it was decided', async () => {
    const { living, fault } = faulty(BESIDE);
    await living.start();
    await settled();
    fault.isThere = true;
    await living.answer('a', {
      kind: 'failed',
      error: 'no',
      retryable: true,
      outcome: 'refused',
      retryAfterMs: 0,
    });
    fault.isThere = false;
    await living.answer('b');
    expect(await living.types()).toContain('unit-finished');
    const [pauseId] = openPausesOf(living.run.durable);
    await living.run.send([{ type: 'resume', at: living.shell.clock.now(), pauseId: pauseId!, by: ANN }]);
    await settled();
    expect(living.shell.called).toEqual(['a', 'b', 'a']);
  });

  it('is refused to a person, with the run as it was', async () => {
    const { living, fault } = faulty(inSequence('w', [{ id: 'g', uses: 'builtin.approval' }, work('a')]));
    await living.start();
    fault.isThere = true;
    await expect(living.run.send([decision()])).rejects.toThrow('no such unit');
    expect(await living.types()).toEqual(['run-started', 'gate-opened']);
    fault.isThere = false;
    expect(await living.run.send([decision()])).toBe(true);
  });

  it('is not retried once another process owns the run', async () => {
    const { living, fault } = faulty(TWO);
    await living.start();
    await settled();
    fault.isThere = true;
    await living.answer('a');
    living.run.releaseOwnership();
    fault.isThere = false;
    await living.shell.clock.advance(3_600_000);
    expect([living.status, living.run.hasUndecided]).toEqual(['paused', false]);
  });
});

describe('a run that another process owns now', () => {
  it('has its calls aborted, and their outcomes are not recorded', async () => {
    const living = new Living(ONE);
    await living.start();
    await settled();
    living.run.releaseOwnership();
    expect(living.shell.calls[0]!.signal.aborted).toBe(true);
    await living.answer('a');
    expect(await living.types()).toEqual(['run-started', 'unit-scheduled']);
    expect(living.run.isIdle).toBe(true);
  });
});

describe('an append that lands when the run is another process’s already', () => {
  it('makes it due at once where something is to be called, though this process has not been told yet', async () => {
    const living = new Living(inSequence('w', [{ id: 'g', uses: 'builtin.approval' }, work('b')]));
    await living.start();
    living.shell.isOwner = false;
    await living.run.send([decision()]);
    const row = await living.store.readRow({ runId: 'run' });
    expect(row).toMatchObject({ openExecutions: 1, wakeAt: row?.updatedAt });
    expect([living.shell.called, living.shell.nudged]).toEqual([[], ['run']]);
  });
});

describe('a turn of which the process may die', () => {
  it.each([
    ['at once', () => undefined],
    ['after a while', () => Promise.resolve()],
  ])('is not recorded before it is its turn, where that is done %s', async (_when, marked) => {
    const living = new Living(ONE);
    await living.start();
    await settled();
    const marks: unknown[] = [];
    Object.assign(living.store, {
      markAtRisk: (mark: unknown) => {
        marks.push(mark);
        return marked();
      },
    });
    const slices = new SliceScheduler();
    Object.assign(living.shell, { slices });
    const until = performance.now() + 15;
    // The slice is over, and so whatever is to be decided waits.
    slices.take(new SliceAccount({ namespace: 'default', owner: null, workflowId: 'other' }), () => {
      while (performance.now() < until);
    });
    const delivered = living.run.deliver({ type: 'recover', at: 1, begun: [{ executionId: 2, attempt: 1 }] });
    await Promise.resolve();
    expect(marks).toEqual([]);
    expect(await delivered).toBe(true);
    expect(marks[0]).toMatchObject({ runId: 'run', doing: 'turn' });
    expect(await living.types()).toContain('recovered');
  });

  it('begins once that is recorded, where it takes the store a while', async () => {
    const living = new Living(ONE);
    await living.start();
    await settled();
    const { seq } = living.run.durable;
    const { promise, resolve } = Promise.withResolvers<void>();
    const marks: unknown[] = [];
    const markAtRisk = (mark: unknown) => {
      marks.push(mark);
      return promise;
    };
    Object.assign(living.store, { markAtRisk });
    const delivered = living.run.deliver({ type: 'recover', at: 1, begun: [{ executionId: 2, attempt: 1 }] });
    await settled();
    expect(marks).toEqual([{ runId: 'run', doing: 'turn', lastSeq: seq }]);
    expect([living.run.durable.seq, living.run.isIdle]).toEqual([seq, false]);
    resolve();
    expect(await delivered).toBe(true);
    await settled();
    expect(await living.types()).toContain('recovered');
    expect(marks.slice(1)).toEqual([{ runId: 'run', doing: 'turn', lastSeq: null }]);
  });

  it('is none where the owner only looks at what another process has appended', async () => {
    const living = new Living(inSequence('w', [{ id: 'g', uses: 'builtin.approval' }, work('b')]));
    await living.start();
    living.shell.isOwner = false;
    await living.run.send([decision()]);
    const marks: unknown[] = [];
    Object.assign(living.store, { markAtRisk: (mark: unknown) => void marks.push(mark) });
    const owner = new LiveShell(living.store);
    const run = new LiveRun('run', living.definition, owner);
    run.isOwned = true;
    await run.load();
    await run.send([]);
    await settled();
    expect(owner.called).toEqual(['b']);
    expect(marks).toEqual([]);
  });

  it('calls nothing of a run that may be as a dead process left it before the mark of the call is kept', async () => {
    const living = new Living(ONE);
    await living.start();
    await settled();
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(living.store, { keepsMarks: true, markCalls: () => promise });
    const next = new LiveShell(living.store);
    next.isAfterDeath = true;
    const run = new LiveRun('run', living.definition, next);
    run.isOwned = true;
    await run.load();
    await run.deliver({ type: 'recover', at: 1, begun: [] });
    await settled();
    expect(next.called).toEqual([]);
    resolve();
    await settled();
    expect(next.called).toEqual(['a']);
  });

  it('stores what leads to a pure unit of such a run before that is called, and not together with its outcome', async () => {
    const living = new Living(inSequence('w', [{ id: 'g', uses: 'builtin.approval' }, work('b')]));
    await living.start();
    const { store } = living;
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(store, { keepsMarks: true, markCalls: () => promise });
    const next = new LiveShell(store);
    next.isAfterDeath = true;
    const appendsAtCall: number[] = [];
    next.units.executorFor = () => ({
      isPure: () => true,
      execute: () => {
        appendsAtCall.push(store.asked.length);
        return FINISHED;
      },
    });
    const run = new LiveRun('run', living.definition, next);
    run.isOwned = true;
    await run.load();
    await run.send([decision()]);
    await settled();
    // Whatever kills the process is counted, also where its call was to be part of the turn.
    expect(appendsAtCall).toEqual([]);
    resolve();
    await settled();
    expect(appendsAtCall).toEqual([2]);
    expect(statusOf(run.durable)).toBe('completed');
  });
});
