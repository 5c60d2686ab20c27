import { createHash } from 'node:crypto';
import { InMemoryMemoryIndex, InMemoryRunStore, type Engine } from '../../src/engine/index.js';
import { openEngine, inSequence, workflowYaml, type TestEngine } from '../support/engine.js';
import { changed, exportOf, linesOf } from '../support/exports.js';

const GATED = inSequence('gated', [
  { id: 'a', uses: 'work' },
  { id: 'g', uses: 'builtin.approval', config: { title: 'May it?' } },
  { id: 'b', uses: 'work' },
]);
const HOUR_MS = 3_600_000;

let calls: number;
let here: TestEngine;
let there: TestEngine;
let thereStore: InMemoryRunStore;
let thereMemory: InMemoryMemoryIndex;

const work = () => {
  calls += 1;
  return `answer ${calls}`;
};

beforeEach(async () => {
  calls = 0;
  thereStore = new InMemoryRunStore();
  thereMemory = new InMemoryMemoryIndex();
  here = await openEngine({ work });
  there = await openEngine({ work }, { store: thereStore, memory: thereMemory });
  await here.engine.workflows.register({ yaml: GATED });
});
afterEach(() => Promise.all([here.engine.close(), there.engine.close()]));

async function startedHere(labels: Readonly<Record<string, string>> = {}) {
  return here.engine.runs.start({ workflowId: 'gated', input: { n: 1 }, labels, sync: true });
}

async function endedHere() {
  const { workflowId, runId } = await startedHere({ team: 'red' });
  return here.engine.gates.respond({ workflowId, runId, approved: true, responder: 'ann' });
}

const importInto = (engine: Engine, text: string) => engine.runs.import({ ndjson: Buffer.from(text) });

describe('the export of a run', () => {
  it('is its workflow without endpoints, its log as it is stored, and a checksum of everything before', async () => {
    const store = new InMemoryRunStore();
    const { engine } = await openEngine({ work }, { store });
    const units = [
      { id: 'a', uses: 'work' },
      { id: 'b', uses: 'acme.far', if: 'false' },
    ];
    const yaml = inSequence('bound', units);
    const endpoint = 'http://127.0.0.1:9/?key=secret';
    const bindings = { 'acme.far': { type: 'http', endpoint, headers: { authorization: 'Bearer secret' } } };
    await engine.workflows.register({ yaml, bindings });
    const [{ definitionHash: hash } = { definitionHash: '' }] = await engine.workflows.list();
    const run = await engine.runs.start({ workflowId: 'bound', sync: true });
    const text = await exportOf(engine, run);
    const [header, ...events] = linesOf(text);
    expect(header).toEqual({
      format: 'flowgate-run/1',
      runId: run.runId,
      workflowId: 'bound',
      yaml,
      hash,
      uses: { work: 'in-process', 'acme.far': 'http' },
    });
    expect(events).toEqual(await store.readEvents({ runId: run.runId, afterSeq: 0, limit: 100 }));
    const end = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
    const sha256 = createHash('sha256').update(text.slice(0, -end.length)).digest('hex');
    expect(end).toBe(`{"lastSeq":${events.length},"sha256":"${sha256}"}\n`);
    expect(text).not.toContain('secret');
    await engine.close();
  });

  it('is refused for a run that the workflow does not have', async () => {
    const { runId } = await startedHere();
    await expect(exportOf(here.engine, { workflowId: 'other', runId })).rejects.toThrow('Unknown run');
    await expect(exportOf(here.engine, { workflowId: 'gated', runId: 'x' })).rejects.toThrow('Unknown run');
  });
});

