import type { FlowgateApiError, RunEvent, RunRecord } from 'flowgate-client';
import { document, gate, mock } from '../../../test/support/workflow-documents.js';
import { eventually } from '../../../test/support/eventually.js';
import { BOTH_MODES, inProcess, type Mode } from './support/modes.js';

const NO_RUN = '01a1f2f0-0000-7000-8000-000000000000';
const HASH = /^[0-9a-f]{64}$|^sha256/;

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}
const thrown = (promise: Promise<unknown>): Promise<FlowgateApiError> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error as FlowgateApiError,
  );
/** As lists have them: newest first, of one millisecond the greater id. */
const listed = (records: readonly RunRecord[]): string[] =>
  records
    .toSorted((a, b) => b.createdAt - a.createdAt || (a.runId < b.runId ? 1 : -1))
    .map(({ runId }) => runId);
const idsOf = (items: readonly { readonly runId: string }[]): string[] => items.map(({ runId }) => runId);
async function reached<T>(values: AsyncIterator<T>, isIt: (value: T) => boolean): Promise<T> {
  for (;;) {
    const { done, value } = await values.next();
    if (done === true) throw new Error('It ended before.');
    if (isIt(value)) return value;
  }
}
const typesOf = (events: readonly RunEvent[]): string[] => events.map(({ type }) => type);

