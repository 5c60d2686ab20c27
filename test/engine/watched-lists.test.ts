import {
  createEngine,
  InMemoryRunStore,
  type Engine,
  type GateItem,
  type ListChange,
  type RunItem,
} from '../../src/engine/index.js';
import { InvalidRequestError } from '../../src/errors/request-errors.js';
import { inSequence } from '../support/engine.js';

const GATED = inSequence('gated', [
  { id: 'a', uses: 'builtin.mock', config: { response: 1 } },
  { id: 'ok', uses: 'builtin.approval', config: { title: 'Go on?' } },
]);
const QUICK = inSequence('quick', [{ id: 'a', uses: 'builtin.mock', config: { response: 1 } }]);

let engine: Engine;
let store: InMemoryRunStore;

beforeEach(async () => {
  store = new InMemoryRunStore();
  engine = createEngine({ store, shutdownGraceMs: 0, sameInstantMs: 0 });
  await engine.open();
  await engine.workflows.register({ yaml: GATED });
  await engine.workflows.register({ yaml: QUICK });
});
afterEach(() => engine.close());

const start = async (workflowId = 'gated') => (await engine.runs.start({ workflowId, sync: true })).runId;
const decide = (runId: string, approved = true) =>
  engine.gates.respond({ workflowId: 'gated', runId, approved, responder: 'ann' });

/** A client's view of a list, made from the changes that it receives. */
class View<Item extends { readonly runId: string }> {
  items = new Map<string, Item>();
  readonly frames: { readonly type: string; readonly at: number }[] = [];
  private readonly left = new AbortController();
  private over: Promise<void> = Promise.resolve();

  static of<Item extends { readonly runId: string }>(
    watch: (signal: AbortSignal) => AsyncIterable<ListChange<Item>>,
    keyOf: (item: { readonly runId: string; readonly gateId?: number }) => string,
  ): View<Item> {
    const view = new View<Item>();
    view.over = view.follow(watch(view.left.signal), keyOf);
    return view;
  }

