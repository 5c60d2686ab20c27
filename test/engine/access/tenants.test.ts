import {
  createEngine,
  type ActingEngine,
  type Engine,
  type EngineOptions,
  type RunRecord,
} from '../../../src/engine/index.js';
import { SqliteMemoryIndex } from '../../../src/storage/sqlite/sqlite-memory-index.js';
import { SqliteRunStore } from '../../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../../support/built-worker.js';
import { temporaryFolder } from '../../support/data-folder.js';
import { eventually } from '../../support/eventually.js';
import { outcomeOf, POLICY, principalOf, yamlOf } from './support/acting-world.js';

const NAMESPACES = ['left', 'right'] as const;
type Tenant = (typeof NAMESPACES)[number];

/** Two tenants with one workflow id, one idempotency key and one label, each with a run at its gate. */
interface Tenants {
  readonly engine: Engine;
  readonly as: Readonly<Record<Tenant, ActingEngine>>;
  readonly run: Readonly<Record<Tenant, RunRecord>>;
  /** The ids before anything happened, as each is shown it. */
  readonly before: Readonly<Record<Tenant, string>>;
}

async function tenantsOn(options: Partial<EngineOptions>): Promise<Tenants> {
  const engine = createEngine({ policy: POLICY, shutdownGraceMs: 0, sameInstantMs: 0, ...options });
  await engine.open();
  engine.registerUnit('say', ({ context }) => `pelican of ${context.namespace}`);
  const as = (namespace: Tenant): ActingEngine =>
    engine.as(principalOf(`owner-${namespace}`, { namespace, roles: ['all'] }), { namespace, via: 'http' });
  const both = { left: as('left'), right: as('right') };
  const before = { left: await both.left.runs.latestEvent(), right: await both.right.runs.latestEvent() };
  const begin = async (acting: ActingEngine): Promise<RunRecord> => {
    await acting.workflows.register({ yaml: yamlOf('w') });
    return acting.runs.start({
      workflowId: 'w',
      sync: true,
      labels: { team: 'same' },
      idempotencyKey: 'the-same-key',
    });
  };
  const run = { left: await begin(both.left), right: await begin(both.right) };
  return { engine, as: both, run, before };
}

const STORES: readonly (readonly [
  string,
  () => Promise<readonly [Partial<EngineOptions>, () => Promise<void>]>,
])[] = [
  ['in memory', async () => [{}, async () => undefined]],
  [
    'in SQLite',
    async () => {
      const folder = await temporaryFolder();
      const kept = { folder: folder.path, workers: builtWorkers };
      return [
        { store: new SqliteRunStore(kept), memory: new SqliteMemoryIndex(kept) },
        () => folder.remove(),
      ];
    },
  ],
];

