import {
  createEngine,
  type ActingEngine,
  type Engine,
  type EngineOptions,
  type UnitOptions,
} from '../../../src/engine/index.js';
import { RecordingLogger } from '../../../src/engine/testing/recording-logger.js';
import { SqliteMemoryIndex } from '../../../src/storage/sqlite/sqlite-memory-index.js';
import { SqliteRunStore } from '../../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../../support/built-worker.js';
import { temporaryFolder } from '../../support/data-folder.js';
import { inSequence, openEngine, workflowYaml } from '../../support/engine.js';
import { eventually } from '../../support/eventually.js';
import { startUnitServer, type UnitServer } from '../../support/unit-server.js';
import { outcomeOf, POLICY, principalOf } from './support/acting-world.js';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

function acting(engine: Engine, namespace: string, owner = `owner-${namespace}`): ActingEngine {
  return engine.as(principalOf(owner, { namespace, roles: ['all'] }), { namespace, via: 'http' });
}

async function engineWith(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = createEngine({ policy: POLICY, shutdownGraceMs: 0, sameInstantMs: 0, ...options });
  await engine.open();
  opened.push(engine);
  return engine;
}

async function sqliteParts(): Promise<Pick<EngineOptions, 'store' | 'memory'>> {
  const folder = await temporaryFolder();
  opened.push({ close: () => folder.remove() });
  const kept = { folder: folder.path, workers: builtWorkers };
  return { store: new SqliteRunStore(kept), memory: new SqliteMemoryIndex(kept) };
}

describe('a unit that is registered for namespaces', () => {
  const yaml = inSequence('w', [{ id: 'a', uses: 'charge' }]);

  it('is elsewhere as unknown as one that never was: where it is validated, registered, and called', async () => {
    const engine = await engineWith();
    const [left, right] = [acting(engine, 'left'), acting(engine, 'right')];
    const never = [
      await outcomeOf(() => right.workflows.check({ yaml })),
      await outcomeOf(() => right.workflows.register({ yaml })),
    ];
    engine.registerUnit('charge', () => 'charged', { namespaces: ['left'] });
    const elsewhere = [
      await outcomeOf(() => right.workflows.check({ yaml })),
      await outcomeOf(() => right.workflows.register({ yaml })),
    ];
    expect(elsewhere).toEqual(never);
    expect(elsewhere[0]).toMatchObject({ code: 'yaml-load' });
    await left.workflows.register({ yaml });
    const run = await left.runs.start({ workflowId: 'w', sync: true });
    expect(run.result?.state).toMatchObject({ 'output.a': 'charged' });
    expect((await right.workflows.check({ yaml, anyUses: true })).unanswered).toEqual(['charge']);
    expect((await left.workflows.check({ yaml, anyUses: true })).unanswered).toEqual([]);
  });

  it('is not proposed where it is unknown', async () => {
    const engine = await engineWith();
    engine.registerUnit('charge', () => 'charged', { namespaces: ['left'] });
    const misspelt = { yaml: inSequence('w', [{ id: 'a', uses: 'chargee' }]) };
    const said = async (namespace: string) =>
      JSON.stringify(await outcomeOf(() => acting(engine, namespace).workflows.check(misspelt)));
    expect(await said('left')).toContain('did you mean charge?');
    expect(await said('right')).not.toContain('did you mean');
  });

  it('is not called for a run of another namespace whose document could name it once', async () => {
    const folder = await temporaryFolder();
    const logger = new RecordingLogger();
    const calls: string[] = [];
    const openOn = async (options: UnitOptions) => {
      const kept = { folder: folder.path, workers: builtWorkers };
      const store = new SqliteRunStore(kept);
      const engine = await engineWith({
        store,
        memory: new SqliteMemoryIndex(kept),
        registry: 'durable',
        logger,
      });
      engine.registerUnit(
        'charge',
        ({ context }) => {
          calls.push(context.namespace ?? 'default');
          return new Promise(() => undefined);
        },
        options,
      );
      return engine;
    };
    const before = await openOn({});
    for (const namespace of ['left', 'right']) {
      await acting(before, namespace).workflows.register({ yaml });
      await acting(before, namespace).runs.start({ workflowId: 'w' });
    }
    await opened.pop()?.close();
    expect(calls.splice(0)).toEqual(['left', 'right']);
    const after = await openOn({ namespaces: ['left'] });
    await eventually(
      async () =>
        calls.length > 0 && logger.at('warn').some((text) => text.includes('waits for the unit charge')),
      Boolean,
    );
    expect(calls).toEqual(['left']);
    expect(await outcomeOf(() => acting(after, 'right').workflows.register({ yaml }))).toMatchObject({
      code: 'yaml-load',
    });
    await opened.pop()?.close();
    await folder.remove();
  });

  it('may be bound under its name by another namespace', async () => {
    const server = await startUnitServer({ body: { content: 'by the endpoint' } });
    opened.push(server);
    const engine = await engineWith();
    engine.registerUnit('charge', () => 'in process', { namespaces: ['left'] });
    const right = acting(engine, 'right');
    await right.workflows.register({ yaml, bindings: { charge: { type: 'http', endpoint: server.url } } });
    const run = await right.runs.start({ workflowId: 'w', sync: true });
    expect(run.result?.state).toMatchObject({ 'output.a': 'by the endpoint' });
  });

  it.each([[[]], [['Left']], [['*']], ['left'], [[1]]])('cannot be for %j', async (namespaces) => {
    const engine = await engineWith();
    const options = { namespaces: namespaces as readonly string[] };
    expect(() => engine.registerUnit('charge', () => 1, options)).toThrow('namespaces must be a list');
    expect(() => engine.registerUnit('charge', () => 1)).not.toThrow();
  });

  it('is for those that it was registered for, whatever becomes of the list', async () => {
    const engine = await engineWith();
    const namespaces = ['left'];
    engine.registerUnit('charge', () => 1, { namespaces });
    namespaces.push('right');
    expect(await outcomeOf(() => acting(engine, 'right').workflows.register({ yaml }))).toMatchObject({
      code: 'yaml-load',
    });
  });
});