describe.each(BOTH_MODES)('a client of %s', (_name, start) => {
  let mode: Mode;
  beforeEach(async () => {
    mode = await start();
  });
  afterEach(() => mode.close());

  const register = (id: string, units: readonly object[], spec: object = {}): Promise<unknown> =>
    mode.client.loadAndRegister(document(id, units as never, spec));

  it('finds runs by what is known of them, page by page', async () => {
    const { client } = mode;
    await register('found', [mock('a'), gate('agree')]);
    await register('other', [mock('a')]);
    const started: RunRecord[] = [];
    for (const team of ['blue', 'red', 'blue', 'blue'])
      started.push(await client.startWorkflow('found', { team }, { labels: { team }, sync: true }));
    const other = await client.startWorkflow('other', {}, { sync: true });
    const ids = listed([...started, other]);

    const page = await client.listRuns({ limit: 2 });
    expect(idsOf(page.items)).toEqual(ids.slice(0, 2));
    expect(page.next).toEqual(expect.any(String));
    expect(idsOf(await all(client.eachRun({ limit: 2 })))).toEqual(ids);

    const blue = await all(client.eachRun({ labels: { team: 'blue' }, status: ['paused'], limit: 1 }));
    expect(idsOf(blue)).toEqual(listed(started.filter((_run, i) => i !== 1)));
    expect(blue[0]).toMatchObject({
      workflowId: 'found',
      status: 'paused',
      labels: { team: 'blue' },
      origin: 'client',
      forkedFrom: null,
      parentRunId: null,
      cancelled: false,
      error: null,
      waitingFor: 'gate',
      endedAt: null,
      openGates: [{ unitId: 'agree', gateId: expect.any(Number), title: expect.any(String) }],
    });
    const found = async (filter: object): Promise<number> => (await client.listRuns(filter)).items.length;
    expect(await found({ workflowId: 'other' })).toBe(1);
    expect(await found({ workflowId: 'nobody' })).toBe(0);
    expect(await found({ status: 'completed' })).toBe(1);
    expect(await found({ openGate: true, gateUnit: 'agree' })).toBe(4);
    expect(await found({ cancelled: true })).toBe(0);
    expect(await found({ idPrefix: other.runId })).toBe(1);
    expect(await found({ definitionHash: blue[0]!.definitionHash })).toBe(4);
    const { createdAt } = blue[0]!;
    expect(await found({ createdBefore: new Date(createdAt) })).toBeLessThan(5);
    expect(await found({ createdAfter: new Date(createdAt).toISOString() })).toBeGreaterThan(0);
  });

  it('lists the gates of all runs, those that wait and those that were decided', async () => {
    const { client } = mode;
    await register('gated', [gate('agree')]);
    const one = await client.startWorkflow('gated', {}, { sync: true });
    const two = await client.startWorkflow('gated', {}, { sync: true });
    const open = await client.listGates({ workflowId: 'gated' });
    expect(open).toMatchObject({ open: 2, next: null });
    expect(new Set(idsOf(await all(client.eachGate({ limit: 1 }))))).toEqual(new Set([one.runId, two.runId]));
    const { gateId } = open.items[0]!;
    await client.respondHITL('gated', two.runId, false, 'ann', { gateId, comment: 'no' });
    expect(await client.listGates({ status: 'open' })).toMatchObject({
      open: 1,
      items: [{ runId: one.runId }],
    });
    expect((await client.listGates({ status: 'decided' })).items).toMatchObject([
      { runId: two.runId, unitId: 'agree', decision: { approved: false, responder: 'ann', comment: 'no' } },
    ]);
  });

  it('lists what is registered, and reads a run of which the id alone is known', async () => {
    const { client } = mode;
    await register('listed', [mock('a'), mock('b')]);
    const item = (await client.listWorkflows()).find(({ workflowId }) => workflowId === 'listed');
    expect(item).toMatchObject({ units: ['a', 'b'], description: null, labels: {} });
    expect(item?.definitionHash).toBe((await client.getWorkflow('listed')).definitionHash);
    const run = await client.startWorkflow('listed', {}, { sync: true });
    expect(await client.getRunById(run.runId)).toEqual(run);
    expect((await client.getRunById(run.runId, { view: 'full' })).failure).toBeNull();
    expect(await thrown(client.getRunById(NO_RUN))).toMatchObject({ status: 404, code: 'unknown-run' });
    await expect(client.getRunById('')).rejects.toThrow(TypeError);
  });

  it('forks a run from any point, with other input, while the run stays as it is', async () => {
    const { client } = mode;
    const inputs: unknown[] = [];
    mode.registerUnit('test.price', ({ input }) => {
      inputs.push(input);
      return inputs.length;
    });
    await register('priced', [mock('a'), { id: 'price', uses: 'test.price' }, mock('b')]);
    const source = await client.startWorkflow('priced', { n: 1 }, { sync: true });
    const again = await client.fork('priced', source.runId, { sync: true });
    expect(again).toMatchObject({ status: 'completed', result: { state: { n: 1, 'output.price': 2 } } });
    const other = await client.fork('priced', source.runId, {
      from: { unitId: 'price' },
      input: { n: 2 },
      state: { extra: true },
      unitInput: { special: 1 },
      labels: { why: 'test' },
      sync: true,
      idempotencyKey: `fork ${source.runId}`,
    });
    expect(other).toMatchObject({ status: 'completed', result: { state: { n: 2, extra: true } } });
    expect(inputs.at(-1)).toEqual({ special: 1 });
    const checkpoint = source.result?.messages.find(({ type }) => type === 'checkpoint') as {
      snapshotId: string;
    };
    const { snapshotId } = checkpoint;
    const from = await client.fork('priced', source.runId, { from: { snapshotId }, sync: true });
    expect(from.status).toBe('completed');
    expect(await client.getRun('priced', source.runId)).toEqual(source);
    expect((await client.listRuns({ forkedFrom: source.runId })).items).toHaveLength(3);
    expect((await client.listRuns({ origin: 'fork', labels: { why: 'test' } })).items).toMatchObject([
      { runId: other.runId, forkedFrom: source.runId },
    ]);
  });

  it('reads what a run did, all of it, the last of it, and one event whole', async () => {
    const { client } = mode;
    const long = 'x'.repeat(10_000);
    await register('told', [mock('a', long), mock('b')]);
    const { runId } = await client.startWorkflow('told', {}, { sync: true });
    const events = await all(client.eachEvent('told', runId, { limit: 2 }));
    expect(typesOf(events)).toEqual([
      'run.started',
      'unit.scheduled',
      'unit.finished',
      'unit.scheduled',
      'unit.finished',
      'run.completed',
    ]);
    expect((await client.getEvents('told', runId)).items).toEqual(events);
    const { items } = await client.getEvents('told', runId, { tail: 2 });
    expect(items).toEqual(events.slice(-2));
    const finished = events[2]!;
    expect(finished.cut).toMatchObject([{ pointer: '/output', bytes: 10_002 }]);
    const whole = await client.getEvent('told', runId, finished.seq);
    expect(whole).toMatchObject({ seq: finished.seq, data: { output: long } });
    expect(whole).not.toHaveProperty('cut');
    const log = await client.getEvents('told', runId, { view: 'log', limit: 1_000 });
    expect(log.items.length).toBeGreaterThanOrEqual(events.length);
    expect(typesOf(log.items)).toContain('unit-finished');
    expect(log.items.find(({ type }) => type === 'unit-scheduled')).toMatchObject({
      path: '/spec/flow/order/0',
    });
  });

  it('reads the checkpoints of a run, newest first, page by page, and the state at one of them', async () => {
    const { client } = mode;
    await register('kept', [mock('a', 1), mock('b', 2), mock('c', 3)]);
    const { runId } = await client.startWorkflow('kept', {}, { sync: true });
    const first = await client.listSnapshots('kept', runId, { limit: 2 });
    const rest = await client.listSnapshots('kept', runId, { limit: 2, cursor: first.next ?? undefined });
    const both = [...first.snapshots, ...rest.snapshots];
    expect(both.map(({ unitId, after }) => [unitId, after])).toEqual([
      ['c', 'unit-finished'],
      ['b', 'unit-finished'],
      ['a', 'unit-finished'],
    ]);
    const snapshot = await client.getSnapshot('kept', runId, both[1]!.snapshotId);
    expect(snapshot).toEqual({
      ...both[1],
      completedUnits: ['a', 'b'],
      state: { 'output.a': 1, 'output.b': 2 },
    });
    expect(await thrown(client.getSnapshot('kept', runId, `${runId}.999`))).toMatchObject({ status: 404 });
    expect(await thrown(client.listSnapshots('kept', NO_RUN))).toMatchObject({ status: 404 });
    expect(await thrown(client.listSnapshots('kept', runId, { cursor: 'x y' }))).toMatchObject({
      status: 400,
      code: 'invalid-request',
    });
  });

  it('watches a run from its first event to its end', async () => {
    const { client } = mode;
    await register('watched', [mock('a'), gate('agree'), mock('b')]);
    const { runId } = await client.startWorkflow('watched', {}, { sync: true });
    const seen: RunEvent[] = [];
    for await (const event of client.watchRun('watched', runId)) {
      seen.push(event);
      if (event.type === 'gate.opened') await client.respondHITL('watched', runId, true, 'ann');
    }
    expect(seen).toEqual(await all(client.eachEvent('watched', runId)));
    expect(typesOf(seen).at(-1)).toBe('run.completed');
    const later = await all(client.watchRun('watched', runId, { afterSeq: seen[2]!.seq }));
    expect(later).toEqual(seen.slice(3));
    const log = await all(client.watchRun('watched', runId, { view: 'log' }));
    expect(log.length).toBeGreaterThanOrEqual(seen.length);
    // Nothing is left to deliver.
    expect(await all(client.watchRun('watched', runId, { afterSeq: log.at(-1)!.seq }))).toEqual([]);
  });

  it('watches all runs from now on, and goes on where it was', async () => {
    const { client } = mode;
    await register('any', [mock('a')]);
    await client.startWorkflow('any', {}, { sync: true });
    const watch = client.watchAll();
    const first = watch.next();
    // It begins when it is there: until then runs are started anew.
    const started: string[] = [];
    const heard = { yet: false };
    void first.then(() => (heard.yet = true));
    const isTold = async (): Promise<boolean> => {
      started.push((await client.startWorkflow('any', {}, { sync: true })).runId);
      return heard.yet;
    };
    await eventually(isTold, Boolean);
    const told = (await first).value as {
      readonly type: 'event';
      readonly id: string;
      readonly event: RunEvent;
    };
    expect(told).toMatchObject({ type: 'event', event: { workflowId: 'any' } });
    expect(started).toContain(told.event.runId);
    await watch.return?.();
    const next = client.watchAll({ after: told.id });
    const following = (await next.next()).value as typeof told;
    expect(following.event.seq === told.event.seq && following.event.runId === told.event.runId).toBe(false);
    await next.return?.();
  });

  it('watches a list of runs: as it is, then what becomes of it', async () => {
    const { client } = mode;
    await register('kept', [gate('agree')]);
    const one = await client.startWorkflow('kept', {}, { labels: { a: 'b' }, sync: true });
    const changes = client.watchRuns({ workflowId: 'kept', status: 'paused' });
    expect((await changes.next()).value).toMatchObject({
      type: 'snapshot',
      items: [{ runId: one.runId, status: 'paused', labels: { a: 'b' } }],
      next: null,
    });
    const two = await client.startWorkflow('kept', {}, { sync: true });
    expect(await reached(changes, ({ type }) => type === 'upsert')).toMatchObject({
      item: { runId: two.runId },
    });
    await client.respondHITL('kept', one.runId, true);
    expect(await reached(changes, ({ type }) => type === 'remove')).toEqual({
      type: 'remove',
      runId: one.runId,
    });
    await changes.return?.();
  });

  it('watches the gates that are open', async () => {
    const { client } = mode;
    await register('asked', [gate('agree')]);
    const changes = client.watchGates({ workflowId: 'asked' });
    expect((await changes.next()).value).toMatchObject({ type: 'snapshot', items: [], next: null });
    const { runId } = await client.startWorkflow('asked', {}, { sync: true });
    const opened = await reached(changes, ({ type }) => type === 'upsert');
    expect(opened).toMatchObject({ item: { runId, unitId: 'agree', title: 'May agree pass?' } });
    await client.respondHITL('asked', runId, true);
    expect(await reached(changes, ({ type }) => type === 'remove')).toMatchObject({
      runId,
      gateId: expect.any(Number),
    });
    await changes.return?.();
  });

  it('reads, lists and compares the versions of a workflow', async () => {
    const { client } = mode;
    const first = document('versioned', [mock('a', 'one'), mock('gone')]);
    const second = document('versioned', [mock('a', 'two'), mock('new')]);
    await client.loadAndRegister(first);
    const { definitionHash: from } = await client.getWorkflow('versioned');
    await client.startWorkflow('versioned', {}, { sync: true });
    await client.loadAndRegister(second);
    const current = await client.getWorkflow('versioned');
    expect(current).toMatchObject({
      workflowId: 'versioned',
      current: true,
      units: ['a', 'new'],
      yaml: second,
    });
    expect(from).toMatch(HASH);
    expect(await client.getWorkflow('versioned', { hash: from })).toMatchObject({
      current: false,
      yaml: first,
    });
    const versions = await all(client.eachVersion('versioned', { limit: 1 }));
    expect(versions.map(({ definitionHash }) => definitionHash)).toEqual([current.definitionHash, from]);
    const diff = await client.diffVersions('versioned', from, current.definitionHash);
    expect(diff.units).toEqual({ added: ['new'], removed: ['gone'], changed: ['a'] });
    expect(diff.text).toContain('two');
  });

  it('asks whether a workflow would be registered, and registers nothing', async () => {
    const { client } = mode;
    const yaml = document('checked', [mock('a')]);
    expect(await client.validateOnService(yaml)).toMatchObject({
      ok: true,
      workflowId: 'checked',
      details: [],
    });
    const wrong = await client.validateOnService(yaml.replaceAll('builtin.mock', 'nobody.knows'));
    expect(wrong).toMatchObject({
      ok: false,
      details: [{ path: expect.any(String), line: expect.any(Number) }],
    });
    expect((await client.health()).workflows).toEqual([]);
  });

  it('exports a run to another one, where it stands still and is forked', async () => {
    const { client } = mode;
    await register('moved', [mock('a'), gate('agree'), mock('b')]);
    const source = await client.startWorkflow('moved', { n: 1 }, { sync: true });
    const lines = await all(client.exportRun('moved', source.runId));
    expect(JSON.parse(lines[0]!)).toMatchObject({ format: 'flowgate-run/1', runId: source.runId });
    expect(await thrown(client.importRun(lines.join('')))).toMatchObject({ status: 409, code: 'run-known' });

    const there = await start();
    try {
      const imported = await there.client.importRun(client.exportRun('moved', source.runId));
      expect(imported).toMatchObject({ runId: source.runId, status: 'failed' });
      expect(await thrown(there.client.resume('moved', source.runId))).toMatchObject({
        status: 409,
        code: 'imported-run',
      });
      expect((await there.client.listRuns({ origin: 'import' })).items).toMatchObject([
        { runId: source.runId },
      ]);
      const fork = await there.client.fork('moved', source.runId, { from: { unitId: 'agree' }, sync: true });
      expect(fork.status).toBe('paused');
      expect(await there.client.respondHITL('moved', fork.runId, true)).toMatchObject({
        status: 'completed',
        result: { state: { n: 1, 'output.b': 'b done' } },
      });
      const flipped = lines.join('').replace('"n":1', '"n":2');
      expect(await thrown(there.client.importRun(flipped))).toMatchObject({ status: 400 });
    } finally {
      await there.close();
    }
    expect(await thrown(all(client.exportRun('moved', NO_RUN)))).toMatchObject({
      status: 404,
      code: 'unknown-run',
    });
  });
});

