import { getEventListeners } from 'node:events';
import { inSequence } from '../../../../test/support/engine.js';
import { definitionOf, FINISHED, LiveShell, settled } from '../../../../test/support/live-shell.js';
import { StoreError } from '../../../errors/service-errors.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import { InProcessRunWatch } from '../../drivers/local/in-process-run-watch.js';
import type { Definition } from '../../definitions/definition.js';
import { UnknownWorkflowError } from '../../../errors/run-errors.js';
import type { WorkflowRegistry } from '../../definitions/registry/workflow-registry.js';
import type { AppendResult } from '../../ports/store/append.js';
import { LiveRuns } from '../mailbox/live-runs.js';
import { SliceScheduler } from '../mailbox/slice-scheduler.js';
import { RunReader } from '../reading/run-reader.js';
import { NewRuns } from './new-runs.js';
import { OpenRuns } from './open-runs.js';
import { RunStarter } from './run-starter.js';
import { CompletionWaiters } from '../streams/completion-waiters.js';

const definition = definitionOf(inSequence('w', [{ id: 'a', uses: 'work' }]));

/** Returns the given results for first appends, in order, before it takes one. */
class DoubtfulStore extends InMemoryRunStore {
  readonly instead: (AppendResult | Error)[] = [];
  appends = 0;

  override async append(request: Parameters<InMemoryRunStore['append']>[0]): Promise<AppendResult> {
    this.appends += 1;
    const instead = this.instead.shift();
    if (instead instanceof Error) throw instead;
    return instead ?? super.append(request);
  }
}

/** One process that starts runs of `w`, whose unit finishes when the test says so. */
function starting() {
  const store = new DoubtfulStore();
  const shell = new LiveShell(store);
  const registered: { current: Definition | null; newer: Definition | null; refreshes: unknown[] } = {
    current: definition,
    newer: null,
    refreshes: [],
  };
  const registry = {
    forStart: async (namespace: string, workflowId: string) =>
      namespace === 'default' && workflowId === 'w' ? registered.current : null,
    unknown: async (_namespace: string, workflowId: string) => new UnknownWorkflowError(workflowId),
    refresh: async (...of: unknown[]) => {
      registered.refreshes.push(of);
      registered.current = registered.newer ?? registered.current;
    },
    isReplaced: async (known: Definition) => registered.newer !== null && known !== registered.newer,
    startedFrom: () => null,
    pinnedTo: async () => definition,
  } as unknown as WorkflowRegistry;
  const live = new LiveRuns(shell, registry, true);
  const reader = new RunReader({
    store,
    slices: new SliceScheduler(),
    peek: (runId) => live.peek(runId),
    isAlone: true,
    isBarred: () => false,
  });
  const completions = new CompletionWaiters({
    store,
    watch: new InProcessRunWatch(),
    clock: shell.clock,
    reader,
    owns: () => true,
    awaitsUnit: () => false,
    unitWaitMs: 0,
  });
  shell.notifier.changed = (run) => completions.changed(run);
  shell.notifier.idle = (run) => live.forget(run);
  let ids = 0;
  const shards: unknown[] = [];
  const newRuns = new NewRuns({
    live,
    openRuns: new OpenRuns({ store, clock: shell.clock, most: null }),
    reader,
    completions,
    store,
    driver: { shardCount: 8, shardForNewRun: () => 3 },
    ids: {
      runId: (shard) => {
        shards.push(shard);
        return `run-${++ids}`;
      },
    },
    clock: shell.clock,
  });
  const starter = new RunStarter({ registry, newRuns, isClosing: () => shell.isClosing });
  const finish = async () => {
    await settled();
    for (const call of shell.calls) call.complete(FINISHED);
    await settled();
  };
  return { store, shell, stops: completions, live, registered, starter, lanes: shards, finish };
}

describe('a start', () => {
  it('returns at once that the run has begun, or what it came to where the request waits', async () => {
    const { starter, shell, finish, lanes: shards } = starting();
    const now = shell.clock.now();
    const begun = { workflowId: 'w', status: 'running', createdAt: now, updatedAt: now };
    expect(await starter.start({ workflowId: 'w' })).toEqual({ ...begun, runId: 'run-1' });
    const waiting = starter.start({ workflowId: 'w', sync: true });
    await finish();
    expect(await waiting).toMatchObject({ runId: 'run-2', status: 'completed' });
    expect(shards).toEqual([
      { shard: 3, shardCount: 8 },
      { shard: 3, shardCount: 8 },
    ]);
  });

  it('is refused for a workflow that is not registered, in another namespace, or while the engine closes', async () => {
    const { starter, shell, store } = starting();
    for (const other of [{ workflowId: 'v' }, { workflowId: 'w', namespace: 'acme' }]) {
      await expect(starter.start(other)).rejects.toMatchObject({ code: 'unknown-workflow' });
    }
    shell.isClosing = true;
    await expect(starter.start({ workflowId: 'w' })).rejects.toMatchObject({ code: 'shutting-down' });
    expect(store.appends).toBe(0);
  });

  it('says in the log who started it, with what, and from where', async () => {
    const { starter, store } = starting();
    await starter.start({ workflowId: 'w', input: { n: 1 }, labels: { team: 'blue' } });
    const [started] = await store.readEvents({ runId: 'run-1', afterSeq: 0, limit: 1 });
    expect(started).toMatchObject({
      namespace: 'default',
      input: { n: 1 },
      labels: { team: 'blue' },
      by: { id: 'user', via: 'in-process', auth: 'none' },
      origin: { type: 'client' },
      parent: null,
    });
  });
});