describe('one address that two tenants call', () => {
  const policy = {
    retry: { maxAttempts: 1 },
    circuitBreaker: { failureThreshold: 1, resetMs: 3_600_000 },
  };
  const bindingsTo = ({ url }: UnitServer, token: string) => ({
    call: { type: 'http', endpoint: `${url}/same`, headers: { token } },
  });

  it('has a breaker for each of them', async () => {
    const server = await startUnitServer(({ headers }) =>
      headers['token'] === 'left' ? { status: 503, body: 'down' } : { body: { content: 'ok' } },
    );
    opened.push(server);
    const { engine, clock } = await openEngine({}, { policy: POLICY });
    opened.push(engine);
    const yaml = inSequence('w', [{ id: 'a', uses: 'call' }], { policy });
    for (const namespace of ['left', 'right'])
      await acting(engine, namespace).workflows.register({ yaml, bindings: bindingsTo(server, namespace) });
    const [left, right] = [acting(engine, 'left'), acting(engine, 'right')];
    expect(await left.runs.start({ workflowId: 'w', sync: true })).toMatchObject({ status: 'failed' });
    const waiting = await left.runs.start({ workflowId: 'w' });
    await clock.advance(1_000);
    for (let run = 0; run < 3; run += 1)
      expect(await right.runs.start({ workflowId: 'w', sync: true })).toMatchObject({ status: 'completed' });
    expect(await left.runs.status({ workflowId: 'w', runId: waiting.runId })).toBe('running');
    expect(server.requests.map(({ headers }) => headers['token'])).toEqual([
      'left',
      'right',
      'right',
      'right',
    ]);
  });

  it('has a rate limit for each of them', async () => {
    const server = await startUnitServer({ body: { content: 'ok' } });
    opened.push(server);
    const { engine } = await openEngine({}, { policy: POLICY });
    opened.push(engine);
    const limited = { rateLimit: { maxRequestsPerMinute: 2 } };
    const yaml = inSequence('w', [{ id: 'a', uses: 'call' }], { policy: limited });
    for (const namespace of ['left', 'right'])
      await acting(engine, namespace).workflows.register({ yaml, bindings: bindingsTo(server, namespace) });
    for (let run = 0; run < 20; run += 1) await acting(engine, 'left').runs.start({ workflowId: 'w' });
    for (let run = 0; run < 2; run += 1)
      expect(await acting(engine, 'right').runs.start({ workflowId: 'w', sync: true })).toMatchObject({
        status: 'completed',
      });
    await eventually(
      async () => server.requests.length,
      (count) => count === 4,
    );
  });

  it('has connections for each of them, however many of one wait for answers', async () => {
    const server = await startUnitServer(({ headers }) =>
      headers['token'] === 'left' ? new Promise<never>(() => undefined) : { body: { content: 'ok' } },
    );
    opened.push(server);
    const engine = await engineWith();
    const ids = Array.from({ length: 400 }, (_, n) => `u${n}`);
    const wide = workflowYaml('w', {
      units: ids.map((id) => ({ id, uses: 'call' })),
      flow: { type: 'parallel', units: ids },
      policy: { concurrency: { maxParallelUnits: 400 } },
    });
    const [left, right] = [acting(engine, 'left'), acting(engine, 'right')];
    await left.workflows.register({ yaml: wide, bindings: bindingsTo(server, 'left') });
    const one = inSequence('w', [{ id: 'a', uses: 'call' }]);
    await right.workflows.register({ yaml: one, bindings: bindingsTo(server, 'right') });
    await left.runs.start({ workflowId: 'w' });
    // Of one origin there are no more connections than these.
    await server.received(256);
    expect(await right.runs.start({ workflowId: 'w', sync: true })).toMatchObject({ status: 'completed' });
    expect(server.requests.filter(({ headers }) => headers['token'] === 'left')).toHaveLength(256);
  });
});