describe('a client of an engine in process, asking for what cannot be,', () => {
  let mode: Mode;
  beforeEach(async () => {
    mode = await inProcess();
  });
  afterEach(() => mode.close());

  it('is told why a fork cannot be, in the words and statuses of the service', async () => {
    const { client } = mode;
    await client.loadAndRegister(
      document('refused', [gate('agree'), mock('a', 'x'), { ...mock('b'), if: 'false' }]),
    );
    const { runId } = await client.startWorkflow('refused', { n: 1 }, { sync: true });
    const fork = (options: Parameters<typeof client.fork>[2]) =>
      thrown(client.fork('refused', runId, options));
    expect(await fork({ from: { unitId: 'a' } })).toMatchObject({ status: 409, code: 'unit-not-reached' });
    await client.respondHITL('refused', runId, true);
    expect(await fork({ from: { unitId: 'a' }, input: { n: 2 } })).toMatchObject({
      status: 409,
      code: 'decided-gate',
      details: [{ unitId: 'agree' }],
    });
    expect(await fork({ from: { unitId: 'nobody' } })).toMatchObject({ status: 400 });
    expect(await fork({ from: { snapshotId: `${runId}.999` } })).toMatchObject({
      status: 404,
      code: 'no-checkpoint',
    });
    expect(await fork({ state: { __proto__: null, 'hitl.x': 1 } })).toMatchObject({ status: 400 });
    expect(await thrown(client.fork('refused', NO_RUN))).toMatchObject({ status: 404, code: 'unknown-run' });
  });

  it('is refused a page of another list, one that is too long, and a status that there is not', async () => {
    const { client } = mode;
    await client.loadAndRegister(document('found', [mock('a')]));
    for (const n of [1, 2]) await client.startWorkflow('found', { n }, { sync: true });
    const { next } = await client.listRuns({ limit: 1 });
    const foreign = await thrown(client.listRuns({ cursor: next!, status: 'failed' }));
    expect(foreign).toMatchObject({ status: 400, code: 'invalid-request' });
    expect(await thrown(client.listRuns({ limit: 201 }))).toMatchObject({ status: 400 });
    expect(await thrown(client.listRuns({ status: 'done' as never }))).toMatchObject({ status: 400 });
  });

  it('is refused events that are not there, read and watched', async () => {
    const { client } = mode;
    await client.loadAndRegister(document('told', [mock('a')]));
    const { runId } = await client.startWorkflow('told', {}, { sync: true });
    expect(await thrown(client.getEvent('told', runId, 999))).toMatchObject({ status: 404 });
    expect(await thrown(client.getEvents('told', NO_RUN))).toMatchObject({
      status: 404,
      code: 'unknown-run',
    });
    expect(await thrown(client.getEvents('told', runId, { limit: 1_001 }))).toMatchObject({ status: 400 });
    expect(await thrown(all(client.watchRun('told', NO_RUN)))).toMatchObject({ status: 404 });
    expect(await thrown(all(client.watchRun('told', runId, { afterSeq: 9_999 })))).toMatchObject({
      status: 400,
    });
  });

  it('is refused workflows and versions that are not there', async () => {
    const { client } = mode;
    await client.loadAndRegister(document('versioned', [mock('a')]));
    const { definitionHash: from } = await client.getWorkflow('versioned');
    const refusals: readonly [() => Promise<unknown>, string][] = [
      [() => client.getWorkflow('nobody'), 'unknown-workflow'],
      [() => client.getWorkflow('nobody', { hash: from }), 'unknown-workflow'],
      [() => client.getWorkflow('versioned', { hash: 'nothing' }), 'unknown-version'],
      [() => client.listVersions('nobody'), 'unknown-workflow'],
      [() => client.diffVersions('nobody', from, from), 'unknown-workflow'],
      [() => client.diffVersions('versioned', 'nothing', from), 'unknown-version'],
      [() => client.diffVersions('versioned', from, 'nothing'), 'unknown-version'],
    ];
    for (const [call, code] of refusals) {
      const { status, code: said } = await thrown(call());
      expect([status, said]).toEqual([404, code]);
    }
  });
});
