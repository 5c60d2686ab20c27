import type { ActingEngine, Engine } from '../../../src/engine/index.js';
import type { Permission } from '../../../src/engine/vocabulary.js';
import { exportOf } from '../../support/exports.js';
import { actingWorld, outcomeOf, yamlOf, type Address, type World } from './support/acting-world.js';

type Facet = 'workflows' | 'runs' | 'gates' | 'memory' | 'audit';
type Call = (engine: ActingEngine, address: Address) => unknown;

interface Row {
  readonly needs: readonly Permission[];
  /**
   * What it is about: `run` and `workflow`, the one that is named, which may be hidden; `kept`, what is brought along;
   * `shown`, whatever may be seen; `nothing`, no more than the namespace.
   */
  readonly about: 'run' | 'workflow' | 'kept' | 'shown' | 'nothing';
  readonly call: Call;
}

const row = (about: Row['about'], needs: Permission | readonly Permission[], call: Call): Row => ({
  about,
  needs: typeof needs === 'string' ? [needs] : needs,
  call,
});
const ofRun = (needs: Permission | readonly Permission[], call: Call): Row => row('run', needs, call);
const reads = (call: Call): Row => row('run', 'run:read', call);

let exported = '';
const ndjson = (): Uint8Array => Buffer.from(exported);

