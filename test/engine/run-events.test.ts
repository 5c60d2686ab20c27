import { jest } from '@jest/globals';
import { InProcessRunWatch } from '../../src/engine/drivers/local/in-process-run-watch.js';
import { InMemoryRunStore, type Engine, type PublicEvent, type RunStatus } from '../../src/engine/index.js';
import { createEngine, eventsUntilStop } from '../../src/engine/index.js';
import { UnknownRunError } from '../../src/errors/run-errors.js';
import { InvalidRequestError } from '../../src/errors/request-errors.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { idOfCursor } from '../../src/engine/runtime/streams/event-cursor.js';
import { LOOPS_FOR_OTHERS } from '../../src/engine/runtime/mailbox/slice-scheduler.js';
import { inSequence } from '../support/engine.js';
import { document } from '../support/workflow-documents.js';

const UNITS = [
  { id: 'a', uses: 'builtin.mock', config: { response: 1 } },
  { id: 'ok', uses: 'builtin.approval', config: { title: 'Go on?' } },
  { id: 'b', uses: 'builtin.mock', config: { response: 2 } },
];
const QUICK = UNITS.filter(({ id }) => id !== 'ok');

let engine: Engine;
let watch: InProcessRunWatch;
let store: InMemoryRunStore;

beforeEach(async () => {
  watch = new InProcessRunWatch();
  store = new InMemoryRunStore();
  engine = createEngine({ watch, store, shutdownGraceMs: 0, sameInstantMs: 0 });
  await engine.open();
  await engine.workflows.register({ yaml: inSequence('asks', UNITS) });
  await engine.workflows.register({ yaml: inSequence('quick', QUICK) });
});
afterEach(() => engine.close());

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** All events of a stream, and how it ended. */
async function gathered(events: AsyncGenerator<PublicEvent, RunStatus | null>) {
  const received: PublicEvent[] = [];
  for (let next = await events.next(); ; next = await events.next()) {
    if (next.done === true) return { told: received, ended: next.value };
    received.push(next.value);
  }
}