describe('a tenant that takes all it can', () => {
  it('leaves slots to the next one, however many workflows it has', async () => {
    const engine = await engineWith({ maxExecutionsInFlight: 40 });
    let hanging = 0;
    engine.registerUnit('hang', () => {
      hanging += 1;
      return new Promise<never>(() => undefined);
    });
    engine.registerUnit('quick', async () => 'done');
    const [greedy, other] = [acting(engine, 'greedy'), acting(engine, 'other')];
    for (let n = 0; n < 60; n += 1) {
      await greedy.workflows.register({ yaml: inSequence(`w${n}`, [{ id: 'a', uses: 'hang' }]) });
      await greedy.runs.start({ workflowId: `w${n}` });
    }
    expect(hanging).toBe(30);
    await other.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'quick' }]) });
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => other.runs.start({ workflowId: 'w', sync: true })),
    );
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect(hanging).toBe(30);
  });
});

const STORES: readonly (readonly [string, () => Promise<Partial<EngineOptions>>])[] = [
  ['in memory', async () => ({})],
  ['in SQLite', sqliteParts],
];

describe.each(STORES)('the open runs of a namespace that are kept %s', (_where, parts) => {
  const MOST = 10;
  const gate = inSequence('w', [{ id: 'agree', uses: 'builtin.approval' }]);

  async function bounded() {
    const engine = await engineWith({ ...(await parts()), maxOpenRunsPerNamespace: MOST });
    const [left, right] = [acting(engine, 'left'), acting(engine, 'right')];
    for (const one of [left, right]) await one.workflows.register({ yaml: gate });
    const start = (one = left) => one.runs.start({ workflowId: 'w' });
    return { engine, left, right, start };
  }
  const full = {
    code: 'namespace-full',
    message: expect.stringContaining('raise maxOpenRunsPerNamespace'),
  };

  it('are no more than may be, of however many that are started at once', async () => {
    const { left, right, start } = await bounded();
    const results = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(() => start())));
    expect(results.filter((one) => 'value' in one)).toHaveLength(MOST);
    expect(results.filter((one) => !('value' in one))).toEqual(
      Array(50 - MOST).fill(expect.objectContaining(full)),
    );
    expect((await left.runs.list({ limit: 50 })).items).toHaveLength(MOST);
    expect(await outcomeOf(() => start(right))).toHaveProperty('value');
  });

  it('make room as they end, one for one', async () => {
    const { left, start } = await bounded();
    const runs = await Promise.all(Array.from({ length: MOST }, () => start()));
    expect(await outcomeOf(() => start())).toMatchObject(full);
    for (const { runId } of runs.slice(0, 3)) await left.runs.cancel({ workflowId: 'w', runId });
    const results = await Promise.all(Array.from({ length: 5 }, () => outcomeOf(() => start())));
    expect(results.filter((one) => 'value' in one)).toHaveLength(3);
  });

  it('are those of forks, too; a key stands for its run all the same', async () => {
    const { left, start } = await bounded();
    const keyed = { workflowId: 'w', idempotencyKey: 'k' };
    const first = await left.runs.start(keyed);
    await Promise.all(Array.from({ length: MOST - 1 }, () => start()));
    const fork = { workflowId: 'w', runId: first.runId };
    expect(await outcomeOf(() => left.runs.fork(fork))).toMatchObject(full);
    expect(await left.runs.start(keyed)).toMatchObject({ runId: first.runId });
    const [ofBatch] = await left.runs.startBatch({ workflowId: 'w', runs: [{}] });
    expect(ofBatch).toMatchObject({ ok: false, error: full });
  });

  it('count children, which begin regardless', async () => {
    const { left, start } = await bounded();
    const children = Array.from({ length: 3 }, (_, n) => `c${n}`);
    const parent = workflowYaml('parent', {
      units: children.map((id) => ({ id, uses: 'builtin.workflow', config: { workflowId: 'w' } })),
      flow: { type: 'parallel', units: children },
    });
    await left.workflows.register({ yaml: parent });
    for (let run = 0; run < MOST - 2; run += 1) await start();
    await left.runs.start({ workflowId: 'parent' });
    await eventually(
      async () => (await left.runs.list({ limit: 50 })).items.length,
      (count) => count === MOST + 2,
    );
    expect(await outcomeOf(() => start())).toMatchObject(full);
  });
});

describe('the workflows of a namespace', () => {
  it('are no more than may be, and each may be replaced', async () => {
    const engine = await engineWith({ maxWorkflowsPerNamespace: 2 });
    const yamlOf = (id: string, ms = 1) =>
      inSequence(id, [{ id: 'a', uses: 'builtin.mock', config: { response: ms } }]);
    const [left, right] = [acting(engine, 'left'), acting(engine, 'right')];
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) => outcomeOf(() => left.workflows.register({ yaml: yamlOf(id) }))),
    );
    expect(results.filter((one) => 'value' in one)).toHaveLength(2);
    const full = {
      code: 'registry-full',
      message: expect.stringContaining('raise maxWorkflowsPerNamespace'),
    };
    expect(results.filter((one) => !('value' in one))).toEqual(Array(2).fill(expect.objectContaining(full)));
    const [{ workflowId } = { workflowId: '' }] = await left.workflows.list();
    await left.workflows.register({ yaml: yamlOf(workflowId, 2) });
    await right.workflows.register({ yaml: yamlOf('a') });
    await left.workflows.unregister(workflowId);
    await left.workflows.register({ yaml: yamlOf('e') });
    expect(await left.workflows.list()).toHaveLength(2);
  });
});