/** Every method of every facet, with what it needs. */
const TABLE: Readonly<Record<Facet, Readonly<Record<string, Row>>>> = {
  workflows: {
    register: row('kept', 'workflow:register', ({ workflows }, { workflowId }) =>
      workflows.register({ yaml: yamlOf(workflowId) }),
    ),
    check: row('nothing', 'workflow:register', ({ workflows }) => workflows.check({ yaml: yamlOf('w') })),
    has: row('workflow', 'workflow:read', ({ workflows }, { workflowId }) => workflows.has(workflowId)),
    unregister: row('workflow', 'workflow:register', ({ workflows }, { workflowId }) =>
      workflows.unregister(workflowId),
    ),
    unknown: row('workflow', [], async ({ workflows }, { workflowId }) => {
      throw await workflows.unknown(workflowId);
    }),
    list: row('shown', 'workflow:read', ({ workflows }) => workflows.list()),
    view: row('shown', 'workflow:read', ({ workflows }) => workflows.view()),
    describe: row('workflow', 'workflow:read', ({ workflows }, { workflowId }) =>
      workflows.describe(workflowId),
    ),
    read: row('workflow', 'workflow:read', ({ workflows }, { workflowId }) => workflows.read({ workflowId })),
    versions: row('workflow', 'workflow:read', ({ workflows }, { workflowId }) =>
      workflows.versions({ workflowId }),
    ),
    diff: row('workflow', 'workflow:read', ({ workflows }, { workflowId }) =>
      workflows.diff({ workflowId, from: 'a', to: 'b' }),
    ),
  },
  runs: {
    assertStartable: row('workflow', 'run:start', ({ runs }, { workflowId }) =>
      runs.assertStartable(workflowId),
    ),
    start: row('workflow', 'run:start', ({ runs }, { workflowId }) => runs.start({ workflowId })),
    startBatch: row('workflow', 'run:start', ({ runs }, { workflowId }) =>
      runs.startBatch({ workflowId, runs: [{}] }),
    ),
    get: reads(({ runs }, address) => runs.get(address)),
    full: reads(({ runs }, address) => runs.full(address)),
    encoded: reads(({ runs }, address) =>
      runs.encoded(address, async (record) => Buffer.from(JSON.stringify(record))),
    ),
    assertExists: reads(({ runs }, address) => runs.assertExists(address)),
    locate: reads(({ runs }, { runId }) => runs.locate(runId)),
    isListable: row('workflow', 'run:read', ({ runs }, { workflowId }) => runs.isListable(workflowId)),
    position: reads(({ runs }, address) => runs.position(address)),
    status: reads(({ runs }, address) => runs.status(address)),
    startedBy: reads(({ runs }, address) => runs.startedBy(address)),
    resume: ofRun('run:steer', ({ runs }, address) => runs.resume({ ...address, waitMs: 0 })),
    cancel: ofRun('run:steer', ({ runs }, address) => runs.cancel(address)),
    pause: ofRun('run:steer', ({ runs }, address) => runs.pause(address)),
    compensate: ofRun('run:steer', ({ runs }, address) => runs.compensate(address)),
    wait: reads(({ runs }, address) => runs.wait({ ...address, waitMs: 0 })),
    follow: reads(({ runs }, address) => runs.follow(address)),
    messages: reads(({ runs }, address) => runs.messages(address)),
    snapshotPage: reads(({ runs }, address) => runs.snapshotPage(address)),
    newestSnapshots: reads(({ runs }, address) => runs.newestSnapshots(address)),
    snapshots: reads(({ runs }, address) => runs.snapshots(address)),
    snapshot: reads(({ runs }, address) => runs.snapshot({ ...address, snapshotId: `${address.runId}.1` })),
    list: row('shown', 'run:read', ({ runs }) => runs.list()),
    watch: row('shown', 'run:read', ({ runs }) => runs.watch()),
    checkWatch: row('nothing', 'run:read', ({ runs }) => runs.checkWatch({})),
    fork: ofRun(['run:fork', 'run:start'], ({ runs }, address) => runs.fork(address)),
    events: reads(({ runs }, address) => runs.events(address)),
    event: reads(({ runs }, address) => runs.event({ ...address, seq: 1 })),
    stream: reads(({ runs }, address) => runs.stream(address)),
    streamPages: reads(({ runs }, address) => runs.streamPages(address)),
    streamAll: row('shown', 'run:read', ({ runs }) => runs.streamAll({ signal: AbortSignal.abort() })),
    streamAllPages: row('shown', 'run:read', ({ runs }) =>
      runs.streamAllPages({ signal: AbortSignal.abort() }),
    ),
    latestEvent: row('nothing', 'run:read', ({ runs }) => runs.latestEvent()),
    knowsEvent: row('nothing', 'run:read', ({ runs }) => runs.knowsEvent('x')),
    export: ofRun('run:export', ({ runs }, address) => runs.export(address)),
    import: row('kept', 'run:import', ({ runs }) => runs.import({ ndjson: ndjson() })),
  },
  gates: {
    open: ofRun('gate:read', ({ gates }, address) => gates.open(address)),
    list: row('shown', 'gate:read', ({ gates }) => gates.list()),
    watch: row('shown', 'gate:read', ({ gates }) => gates.watch()),
    checkWatch: row('nothing', 'gate:read', ({ gates }) => gates.checkWatch({})),
    respond: ofRun('gate:decide', ({ gates }, address) =>
      gates.respond({ ...address, approved: true, responder: 'the CEO' }),
    ),
  },
  audit: {
    list: row('shown', 'audit:read', ({ audit }) => audit.list()),
    each: row('shown', 'audit:read', ({ audit }) => audit.each()),
    check: row('nothing', 'audit:read', ({ audit }) => audit.check({})),
    latest: row('nothing', 'audit:read', ({ audit }) => audit.latest()),
    knows: row('nothing', 'audit:read', ({ audit }) => audit.knows('x')),
    stream: row('nothing', 'audit:read', async ({ audit }) =>
      audit.stream({ afterId: await audit.latest(), signal: AbortSignal.abort() }),
    ),
  },
  memory: {
    search: row('shown', 'memory:read', ({ memory }) => memory.search({ query: 'pelican', topK: 5 })),
  },
};
/** Who observes is this process: that is for `engine.runs` and `engine.workflows`. */
const OF_THE_PROCESS: Readonly<Record<Facet, readonly string[]>> = {
  workflows: ['observe', 'registerParent', 'warningsOfChildren'],
  runs: ['observe'],
  gates: [],
  memory: [],
  audit: ['actBy', 'record', 'opened'],
};

const FACETS = Object.keys(TABLE) as readonly Facet[];
const ROWS = FACETS.flatMap((facet) =>
  Object.entries(TABLE[facet]).map(([method, one]) => [`${facet}.${method}`, one] as const),
);
const about = (...kinds: readonly Row['about'][]) => ROWS.filter(([, one]) => kinds.includes(one.about));

let world: World;
beforeEach(async () => {
  world = await actingWorld();
  exported = '';
});
afterEach(() => world.engine.close());

const methodsOf = (facet: object): readonly string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(facet) as object))
    .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
    .map(([name]) => name);