  async until(holds: (items: readonly Item[]) => boolean): Promise<void> {
    while (!holds([...this.items.values()])) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Leaves once it shows these items; fails with what it shows where that takes too long. */
  async becomes(items: readonly Item[], inOrder: (items: readonly Item[]) => readonly Item[]): Promise<void> {
    const wanted = JSON.stringify(items);
    const end = performance.now() + 15_000;
    while (JSON.stringify(inOrder([...this.items.values()])) !== wanted && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(inOrder([...this.items.values()])).toEqual(items);
    await this.leave();
  }

  leave(): Promise<void> {
    this.left.abort();
    return this.over;
  }

  private async follow(
    changes: AsyncIterable<ListChange<Item>>,
    keyOf: (item: { readonly runId: string; readonly gateId?: number }) => string,
  ): Promise<void> {
    for await (const change of changes) {
      this.frames.push({ type: change.type, at: performance.now() });
      if (change.type === 'snapshot') this.items = new Map(change.items.map((item) => [keyOf(item), item]));
      else if (change.type === 'upsert') this.items.set(keyOf(change.item), change.item);
      else this.items.delete(keyOf(change));
    }
  }
}

const watchRuns = (request: Parameters<Engine['runs']['list']>[0] = {}) =>
  View.of<RunItem>(
    (signal) => engine.runs.watch({ ...request, signal }),
    ({ runId }) => runId,
  );
const watchGates = (request: Parameters<Engine['gates']['list']>[0] = {}) =>
  View.of<GateItem>(
    (signal) => engine.gates.watch({ ...request, signal }),
    ({ runId, gateId }) => `${runId} ${gateId}`,
  );

const byId = <Item extends { readonly runId: string }>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((one, other) => (one.runId < other.runId ? -1 : 1));

const SEEDS = [1, 2, 3, 4];
const FILTERS: readonly Parameters<Engine['runs']['list']>[0][] = [
  {},
  { status: ['paused'] },
  { workflowId: 'quick' },
];

/** Numbers below a bound, the same ones for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let last = seed;
  return (below) => {
    last = (last * 1_103_515_245 + 12_345) % 2 ** 31;
    return (last >>> 8) % below;
  };
}

/** A run begins, ends, or is decided; `runs` are those that wait. */
async function act(random: (below: number) => number, runs: string[]): Promise<void> {
  const what = random(3);
  if (what === 0) runs.push(await start());
  else if (what === 1) await start('quick');
  else if (runs.length > 0) await decide(runs.splice(random(runs.length), 1)[0] ?? '', random(2) === 0);
}

/** Now and then, so long that single frames are sent. */
async function sometimes(random: (below: number) => number): Promise<void> {
  if (random(3) === 0) await new Promise((resolve) => setTimeout(resolve, random(300)));
}

describe('a watched list of runs', () => {
  it('begins with its first page, and shows the changes of each run', async () => {
    const before = await start();
    const view = watchRuns();
    await view.until((items) => items.length === 1);
    expect(view.frames.map(({ type }) => type)).toEqual(['snapshot']);
    const after = await start();
    await view.until((items) => items.length === 2);
    await decide(before);
    await view.until((items) => items.some(({ status }) => status === 'completed'));
    expect(byId([...view.items.values()])).toEqual(byId((await engine.runs.list({})).items));
    expect([...view.items.keys()].toSorted()).toEqual([before, after].toSorted());
    await view.leave();
  });

  it('loses a run that no longer matches, and never reports one that does not', async () => {
    const paused = await start();
    const view = watchRuns({ status: ['paused'] });
    await view.until((items) => items.length === 1);
    await start('quick');
    await decide(paused);
    await view.until((items) => items.length === 0);
    expect(view.frames.map(({ type }) => type)).toEqual(['snapshot', 'remove']);
    await view.leave();
  });

  it('sends at most four updates a second, and the whole list again where more has changed', async () => {
    const view = watchRuns({ limit: 200 });
    await view.until(() => view.frames.length === 1);
    for (let n = 0; n < 100; n += 1) await start('quick');
    await view.until((items) => items.length === 100 && items.every(({ status }) => status === 'completed'));
    await view.leave();
    const gaps = view.frames.slice(1).map(({ at }, index) => at - (view.frames[index]?.at ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(240);
    expect(view.frames.length).toBeLessThan(20);
  });

  it('converges to the list whatever happens, in any order and however fast', async () => {
    const views = [
      watchRuns({ limit: 200 }),
      watchRuns({ limit: 200, status: ['paused'] }),
      watchRuns({ limit: 200, workflowId: 'quick' }),
    ];
    const runs: string[] = [];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (let n = 0; n < 120; n += 1) {
      const what = random(3);
      if (what === 0) runs.push(await start());
      else if (what === 1) await start('quick');
      else if (runs.length > 0) await decide(runs.splice(random(runs.length), 1)[0] ?? '', random(2) === 0);
      if (random(4) === 0) await new Promise((resolve) => setTimeout(resolve, random(60)));
    }
    const lists = await Promise.all(
      [{}, { status: ['paused'] as const }, { workflowId: 'quick' }].map((filter) =>
        engine.runs.list({ limit: 200, ...filter }),
      ),
    );
    for (const [index, view] of views.entries()) {
      const wanted = JSON.stringify(byId(lists[index]?.items ?? []));
      await view.until((items) => JSON.stringify(byId(items)) === wanted);
      await view.leave();
    }
  });

  it.each(SEEDS)(
    'converges to it for each of several clients, whenever they came (seed %i)',
    async (seed) => {
      const random = randomOf(seed);
      const filter = FILTERS[random(FILTERS.length)] ?? {};
      const [views, runs]: [View<RunItem>[], string[]] = [[], []];
      for (let n = 0; n < 40; n += 1) {
        if (random(10) === 0 && views.length < 3) views.push(watchRuns({ limit: 200, ...filter }));
        await act(random, runs);
        await sometimes(random);
      }
      while (views.length < 3) views.push(watchRuns({ limit: 200, ...filter }));
      await act(random, runs);
      const { items } = await engine.runs.list({ limit: 200, ...filter });
      await Promise.all(views.map((view) => view.becomes(byId(items), byId)));
    },
  );

  it.each([[{ cursor: 'x' }], [{ limit: 0 }], [{ limit: 201 }], [{ status: ['gone' as 'paused'] }]])(
    'is not of %j',
    async (request) => {
      expect(() => engine.runs.checkWatch(request)).toThrow(InvalidRequestError);
      await expect(engine.runs.watch(request).next()).rejects.toThrow(InvalidRequestError);
    },
  );

  it('leaves no resources when it is abandoned', async () => {
    const view = watchRuns();
    await view.until(() => view.frames.length === 1);
    await view.leave();
    let reads = 0;
    const { readAll } = store;
    store.readAll = (request) => {
      if (request.limit <= 150) reads += 1;
      return readAll.call(store, request);
    };
    await start('quick');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(reads).toBe(0);
  });

  it('ends when the engine closes', async () => {
    const changes = engine.runs.watch({});
    await changes.next();
    const next = changes.next();
    await engine.close();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

describe('a watched list of gates', () => {
  it('shows those that open, and loses those that were decided', async () => {
    const first = await start();
    const view = watchGates();
    await view.until((items) => items.length === 1);
    const second = await start();
    await view.until((items) => items.length === 2);
    expect(byId([...view.items.values()])).toEqual(byId((await engine.gates.list({})).items));
    await decide(first);
    await view.until((items) => items.length === 1 && items[0]?.runId === second);
    await engine.runs.cancel({ workflowId: 'gated', runId: second });
    await view.until((items) => items.length === 0);
    expect(view.frames.map(({ type }) => type)).toEqual(['snapshot', 'upsert', 'remove', 'remove']);
    await view.leave();
  });

  it('shows decisions as they are made', async () => {
    const first = await start();
    const view = watchGates({ status: 'decided', workflowId: 'gated' });
    await view.until(() => view.frames.length === 1);
    await decide(first, false);
    await view.until((items) => items.length === 1);
    expect([...view.items.values()]).toEqual((await engine.gates.list({ status: 'decided' })).items);
    await view.leave();
  });

  it.each(SEEDS)(
    'converges to it for each of several clients, whenever they came (seed %i)',
    async (seed) => {
      const random = randomOf(seed);
      const status = random(2) === 0 ? 'open' : 'decided';
      const [views, runs]: [View<GateItem>[], string[]] = [[], []];
      for (let n = 0; n < 40; n += 1) {
        if (random(10) === 0 && views.length < 3) views.push(watchGates({ limit: 200, status }));
        await act(random, runs);
        await sometimes(random);
      }
      while (views.length < 3) views.push(watchGates({ limit: 200, status }));
      await act(random, runs);
      const { items } = await engine.gates.list({ limit: 200, status });
      await Promise.all(views.map((view) => view.becomes(byId(items), byId)));
    },
  );

  it('is refused for an unknown status or cursor', async () => {
    for (const request of [{ status: 'shut' as 'open' }, { cursor: 'x' }, { limit: 1.5 }]) {
      await expect(engine.gates.watch(request).next()).rejects.toThrow(InvalidRequestError);
    }
  });
});