describe('a run that was over when it was exported', () => {
  it('is read as it was where it is imported, however much later, and nothing of it is called', async () => {
    const run = await endedHere();
    there.clock.advance(24 * HOUR_MS);
    const before = calls;
    const imported = await importInto(there.engine, await exportOf(here.engine, run));
    const updatedAt = there.clock.now();
    expect(imported).toEqual({ ...run, updatedAt });
    const address = { workflowId: 'gated', runId: run.runId };
    await expect(there.engine.runs.get(address)).resolves.toEqual(imported);
    expect(await there.engine.runs.snapshots(address)).toEqual(await here.engine.runs.snapshots(address));
    expect(calls).toBe(before);
  });

  it('keeps its labels, and is distinguished by its origin', async () => {
    const { runId } = await endedHere();
    await importInto(there.engine, await exportOf(here.engine, { workflowId: 'gated', runId }));
    await expect(thereStore.readLabels({ runId })).resolves.toEqual({ team: 'red' });
    await expect(thereStore.readRow({ runId })).resolves.toMatchObject({
      status: 'completed',
      origin: 'import',
      isCancelled: false,
      parentRunId: null,
      endedAt: there.clock.now(),
    });
  });

  it('brings its definition, which registers nothing', async () => {
    await importInto(there.engine, await exportOf(here.engine, await endedHere()));
    await expect(there.engine.workflows.list()).resolves.toEqual([]);
  });

  it('adds nothing to the memory', async () => {
    await importInto(there.engine, await exportOf(here.engine, await endedHere()));
    await there.engine.workflows.register({ yaml: inSequence('own', [{ id: 'a', uses: 'work' }]) });
    const own = await there.engine.runs.start({ workflowId: 'own', sync: true });
    let runIds: readonly unknown[] = [];
    for (let tries = 0; runIds.length === 0 && tries < 1_000; tries++) {
      await there.clock.advance(100);
      const found = await there.engine.memory.search({ query: 'answer', topK: 10 });
      runIds = found.map(({ metadata }) => metadata['runId']);
    }
    expect(runIds).toEqual([own.runId]);
  });

  it('that failed still says why', async () => {
    const yaml = inSequence('broken', [{ id: 'f', uses: 'builtin.fail', config: { message: 'no luck' } }]);
    await here.engine.workflows.register({ yaml });
    const run = await here.engine.runs.start({ workflowId: 'broken', sync: true });
    const imported = await importInto(there.engine, await exportOf(here.engine, run));
    expect(imported.error).toBe(run.error);
    expect((await there.engine.runs.get(run)).error).toContain('no luck');
  });
});