describe('a start that waits with an end', () => {
  it.each(['its time is over', 'it is given up'])('returns the running record once %s', async (how) => {
    const { starter, shell, stops: completions, live, finish, store } = starting();
    const leaving = new AbortController();
    const { signal } = leaving;
    // The same key twice: the second waits for a run that it did not start.
    const request = { workflowId: 'w', sync: true, waitMs: 1_000, signal, idempotencyKey: 'k' };
    const first = starter.start(request);
    await settled();
    const second = starter.start(request);
    await settled();
    expect(getEventListeners(signal, 'abort')).toHaveLength(2);
    if (how === 'it is given up') leaving.abort();
    else await shell.clock.advance(1_000);
    const running = { runId: 'run-1', workflowId: 'w', status: 'running' };
    expect([await first, await second]).toMatchObject([running, running]);
    expect(await first).not.toHaveProperty('result');
    expect([completions.waitedFor, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
    // The run does not know of the wait.
    await finish();
    const { status } = (await store.readRow({ runId: 'run-1' }))!;
    expect([status, live.size]).toEqual(['completed', 0]);
    expect(await starter.start({ ...request, waitMs: 0 })).toMatchObject({ status: 'completed' });
  });

  it('returns what the run came to within that time', async () => {
    const { starter, stops: completions, finish } = starting();
    const { signal } = new AbortController();
    const waiting = starter.start({ workflowId: 'w', sync: true, waitMs: 1_000, signal });
    await finish();
    expect(await waiting).toMatchObject({ status: 'completed' });
    expect([completions.waitedFor, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });
});

describe('a start from a workflow that was registered again in the meantime', () => {
  it('is made from what is registered now', async () => {
    const { starter, store, registered } = starting();
    store.instead.push('stale', 'stale');
    expect(await starter.start({ workflowId: 'w' })).toMatchObject({ runId: 'run-3', status: 'running' });
    expect(registered.refreshes).toEqual([
      ['default', 'w'],
      ['default', 'w'],
    ]);
  });

  it('is made from that also where its input fits nothing else', async () => {
    const { starter, store, registered } = starting();
    registered.current = { ...definition, checkInput: () => [{ path: '', message: 'n is missing' }] };
    await expect(starter.start({ workflowId: 'w' })).rejects.toMatchObject({ code: 'invalid-input' });
    registered.newer = definition;
    expect((await starter.start({ workflowId: 'w' })).status).toBe('running');
    expect([store.appends, registered.refreshes]).toEqual([1, [['default', 'w']]]);
  });

  it('is refused after ten times in a row, and may be tried again', async () => {
    const { starter, store } = starting();
    store.instead.push(...Array.from({ length: 10 }, () => 'stale' as const));
    await expect(starter.start({ workflowId: 'w' })).rejects.toMatchObject({
      code: 'store',
      retryable: true,
    });
    expect(store.appends).toBe(10);
    expect((await starter.start({ workflowId: 'w' })).status).toBe('running');
  });
});

describe('a start under a key', () => {
  const keyed = { workflowId: 'w', idempotencyKey: 'k' };

  it('makes one run, and returns it again: as begun, or with what it came to', async () => {
    const { starter, store, finish } = starting();
    expect(await starter.start(keyed)).toMatchObject({ runId: 'run-1', status: 'running' });
    await finish();
    expect(await starter.start(keyed)).toMatchObject({ runId: 'run-1', status: 'running' });
    expect(await starter.start(keyed)).not.toHaveProperty('result');
    expect(store.appends).toBe(2);
    const waiting = starter.start({ ...keyed, idempotencyKey: 'other', sync: true });
    await finish();
    const record = await waiting;
    expect(record).toMatchObject({ runId: 'run-2', status: 'completed' });
    expect(await starter.start({ ...keyed, idempotencyKey: 'other', sync: true })).toEqual(record);
  });

  it('waits for the run that the first one made, where it asks for that', async () => {
    const { starter, finish } = starting();
    const sync = { ...keyed, sync: true };
    const first = starter.start(sync);
    await settled();
    const second = starter.start(sync);
    await finish();
    expect(await second).toEqual(await first);
    expect(await second).toMatchObject({ runId: 'run-1', status: 'completed' });
  });

  it('returns the run of a faster request, not a refusal', async () => {
    const { starter, live, finish } = starting();
    const answers = await Promise.all([starter.start(keyed), starter.start(keyed)]);
    expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1);
    await finish();
    expect(live.size).toBe(0);
  });

  it('is refused for another input, wait or label, and another key makes another run', async () => {
    const { starter } = starting();
    await starter.start(keyed);
    for (const other of [{ input: { n: 1 } }, { sync: true }, { labels: { a: 'b' } }]) {
      await expect(starter.start({ ...keyed, ...other })).rejects.toMatchObject({
        code: 'idempotency-conflict',
      });
    }
    expect((await starter.start({ ...keyed, input: {}, labels: {} })).runId).toBe('run-1');
    expect((await starter.start({ workflowId: 'w', idempotencyKey: null })).runId).not.toBe('run-1');
  });
});

describe('a start that cannot be stored', () => {
  it('is reported to the request, also to one that would wait', async () => {
    const { starter, store, live } = starting();
    const fault = new StoreError('the disk is full', { permanent: true });
    store.instead.push(fault, fault);
    await expect(starter.start({ workflowId: 'w' })).rejects.toBe(fault);
    await expect(starter.start({ workflowId: 'w', sync: true })).rejects.toBe(fault);
    await settled();
    expect(live.size).toBe(0);
  });

  it('for a conflict without a key is reported as it is', async () => {
    const { starter, store } = starting();
    store.instead.push('conflict');
    await expect(starter.start({ workflowId: 'w' })).rejects.toMatchObject({ reason: 'conflict' });
    expect(store.appends).toBe(1);
  });
});