describe('the table of what each method needs', () => {
  it.each(FACETS)('has each method of %s that there is for somebody who acts', (facet) => {
    expect([...methodsOf(world.acting('all')[facet])].sort()).toEqual(Object.keys(TABLE[facet]).sort());
  });

  it.each(FACETS)('has each method of %s that the engine has', (facet) => {
    const bare = methodsOf((world.engine as Engine)[facet]).filter(
      (name) => !OF_THE_PROCESS[facet].includes(name),
    );
    expect(bare.filter((name) => !(name in TABLE[facet]))).toEqual([]);
  });
});

const CASES = ROWS.flatMap(([name, one]) => one.needs.map((permission) => [name, permission, one] as const));

it.each(CASES)(
  '%s without %s is forbidden, and says what is missing',
  async (_name, permission, { call }) => {
    expect(await outcomeOf(() => call(world.acting(`no ${permission}`), world.seen))).toMatchObject({
      code: 'forbidden',
      details: [{ permission }],
    });
  },
);

it.each(CASES)('%s with %s in another namespace alone is forbidden', async (_name, permission, { call }) => {
  const { engine, seen } = world;
  const grants = [{ namespace: 'other', roles: ['all'] }];
  const principal = { id: 'k', owner: 'eve', groups: [], grants, auth: 'key', expiresAt: null } as const;
  const acting = engine.as(principal, { namespace: 'acme', via: 'http' });
  expect(await outcomeOf(() => call(acting, seen))).toMatchObject({
    code: 'forbidden',
    details: [{ permission: expect.any(String) }],
  });
  expect(permission).not.toBe('');
});

it.each(ROWS)('%s needs no other permission', async (_name, { call, needs }) => {
  const { engine, seen } = world;
  exported = await exportOf(engine, { ...seen, namespace: 'acme' });
  const grants = [{ namespace: 'acme', roles: needs }];
  const principal = { id: 'k', owner: 'ann', groups: [], grants, auth: 'key', expiresAt: null } as const;
  const acting = engine.as(principal, { namespace: 'acme', via: 'http' });
  expect(await outcomeOf(() => call(acting, seen))).not.toMatchObject({ code: 'forbidden' });
});

/** The outcome, whichever ids it names. */
async function named(acting: ActingEngine, call: Call, address: Address): Promise<object> {
  const text = JSON.stringify(await outcomeOf(() => call(acting, address)));
  return JSON.parse(
    text.replaceAll(address.runId, '<run>').replaceAll(address.workflowId, '<workflow>'),
  ) as object;
}
const NO_RUN = { workflowId: 'seen-w', runId: '00000000-0000-4000-8000-000000000000' };
const NO_WORKFLOW = { workflowId: 'none-at-all', runId: 'x' };

it.each(about('run'))('%s of a hidden run is answered as for one that never was', async (_name, { call }) => {
  const acting = world.acting('all', { workflows: ['seen*'] });
  expect(await named(acting, call, world.hidden)).toEqual(await named(acting, call, NO_RUN));
});

it.each(about('run'))(
  '%s of a run of another namespace is answered as for one that never was',
  async (_name, { call }) => {
    const acting = world.acting('all');
    expect(await named(acting, call, world.foreign)).toEqual(await named(acting, call, NO_RUN));
  },
);

it.each(about('run'))(
  '%s of a run by the workflow that may be seen finds no run of another',
  async (_name, { call }) => {
    const acting = world.acting('all', { workflows: ['seen*'] });
    const disguised = { workflowId: world.seen.workflowId, runId: world.hidden.runId };
    expect(await named(acting, call, disguised)).toEqual(await named(acting, call, NO_RUN));
  },
);

it.each(about('workflow'))(
  '%s of a hidden workflow is answered as for one that never was',
  async (_name, { call }) => {
    const acting = world.acting('all', { workflows: ['seen*', 'none*'] });
    expect(await named(acting, call, world.hidden)).toEqual(await named(acting, call, NO_WORKFLOW));
  },
);

it.each(about('workflow'))(
  '%s of a workflow of another namespace is answered as for one that never was',
  async (_name, { call }) => {
    await world.engine.workflows.register({ namespace: 'other', yaml: yamlOf('theirs') });
    const acting = world.acting('all');
    const theirs = { workflowId: 'theirs', runId: 'x' };
    expect(await named(acting, call, theirs)).toEqual(await named(acting, call, NO_WORKFLOW));
  },
);