describe.each(STORES)('two tenants whose runs are kept %s', (_where, made) => {
  let tenants: Tenants;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const [options, end] = await made();
    remove = end;
    tenants = await tenantsOn(options);
  });
  afterAll(async () => {
    await tenants.engine.close();
    await remove();
  });
  const each = (): readonly (readonly [ActingEngine, RunRecord, RunRecord, Tenant])[] => {
    const { as, run } = tenants;
    return [
      [as.left, run.left, run.right, 'left'],
      [as.right, run.right, run.left, 'right'],
    ];
  };

  it('have a run each under the same key of the same workflow', () => {
    expect(tenants.run.left.runId).not.toBe(tenants.run.right.runId);
    expect(tenants.run.left.result?.state).toMatchObject({ 'output.say': 'pelican of left' });
    expect(tenants.run.right.result?.state).toMatchObject({ 'output.say': 'pelican of right' });
  });

  it('list and count no more than their own', async () => {
    for (const [acting, own] of each()) {
      const ids = [own.runId];
      const { items } = await acting.runs.list({ labels: { team: 'same' } });
      expect(items.map(({ runId }) => runId)).toEqual(ids);
      const gates = await acting.gates.list();
      expect([gates.items.map(({ runId }) => runId), gates.open, gates.next]).toEqual([ids, 1, null]);
      expect((await acting.workflows.list()).map(({ workflowId }) => workflowId)).toEqual(['w']);
    }
  });

  it('watch no more than their own', async () => {
    for (const [acting, own] of each()) {
      for (const list of [acting.runs.watch(), acting.gates.watch()]) {
        const { value } = await list.next();
        await list.return();
        expect(value).toMatchObject({ type: 'snapshot', items: [{ runId: own.runId }] });
      }
    }
  });

  it('are streamed no more than their own', async () => {
    for (const [acting, own, , namespace] of each()) {
      const seen = new Set<string>();
      for await (const { event } of acting.runs.streamAll({ after: tenants.before[namespace] })) {
        seen.add(event.runId);
        if (event.type === 'gate.opened') break;
      }
      expect([...seen]).toEqual([own.runId]);
    }
  });

  it('are told by no id of an event how much the other does', async () => {
    const { as, before, engine } = tenants;
    expect(await as.left.runs.knowsEvent(before.left)).toBe(true);
    expect(await as.right.runs.knowsEvent(before.left)).toBe(false);
    // The engine's own ids count the appends of all.
    const own = await engine.runs.latestEvent();
    expect(await as.left.runs.knowsEvent(own)).toBe(false);
    for (const after of [own, before.right])
      expect(await outcomeOf(() => as.left.runs.streamAll({ after }))).toMatchObject({
        code: 'invalid-request',
      });
    const stream = as.left.runs.streamAllPages({ after: before.left });
    const page = (await stream.next()).value ?? [];
    await stream.return();
    expect(await as.left.runs.knowsEvent(page[0]?.id ?? '')).toBe(true);
    expect(await engine.runs.knowsEvent(page[0]?.id ?? '')).toBe(false);
  });

  it('find no more than their own', async () => {
    for (const [acting, own, , namespace] of each()) {
      // Under load what was said is found somewhat later.
      const hits = await eventually(
        () => acting.memory.search({ query: 'pelican', topK: 10 }),
        (found) => found.length > 0,
      );
      expect(hits.map(({ content, metadata }) => [content, metadata['runId']])).toEqual([
        [`pelican of ${namespace}`, own.runId],
      ]);
    }
  });

  it('can neither read nor move a run of the other', async () => {
    for (const [acting, , { workflowId, runId }] of each()) {
      const address = { workflowId, runId };
      expect(await acting.runs.locate(runId)).toBeNull();
      expect((await acting.runs.list({ idPrefix: runId })).items).toEqual([]);
      const none = { code: 'unknown-run', message: `Unknown run: ${runId}` };
      expect(await outcomeOf(() => acting.runs.get(address))).toMatchObject(none);
      expect(await outcomeOf(() => acting.runs.fork(address))).toMatchObject(none);
      const vote = { ...address, approved: true, responder: 'x', idempotencyKey: 'vote' };
      expect(await outcomeOf(() => acting.gates.respond(vote))).toMatchObject(none);
    }
    expect((await tenants.engine.gates.list({ namespace: 'right' })).open).toBe(1);
  });

  it('have forks in their own namespace alone', async () => {
    const { as, run } = tenants;
    const fork = await as.left.runs.fork({ workflowId: 'w', runId: run.left.runId, sync: true });
    expect((await as.left.runs.list({ forkedFrom: run.left.runId })).items).toHaveLength(1);
    expect(await as.right.runs.locate(fork.runId)).toBeNull();
    expect((await as.right.runs.list({ forkedFrom: run.left.runId })).items).toEqual([]);
    await as.left.runs.cancel({ workflowId: 'w', runId: fork.runId });
  });
});

describe('one namespace of two owners', () => {
  it('gives no owner what the key of another stands for', async () => {
    const { engine, as, run } = await tenantsOn({});
    const grant = { namespace: 'left', roles: ['all'] };
    const acting = (owner: string, id = `key-of-${owner}`) =>
      engine.as({ ...principalOf(owner, grant), id }, { namespace: 'left', via: 'http' });
    const start = { workflowId: 'w', labels: { team: 'same' }, sync: true, idempotencyKey: 'the-same-key' };
    const conflict = { code: 'idempotency-conflict' };
    expect(await outcomeOf(() => acting('eve').runs.start(start))).toMatchObject(conflict);
    // Another key of the same account is the same account.
    const again = await acting('owner-left', 'another-key').runs.start(start);
    expect(again.runId).toBe(run.left.runId);
    const [refused] = await acting('eve').runs.startBatch({
      workflowId: 'w',
      runs: [{ idempotencyKey: 'the-same-key', labels: { team: 'same' } }],
    });
    expect(refused).toMatchObject({ ok: false, error: conflict });
    const address = { workflowId: 'w', runId: run.left.runId };
    const vote = { ...address, approved: true, responder: 'ann', idempotencyKey: 'vote' };
    expect(await as.left.gates.respond(vote)).toMatchObject({ status: 'completed' });
    expect(await outcomeOf(() => acting('eve').gates.respond(vote))).toMatchObject(conflict);
    expect(await acting('owner-left', 'another-key').gates.respond(vote)).toMatchObject({
      status: 'completed',
    });
    const stop = { ...address, idempotencyKey: 'stop' };
    await as.left.runs.cancel(stop);
    expect(await outcomeOf(() => acting('eve').runs.cancel(stop))).toMatchObject(conflict);
    expect(await acting('owner-left', 'another-key').runs.cancel(stop)).toMatchObject({
      status: 'completed',
    });
    await engine.close();
  });

  it('gives the owner what a key stood for before anybody was authenticated', async () => {
    const { engine, as } = await tenantsOn({});
    const asked = { workflowId: 'w', sync: true, idempotencyKey: 'older' };
    const older = await engine.runs.start({ ...asked, namespace: 'left' });
    expect(await as.left.runs.start(asked)).toMatchObject({ runId: older.runId });
    expect(await outcomeOf(() => as.left.runs.start({ ...asked, input: { a: 1 } }))).toMatchObject({
      code: 'idempotency-conflict',
    });
    await engine.close();
  });
});
