import type { ActingEngine } from '../../../src/engine/index.js';
import { eventually } from '../../support/eventually.js';
import { actingWorld, yamlOf, type World } from './support/acting-world.js';

let world: World;
beforeEach(async () => {
  world = await actingWorld();
});
afterEach(() => world.engine.close());

const scoped = (): ActingEngine => world.acting('all', { workflows: ['seen*', 'named'] });

/** Runs of hidden workflows, newer than those that are seen. */
async function hiddenRuns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await world.engine.runs.start({ namespace: 'acme', workflowId: 'hidden-w', sync: true });
}

it('lists of workflows hold those alone that are granted', async () => {
  expect((await scoped().workflows.list()).map(({ workflowId }) => workflowId)).toEqual(['seen-w']);
});

it('an error for a workflow that is not there names no hidden one', async () => {
  const detailOf = async (acting: ActingEngine) => (await acting.workflows.unknown('hidden-v')).detail;
  expect(await detailOf(world.acting('all'))).toBe('Did you mean hidden-w?');
  expect(await detailOf(scoped())).toBeUndefined();
  const all = world.acting('all', { workflows: ['hidden-v', 'seen*'] });
  await expect(all.runs.start({ workflowId: 'hidden-v' })).rejects.toMatchObject({ detail: undefined });
});

it('lists of runs hold no hidden one, and no cursor made of one', async () => {
  await hiddenRuns(3);
  const { runId } = await scoped().runs.start({ workflowId: 'seen-w', sync: true });
  await hiddenRuns(3);
  const first = await scoped().runs.list({ limit: 1 });
  expect(first.items.map((item) => item.runId)).toEqual([runId]);
  expect(Buffer.from(first.next ?? '', 'base64url').toString()).toContain(runId);
  const second = await scoped().runs.list({ limit: 1, cursor: first.next ?? '' });
  expect([second.items.map((item) => item.runId), second.next]).toEqual([[world.seen.runId], null]);
  expect(await scoped().runs.list({ workflowId: 'hidden-w', limit: 1 })).toEqual({ items: [], next: null });
  expect(await scoped().runs.list({ idPrefix: world.hidden.runId, limit: 1 })).toEqual({
    items: [],
    next: null,
  });
});

it('lists of more patterns than one query is given are whole, newest first, and no longer', async () => {
  await hiddenRuns(2);
  await scoped().runs.start({ workflowId: 'seen-w', sync: true });
  await hiddenRuns(1);
  const others = Array.from({ length: 120 }, (_, index) => `nobody-${index}`);
  const acting = world.acting('all', { workflows: [...others, 'seen*', 'hidden-w', 'seen-w', 'zzz*'] });
  const all = await world.acting('all').runs.list();
  const seen: unknown[] = [];
  let cursor: string | null | undefined;
  for (; cursor !== null;) {
    const page = await acting.runs.list({ limit: 2, cursor });
    seen.push(...page.items.map(({ runId }) => runId));
    cursor = page.next;
  }
  expect(all.items).toHaveLength(6);
  expect(seen).toEqual(all.items.map(({ runId }) => runId));
  const gates = await acting.gates.list({ limit: 4 });
  expect([gates.items.length, gates.open, gates.next === null]).toEqual([4, 6, false]);
  const rest = await acting.gates.list({ limit: 4, cursor: gates.next ?? '' });
  expect(rest.items.map(({ runId }) => runId)).toEqual(seen.slice(4));
});

it('lists of gates hold no hidden one, nor count it', async () => {
  await hiddenRuns(3);
  for (const acting of [scoped(), world.acting('all', { workflows: ['seen-w', 'seen-w', 'seen-x'] })]) {
    const { items, open, next } = await acting.gates.list({ limit: 1 });
    expect([items.map(({ runId }) => runId), open, next]).toEqual([[world.seen.runId], 1, null]);
    expect(await acting.gates.list({ workflowId: 'hidden-w' })).toEqual({ items: [], next: null, open: 0 });
  }
  const [one] = await world.engine.gates.open({ ...world.hidden, namespace: 'acme' });
  const decision = { ...world.hidden, namespace: 'acme', gateId: one!.gateId };
  await world.engine.gates.respond({ ...decision, approved: true, responder: 'x' });
  expect((await scoped().gates.list({ status: 'decided' })).items).toEqual([]);
});

it('searches hold no hidden hit, nor a score that tells of one', async () => {
  // Under load what was said is found somewhat later.
  await eventually(
    () => world.acting('all').memory.search({ query: 'pelican', topK: 5 }),
    (found) => found.length === 2,
  );
  const hits = await scoped().memory.search({ query: 'pelican', topK: 1 });
  // One of very many patterns, which are all asked for at once.
  const patterns = [...Array.from({ length: 200 }, (_, n) => `other-${n}*`), 'seen-*'];
  const many = world.acting('all', { workflows: patterns });
  expect(await many.memory.search({ query: 'pelican', topK: 1 })).toEqual(hits);
  expect(hits.map(({ metadata, score }) => [metadata['workflowId'], score])).toEqual([['seen-w', 1]]);
});

it('streams of all runs tell of no hidden one', async () => {
  const acting = scoped();
  const after = await acting.runs.latestEvent();
  await hiddenRuns(2);
  const { runId } = await acting.runs.start({ workflowId: 'seen-w', sync: true });
  const seen = new Set<string>();
  for await (const page of acting.runs.streamAllPages({ after })) {
    for (const { event } of page) seen.add(event.runId);
    if (page.some(({ event }) => event.type === 'gate.opened')) break;
  }
  expect([...seen]).toEqual([runId]);
});

it('lists that are watched are shared by nobody who sees less', async () => {
  const watchers = [world.acting('all').runs.watch(), scoped().runs.watch()];
  const first = await Promise.all(watchers.map((watcher) => watcher.next()));
  const ids = first.map(({ value }) =>
    value?.type === 'snapshot' ? value.items.map(({ workflowId }) => workflowId).sort() : [],
  );
  expect(ids).toEqual([['hidden-w', 'seen-w'], ['seen-w']]);
  await Promise.all(watchers.map((watcher) => watcher.return()));
});

it('a child of a hidden workflow is called all the same, and decided by way of its parent', async () => {
  const { engine } = world;
  const child = { id: 'child', uses: 'builtin.workflow', config: { workflowId: 'hidden-w' } };
  const yaml = JSON.stringify({
    ...(JSON.parse(yamlOf('seen-parent')) as object),
    spec: { units: [child], flow: { type: 'sequential' } },
  });
  await engine.workflows.register({ namespace: 'acme', yaml });
  const { workflowId, runId } = await scoped().runs.start({ workflowId: 'seen-parent', sync: true });
  const [gate] = await scoped().gates.open({ workflowId, runId });
  expect(gate).toMatchObject({ unitId: 'agree', workflowId: 'hidden-w' });
  const decided = await scoped().gates.respond({ workflowId, runId, approved: true, responder: 'x' });
  expect(decided.status).toBe('completed');
  await expect(scoped().runs.get({ workflowId: 'hidden-w', runId: gate?.runId ?? '' })).rejects.toMatchObject(
    {
      code: 'unknown-run',
    },
  );
});