describe('what is brought along', () => {
  it('is not registered outside of the workflows that are granted', async () => {
    const acting = world.acting('all', { workflows: ['seen*'] });
    expect(await outcomeOf(() => acting.workflows.register({ yaml: yamlOf('hidden-x') }))).toMatchObject({
      code: 'forbidden',
      details: [{ permission: 'workflow:register' }],
    });
    expect(await world.engine.workflows.has('hidden-x', 'acme')).toBe(false);
    expect(await acting.workflows.register({ yaml: yamlOf('seen-x') })).toMatchObject({
      workflowId: 'seen-x',
    });
    expect(await world.engine.workflows.has('seen-x', 'acme')).toBe(true);
  });

  it('is not imported outside of them, nor into a namespace other than that of its log', async () => {
    const { engine, hidden, foreign } = world;
    const importing = async (address: Address, namespace: string) => {
      const text = await exportOf(engine, { ...address, namespace });
      const acting = world.acting('all', { workflows: ['seen*'] });
      return outcomeOf(() => acting.runs.import({ ndjson: Buffer.from(text) }));
    };
    expect(await importing(hidden, 'acme')).toMatchObject({
      code: 'forbidden',
      details: [{ permission: 'run:import' }],
    });
    // It is known here, and nothing says where.
    expect(await importing(foreign, 'other')).toMatchObject({ code: 'run-known' });
    const elsewhere = await actingWorld();
    const text = await exportOf(elsewhere.engine, { ...elsewhere.foreign, namespace: 'other' });
    await elsewhere.engine.close();
    expect(
      await outcomeOf(() => world.acting('all').runs.import({ ndjson: Buffer.from(text) })),
    ).toMatchObject({ code: 'invalid-request', message: expect.stringContaining('namespace other') });
  });
});

describe('whoever acts', () => {
  it('stands as by and as responder, whatever the request says', async () => {
    const { engine, seen } = world;
    const acting = world.acting('all', { owner: 'ann' });
    const claimed = {
      by: { id: 'eve', owner: 'eve', via: 'mcp', auth: 'host' },
      namespace: 'other',
    } as const;
    const { runId } = await acting.runs.start({ workflowId: 'seen-w', sync: true, ...claimed });
    const by = { id: 'key-of-ann', owner: 'ann', via: 'http', auth: 'key' };
    expect(await engine.runs.startedBy({ workflowId: 'seen-w', runId, namespace: 'acme' })).toEqual(by);
    await acting.gates.respond({ ...seen, approved: true, responder: 'the CEO', ...claimed });
    const { items } = await engine.runs.events({ ...seen, namespace: 'acme', view: 'log' });
    expect(items.find(({ type }) => type === 'gate-decided')?.data).toMatchObject({
      responder: 'ann',
      by: { id: 'key-of-ann', auth: 'key' },
    });
  });

  it('has an owner that names an account, in a namespace that there can be', () => {
    const { engine } = world;
    const principal = { id: 'k', groups: [], grants: [], auth: 'key', expiresAt: null } as const;
    expect(() => engine.as({ ...principal, owner: 'a\nb' }, { namespace: 'acme' })).toThrow(
      'valid key or token',
    );
    expect(() => engine.as({ ...principal, owner: 'ann' }, { namespace: '../x' })).toThrow('cannot be used');
  });
});

describe('where nobody is asked', () => {
  it('everything may be done in the namespace default, as who a request says', async () => {
    const { engine } = world;
    const anybody = engine.unchecked();
    expect([anybody.namespace, anybody.actor, await anybody.may('key:manage')]).toEqual([
      'default',
      null,
      true,
    ]);
    await anybody.workflows.register({ yaml: yamlOf('w') });
    const by = { id: 'ann', owner: null, via: 'http', auth: 'none' } as const;
    const { runId } = await anybody.runs.start({ workflowId: 'w', by, sync: true });
    expect(await anybody.runs.startedBy({ workflowId: 'w', runId })).toEqual(by);
    expect(await engine.runs.get({ workflowId: 'w', runId })).toMatchObject({ status: 'paused' });
    expect(await outcomeOf(() => anybody.runs.get(world.seen))).toMatchObject({ code: 'unknown-run' });
  });
});