describe('a run that is not over when it is exported', () => {
  it('is cancelled where it is imported, waits for nobody, and continues where it was', async () => {
    const run = await startedHere();
    there.clock.advance(HOUR_MS);
    const text = await exportOf(here.engine, run);
    const imported = await importInto(there.engine, text);
    const error = 'It was not over when it was imported, and does not go on here: fork it';
    expect(imported).toMatchObject({ status: 'failed', error });
    await expect(there.engine.runs.get(run)).resolves.toMatchObject({ status: 'failed', error });
    await expect(there.engine.gates.open(run)).resolves.toEqual([]);
    const row = await thereStore.readRow(run);
    expect(row).toMatchObject({ isCancelled: true, wakeAt: null, openExecutions: 0 });
    // The hour does not count as active time.
    expect(row?.figures).toMatchObject({ activeMs: run.result?.duration, activeSince: null });
    const gates = await here.engine.gates.open(run);
    expect(gates).toHaveLength(1);
    const decided = await here.engine.gates.respond({ ...run, approved: true, responder: 'ann' });
    expect(decided.status).toBe('completed');
  });

  it('is refused where a run of that id exists', async () => {
    const run = await startedHere();
    const text = await exportOf(here.engine, run);
    const known = `The run ${run.runId} is here already: nothing was imported`;
    await expect(importInto(here.engine, text)).rejects.toThrow(known);
    const both = await Promise.allSettled([importInto(there.engine, text), importInto(there.engine, text)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(importInto(there.engine, text)).rejects.toMatchObject({ code: 'run-known' });
    expect((await here.engine.runs.get(run)).status).toBe('paused');
  });
});

describe('an imported run', () => {
  it.each(['paused', 'completed', 'failed'])('that was %s cannot be moved', async (was) => {
    const run = was === 'completed' ? await endedHere() : await startedHere();
    const address = { workflowId: 'gated', runId: run.runId };
    if (was === 'failed') await here.engine.gates.respond({ ...address, approved: false, responder: 'ann' });
    const imported = await importInto(there.engine, await exportOf(here.engine, run));
    const { runs, gates } = there.engine;
    const [{ snapshotId } = { snapshotId: '' }] = await runs.snapshots(address);
    const refused = { code: 'imported-run' };
    await expect(runs.resume(address)).rejects.toMatchObject(refused);
    await expect(runs.resume({ ...address, snapshotId })).rejects.toMatchObject(refused);
    await expect(runs.resume({ ...address, idempotencyKey: 'k' })).rejects.toMatchObject(refused);
    await expect(runs.cancel(address)).rejects.toMatchObject(refused);
    await expect(runs.pause(address)).rejects.toMatchObject(refused);
    await expect(gates.respond({ ...address, approved: true, responder: 'bo' })).rejects.toMatchObject(
      refused,
    );
    await expect(runs.cancel({ ...address, workflowId: 'other' })).rejects.toMatchObject({
      code: 'unknown-run',
    });
    await expect(runs.get(address)).resolves.toEqual(imported);
  });

  it('may be exported and imported once more, and has both imports in its log', async () => {
    const run = await startedHere();
    const first = await exportOf(here.engine, run);
    await importInto(there.engine, first);
    const second = await exportOf(there.engine, run);
    const third = await openEngine({ work });
    const imported = await importInto(third.engine, second);
    expect(imported.status).toBe('failed');
    const types = linesOf(await exportOf(third.engine, run)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['run-imported', 'run-imported']);
    expect(linesOf(second).slice(1, -1)).toEqual(linesOf(first).slice(1));
    await third.engine.close();
  });

  it('that was a child knows who started it, and has no local parent', async () => {
    const child = inSequence('child', [{ id: 'a', uses: 'work' }]);
    const parent = inSequence('parent', [
      { id: 'c', uses: 'builtin.workflow', config: { workflowId: 'child' } },
    ]);
    await here.engine.workflows.register({ yaml: child });
    await here.engine.workflows.register({ yaml: parent });
    const { runId } = await here.engine.runs.start({ workflowId: 'parent', sync: true });
    const ofParent = await exportOf(here.engine, { workflowId: 'parent', runId });
    const started = linesOf(ofParent).find(({ type }) => type === 'child-started');
    const address = { workflowId: 'child', runId: String(started?.['childRunId']) };
    const ofChild = changed(await exportOf(here.engine, address), ([, first]) => {
      // A cycle that no engine makes.
      first!['parent'] = { runId: address.runId, executionId: 2 };
    });
    await importInto(there.engine, ofParent);
    await importInto(there.engine, ofChild);
    await expect(thereStore.readRow(address)).resolves.toMatchObject({ parentRunId: null, origin: 'import' });
    await expect(there.engine.runs.startedBy(address)).resolves.toMatchObject({ via: 'engine' });
    await expect(thereStore.readFamilyLog({ afterPosition: 0, limit: 10 })).resolves.toEqual([]);
  });

  it('that says it is a child is refused while its parent is here and unfinished, and accepted after that', async () => {
    await there.engine.workflows.register({ yaml: GATED });
    const parent = await there.engine.runs.start({ workflowId: 'gated', sync: true });
    const run = await endedHere();
    const ofChild = changed(await exportOf(here.engine, run), ([, first]) => {
      first!['parent'] = { runId: parent.runId, executionId: 9 };
    });
    await expect(importInto(there.engine, ofChild)).rejects.toThrow(
      `a child of the run ${parent.runId}, which is here and not over: import it when that run has ended`,
    );
    await there.engine.gates.respond({ ...parent, approved: true, responder: 'ann' });
    await expect(importInto(there.engine, ofChild)).resolves.toMatchObject({ runId: run.runId });
  });

  it('that says it is a child of a run of another namespace is refused, and nothing is told of that run', async () => {
    await there.engine.workflows.register({ yaml: GATED, namespace: 'acme' });
    const parent = await there.engine.runs.start({ workflowId: 'gated', namespace: 'acme', sync: true });
    expect(parent.status).toBe('paused');
    const run = await endedHere();
    const ofChild = changed(await exportOf(here.engine, run), ([, first]) => {
      first!['parent'] = { runId: parent.runId, executionId: 9 };
    });
    await expect(importInto(there.engine, ofChild)).rejects.toMatchObject({
      code: 'run-known',
      message: expect.not.stringContaining(parent.runId) as string,
    });
  });

  it('that was forked is accepted only where its source is a run of its workflow', async () => {
    const run = await endedHere();
    const [{ snapshotId } = { snapshotId: '' }] = await here.engine.runs.snapshots(run);
    const fork = await here.engine.runs.fork({ ...run, from: { snapshotId }, sync: true });
    const ofFork = await exportOf(here.engine, fork);
    const other = inSequence('gated', [{ id: 'z', uses: 'work' }]);
    await there.engine.workflows.register({ yaml: other });
    const third = await openEngine({ work }, { ids: { runId: () => run.runId } });
    await third.engine.workflows.register({ yaml: other });
    await third.engine.runs.start({ workflowId: 'gated', sync: true });
    await expect(importInto(third.engine, ofFork)).rejects.toThrow(
      'but of another workflow than that run is here',
    );
    await third.engine.close();
    await importInto(there.engine, await exportOf(here.engine, run));
    await expect(importInto(there.engine, ofFork)).resolves.toMatchObject({ runId: fork.runId });
  });

  it('leaves an existing definition as it is', async () => {
    const units = [{ id: 'a', uses: 'acme.far', if: 'false' }];
    const yaml = inSequence('bound', units);
    const bindings = { 'acme.far': { type: 'http', endpoint: 'http://127.0.0.1:9/' } };
    await here.engine.workflows.register({ yaml, bindings });
    await there.engine.workflows.register({ yaml, bindings });
    const [{ definitionHash: hash } = { definitionHash: '' }] = await there.engine.workflows.list();
    const run = await here.engine.runs.start({ workflowId: 'bound', sync: true });
    const before = await thereStore.readDefinition({ namespace: 'default', hash });
    await importInto(there.engine, await exportOf(here.engine, run));
    expect(before?.bindings).not.toEqual({});
    await expect(thereStore.readDefinition({ namespace: 'default', hash })).resolves.toEqual(before);
  });

  it('belongs to the namespace that it was exported from', async () => {
    await here.engine.workflows.register({ yaml: GATED, namespace: 'acme' });
    const address = { workflowId: 'gated', namespace: 'acme' };
    const { runId } = await here.engine.runs.start({ ...address, sync: true });
    let text = '';
    for await (const line of here.engine.runs.export({ ...address, runId })) text += line;
    await expect(importInto(there.engine, text)).rejects.toThrow(
      'one of the namespace acme: import it there',
    );
    const imported = await there.engine.runs.import({ ndjson: Buffer.from(text), namespace: 'acme' });
    expect(imported.runId).toBe(runId);
    await expect(there.engine.runs.get({ ...address, runId })).resolves.toEqual(imported);
  });

  it('is streamed as it is, though another log of that run was streamed before it was purged', async () => {
    const { engine, clock } = await openEngine({}, { retentionMs: HOUR_MS });
    const unit = { id: 'a', uses: 'builtin.set', config: { values: { n: '${{ iteration }}' } } };
    const flow = { type: 'loop', do: 'a', until: 'iteration + 1 >= 150', maxIterations: 150 };
    await engine.workflows.register({ yaml: workflowYaml('long', { units: [unit], flow }) });
    const run = await engine.runs.start({ workflowId: 'long', input: { name: 'Ann' }, sync: true });
    const address = { workflowId: 'long', runId: run.runId };
    const streamed = async (): Promise<string> => {
      const events: unknown[] = [];
      for await (const event of engine.runs.stream(address)) events.push(event);
      return JSON.stringify(events);
    };
    // Pages are kept while anybody streams anything.
    const other = await engine.runs.start({ workflowId: 'long', input: {} });
    const another = engine.runs.stream({ workflowId: 'long', runId: other.runId });
    await another.next();
    expect(await streamed()).toContain('Ann');
    const text = changed(await exportOf(engine, run), ([, started]) => {
      started!['input'] = { name: 'somebody' };
    });
    await clock.advance(2 * HOUR_MS);
    await importInto(engine, text);
    expect(await streamed()).not.toContain('Ann');
    await another.return(null);
    await engine.close();
  });

  it('does not notify observers', async () => {
    const told: unknown[] = [];
    there.engine.runs.observe((news) => told.push(news));
    await importInto(there.engine, await exportOf(here.engine, await endedHere()));
    expect(told).toEqual([]);
  });
});

it('that is large is exported and imported too, and leaves a state from which it is read', async () => {
  const flow = { type: 'foreach', items: 'input.items', do: 'a' };
  const yaml = workflowYaml('large', { units: [{ id: 'a', uses: 'large' }], flow });
  const { engine } = await openEngine({ large: () => ({ output: 'x'.repeat(100_000) }) });
  await engine.workflows.register({ yaml });
  const run = await engine.runs.start({
    workflowId: 'large',
    input: { items: Array.from({ length: 40 }, () => 1) },
    sync: true,
  });
  expect(run.error).toBeUndefined();
  const imported = await importInto(there.engine, await exportOf(engine, run));
  expect(imported.result).toEqual(run.result);
  await engine.close();
});