describe('the stream of a run', () => {
  it('continues past a pause, and says how the run ended', async () => {
    const { runId } = await engine.runs.start({ workflowId: 'asks', sync: true });
    const address = { workflowId: 'asks', runId };
    const received: PublicEvent[] = [];
    for await (const event of engine.runs.stream(address)) {
      received.push(event);
      if (event.type === 'gate.opened')
        await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    }
    const { items } = await engine.runs.events(address);
    expect(received).toEqual(items);
    expect(received.at(-1)?.type).toBe('run.completed');
    expect(await gathered(engine.runs.stream(address))).toEqual({ told: items, ended: 'completed' });
    expect(watch.waiting).toBe(0);
  });

  it('begins after whatever was seen, so that pieces join to the whole', async () => {
    const { runId } = await engine.runs.start({ workflowId: 'quick', sync: true });
    const address = { workflowId: 'quick', runId };
    for (const view of ['public', 'log'] as const) {
      const { items } = await engine.runs.events({ ...address, view });
      for (let cut = 0; cut <= items.length; cut += 1) {
        const afterSeq = items[cut - 1]?.seq ?? 0;
        const { told: received } = await gathered(engine.runs.stream({ ...address, view, afterSeq }));
        expect(received).toEqual(items.slice(cut));
      }
    }
  });

  it('tells when the run pauses and continues, the same however it is read', async () => {
    const flow = { type: 'parallel', units: [{ type: 'sequential', order: ['ok', 'b'] }, 'a'] };
    await engine.workflows.register({ yaml: document('forks', UNITS, { flow }) });
    const { runId } = await engine.runs.start({ workflowId: 'forks', sync: true });
    const address = { workflowId: 'forks', runId };
    const paused = await engine.runs.events(address);
    await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    const { told: items } = await gathered(engine.runs.stream(address));
    expect(items.slice(0, paused.items.length)).toEqual(paused.items);
    const changes = items.flatMap(({ type, data, change }) =>
      change === undefined
        ? data['status'] === undefined
          ? []
          : [[type, data]]
        : [[change.type, change.data]],
    );
    expect(changes).toEqual([
      ['run.paused', { reason: 'waiting', unitId: null, status: 'paused' }],
      ['run.resumed', { reason: 'moving', status: 'running' }],
    ]);
    for (const [n, { seq }] of items.entries()) {
      const { told: rest } = await gathered(engine.runs.stream({ ...address, afterSeq: seq }));
      expect(rest).toEqual(items.slice(n + 1));
      expect(await engine.runs.event({ ...address, seq })).toEqual(items[n]);
      expect((await engine.runs.events({ ...address, tail: n + 1 })).items).toEqual(items.slice(-n - 1));
    }
    const pages: PublicEvent[] = [];
    for (let afterSeq: number | null = 0; afterSeq !== null;) {
      const page: { readonly items: readonly PublicEvent[]; readonly next: number | null } =
        await engine.runs.events({ ...address, afterSeq, limit: 1 });
      pages.push(...page.items);
      afterSeq = page.next;
    }
    expect(pages).toEqual(items);
    const all: PublicEvent[] = [];
    for await (const { event } of engine.runs.streamAll({ after: idOfCursor({ position: 0, seq: 0 }) })) {
      if ('runId' in event && event.runId === runId) all.push(event as PublicEvent);
      if (all.length === items.length) break;
    }
    expect(all).toEqual(items);
  });

  it('tells the next pause although the way to it was long, and was read from its middle', async () => {
    await engine.close();
    engine = createEngine({ watch, store: new InMemoryRunStore(), sameInstantMs: 0, resumeWaitMs: 0 });
    await engine.open();
    const count = { id: 'count', uses: 'builtin.set', config: { values: { n: '${{ iteration }}' } } };
    const ask = (id: string) => ({ id, uses: 'builtin.approval' });
    const loop = { type: 'loop', do: 'count', until: 'iteration + 1 >= 3000', maxIterations: 3_000 };
    const flow = { type: 'sequential', order: ['first', loop, 'second'] };
    await engine.workflows.register({
      yaml: document('long', [ask('first'), count, ask('second')], { flow }),
    });
    const { runId } = await engine.runs.start({ workflowId: 'long', sync: true });
    const address = { workflowId: 'long', runId };
    const { signal } = new AbortController();
    const changesUntilStop = async (afterSeq: number) => {
      const events: PublicEvent[] = [];
      for await (const event of eventsUntilStop(engine.runs, { ...address, afterSeq, signal }))
        events.push(event);
      return { changes: events.flatMap(({ change }) => change?.data['status'] ?? []), last: events.at(-1) };
    };
    const before = await changesUntilStop(0);
    expect(before.changes).toEqual(['paused']);
    // Answered once the first half of the turn is stored.
    await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    const after = await changesUntilStop(before.last!.seq);
    expect(after).toMatchObject({ changes: ['running', 'paused'], last: { type: 'gate.opened' } });
  });

  it('tells the same of a run before and after a restart', async () => {
    const folder = await temporaryFolder();
    const opened = async (): Promise<Engine> => {
      await engine.close();
      const stored = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
      engine = createEngine({ watch, store: stored, shutdownGraceMs: 0, sameInstantMs: 0 });
      await engine.open();
      await engine.workflows.register({ yaml: inSequence('asks', UNITS) });
      return engine;
    };
    await opened();
    const { runId } = await engine.runs.start({ workflowId: 'asks', sync: true });
    const address = { workflowId: 'asks', runId };
    const { items } = await engine.runs.events(address);
    expect(items.at(-1)?.change?.data).toEqual({ reason: 'gate', unitId: 'ok', status: 'paused' });
    await opened();
    expect((await engine.runs.events(address)).items).toEqual(items);
    expect((await engine.runs.events({ ...address, tail: 1 })).items).toEqual(items.slice(-1));
    await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    const { told } = await gathered(engine.runs.stream({ ...address, afterSeq: items.at(-1)?.seq ?? 0 }));
    expect(told.flatMap(({ change }) => change ?? [])).toEqual([
      { type: 'run.resumed', data: { reason: 'moving', status: 'running' } },
    ]);
    expect((await engine.runs.events(address)).items).toEqual([...items, ...told]);
    await opened();
    expect((await engine.runs.events(address)).items).toEqual([...items, ...told]);
    await engine.close();
    await folder.remove();
  });

  it('leaves no resources when it is abandoned, waiting or not', async () => {
    const { runId } = await engine.runs.start({ workflowId: 'asks', sync: true });
    for await (const event of engine.runs.stream({ workflowId: 'asks', runId })) {
      if (event.type === 'gate.opened') break;
    }
    expect(watch.waiting).toBe(0);
    const left = new AbortController();
    const gathering = gathered(engine.runs.stream({ workflowId: 'asks', runId, signal: left.signal }));
    while (watch.waiting === 0) await turn();
    left.abort();
    expect((await gathering).ended).toBe(null);
    expect(watch.waiting).toBe(0);
    const aborted = engine.runs.stream({ workflowId: 'asks', runId, signal: AbortSignal.abort() });
    expect(await gathered(aborted)).toEqual({ told: [], ended: null });
  });

  it('ends without an error when the engine closes', async () => {
    const { runId } = await engine.runs.start({ workflowId: 'asks', sync: true });
    const gathering = gathered(engine.runs.stream({ workflowId: 'asks', runId }));
    const all = engine.runs.streamAll({});
    const nextOfAll = all.next();
    while (watch.waiting === 0) await turn();
    await engine.close();
    expect((await gathering).ended).toBe(null);
    expect(await nextOfAll).toEqual({ done: true, value: undefined });
    expect(await gathered(engine.runs.stream({ workflowId: 'asks', runId }))).toEqual({
      told: [],
      ended: null,
    });
  });

  it('is of runs that are there', async () => {
    const { runId } = await engine.runs.start({ workflowId: 'quick', sync: true });
    await expect(engine.runs.stream({ workflowId: 'asks', runId }).next()).rejects.toThrow(UnknownRunError);
    await expect(engine.runs.events({ workflowId: 'asks', runId })).rejects.toThrow(UnknownRunError);
    await expect(engine.runs.event({ workflowId: 'asks', runId, seq: 1 })).rejects.toThrow(UnknownRunError);
    expect(watch.waiting).toBe(0);
  });

  it.each([
    [{ limit: 0 }],
    [{ limit: 1_001 }],
    [{ limit: 1.5 }],
    [{ tail: 0 }],
    [{ tail: NaN }],
    [{ afterSeq: -1 }],
    [{ afterSeq: Infinity }],
  ])('has no page of %j', async (page) => {
    const { runId } = await engine.runs.start({ workflowId: 'quick', sync: true });
    await expect(engine.runs.events({ workflowId: 'quick', runId, ...page })).rejects.toThrow(
      InvalidRequestError,
    );
  });

  it.each([
    ['afterSeq', -1, 'of at least 0'],
    ['limit', 0, 'from 1 to 1000'],
    ['tail', 1_001, 'from 1 to 1000'],
  ])('has no page where %s is %d, and says why', async (name, given, bounds) => {
    const { runId } = await engine.runs.start({ workflowId: 'quick', sync: true });
    await expect(engine.runs.events({ workflowId: 'quick', runId, [name]: given })).rejects.toThrow(
      `${name} must be a whole number ${bounds}`,
    );
  });

  it('shows a failed unit with its cause in the view of the log', async () => {
    engine.registerUnit('breaks', () => {
      throw Object.assign(new Error('it broke'), { retryable: false });
    });
    await engine.workflows.register({ yaml: inSequence('fails', [{ id: 'a', uses: 'breaks' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'fails', sync: true });
    const { items } = await engine.runs.events({ workflowId: 'fails', runId, view: 'log' });
    expect(items.find(({ type }) => type === 'unit-failed')?.data).toEqual({
      executionId: 2,
      unitId: 'a',
      attempt: 1,
      error: expect.stringContaining('it broke'),
      retryable: false,
      outcome: 'refused',
    });
  });
});

describe('the stream of all runs', () => {
  /** Resolves once so many runs are completed. */
  async function untilCompleted(count: number, after: string) {
    const received = [];
    let left = count;
    for await (const one of engine.runs.streamAll({ after })) {
      received.push(one);
      if (one.event.type === 'run.completed') left -= 1;
      if (left === 0) break;
    }
    return received;
  }

  it('reports each event once, after whichever of them it begins', async () => {
    const start = await engine.runs.latestEvent();
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => engine.runs.start({ workflowId: 'quick', sync: true })),
    );
    const all = await untilCompleted(5, start);
    for (const { runId } of runs) {
      const { items } = await engine.runs.events({ workflowId: 'quick', runId });
      expect(all.map(({ event }) => event).filter((event) => event.runId === runId)).toEqual(items);
    }
    for (let cut = 0; cut < all.length - 1; cut += 1) {
      const rest = all.slice(cut + 1);
      const completed = rest.filter(({ event }) => event.type === 'run.completed').length;
      expect(await untilCompleted(completed, all[cut]?.id ?? '')).toEqual(rest);
    }
  });

  it('catches up from any position', async () => {
    const start = await engine.runs.latestEvent();
    const onlooker = engine.runs.streamAll({});
    const first = onlooker.next();
    for (let n = 0; n < 3_000; n += 1) await engine.runs.start({ workflowId: 'quick', sync: true });
    await first;
    const received = await untilCompleted(3_000, start);
    expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
    expect(new Set(received.map(({ event }) => event.runId)).size).toBe(3_000);
    // The other stream was not read all the while.
    let completed = 0;
    for await (const { event } of onlooker) {
      if (event.type === 'run.completed') completed += 1;
      if (completed === 3_000) break;
    }
  });

  it('keeps the namespaces apart', async () => {
    await engine.workflows.register({ yaml: inSequence('quick', QUICK), namespace: 'other' });
    const start = await engine.runs.latestEvent();
    await engine.runs.start({ workflowId: 'quick', namespace: 'other', sync: true });
    const { runId } = await engine.runs.start({ workflowId: 'quick', sync: true });
    const received = await untilCompleted(1, start);
    expect(new Set(received.map(({ event }) => event.runId))).toEqual(new Set([runId]));
  });

  it('refuses to begin after an unknown event, and says beforehand whether it would', async () => {
    for (const after of ['', 'x', Buffer.from('9999.1').toString('base64url')]) {
      expect(await engine.runs.knowsEvent(after)).toBe(false);
      await expect(engine.runs.streamAll({ after }).next()).rejects.toThrow(InvalidRequestError);
    }
    expect(await engine.runs.knowsEvent(await engine.runs.latestEvent())).toBe(true);
  });

  it('reads nothing of the log while nobody follows', async () => {
    const reads = jest.spyOn(store, 'readAll');
    const stream = engine.runs.streamAll({});
    const first = stream.next();
    await engine.runs.start({ workflowId: 'quick', sync: true });
    await first;
    await stream.return();
    for (let n = 0; n < LOOPS_FOR_OTHERS + 36; n += 1) await turn();
    const before = reads.mock.calls.filter(([{ limit }]) => limit <= 150).length;
    await engine.runs.start({ workflowId: 'quick', sync: true });
    for (let n = 0; n < LOOPS_FOR_OTHERS + 36; n += 1) await turn();
    expect(reads.mock.calls.filter(([{ limit }]) => limit <= 150).length).toBe(before);
  });
});
