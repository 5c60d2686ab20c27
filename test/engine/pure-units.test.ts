import { setImmediate as turn } from 'node:timers/promises';
import { InMemoryRunStore } from '../../src/engine/index.js';
import { openEngine, inSequence, workflowYaml } from '../support/engine.js';
import { until } from '../support/eventually.js';

const chain = (count: number, uses = 'builtin.mock') =>
  Array.from({ length: count }, (_, index) => ({ id: `u${index}`, uses }));

/** A store that counts its appends, and the events in them. */
class CountingStore extends InMemoryRunStore {
  appends = 0;
  events = 0;
  readonly types: string[] = [];

  override append(request: Parameters<InMemoryRunStore['append']>[0]) {
    this.appends += 1;
    this.events += request.events.length;
    this.types.push(...request.events.map(({ type }) => type));
    return super.append(request);
  }
}

/** The fewest appends of some runs: a turn of one that the machine keeps waiting is cut. */
async function fewest(play: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let runs = 0; runs < 10; runs += 1) least = Math.min(least, await play());
  return least;
}

async function started(units: readonly object[], spec: object = {}) {
  const store = new CountingStore();
  const { engine } = await openEngine({}, { store });
  await engine.workflows.register({ yaml: inSequence('w', units, spec) });
  const record = await engine.runs.start({ workflowId: 'w', sync: true });
  await engine.close();
  return { record, appends: store.appends };
}

describe('mocks', () => {
  it('are one append, however many follow one another', async () => {
    const play = async () => {
      const { record, appends } = await started(chain(20));
      expect(record.status).toBe('completed');
      return appends;
    };
    expect(await fewest(play)).toBe(1);
  });

  it('are called one after the other where a budget has to be checked in between', async () => {
    const { record, appends } = await started(chain(3), { policy: { budget: { maxTokens: 10 } } });
    expect([record.status, appends]).toEqual(['completed', 4]);
  });

  it('end a turn at an approval, which is asked for once what is before it is stored', async () => {
    const play = async () => {
      const store = new CountingStore();
      const { engine } = await openEngine({}, { store });
      const approval = { id: 'agree', uses: 'builtin.approval' };
      const units = [...chain(2), approval, { id: 'last', uses: 'builtin.mock' }];
      await engine.workflows.register({ yaml: inSequence('w', units) });
      const run = await engine.runs.start({ workflowId: 'w', sync: true });
      expect(run.status).toBe('paused');
      const decided = await engine.gates.respond({ ...run, approved: true, responder: 'ann' });
      expect(decided.status).toBe('completed');
      await engine.close();
      return store.appends;
    };
    expect(await fewest(play)).toBe(2);
  });

  it('that fail are tried again after their back-off, which is stored first', async () => {
    const store = new CountingStore();
    const { engine, clock } = await openEngine({}, { store });
    const units = [
      { id: 'a', uses: 'builtin.mock' },
      { id: 'b', uses: 'builtin.mock', config: { failTimes: 1 } },
      { id: 'c', uses: 'builtin.mock' },
    ];
    const policy = { retry: { maxAttempts: 2, baseMs: 1_000, jitter: false } };
    await engine.workflows.register({ yaml: inSequence('w', units, { policy }) });
    const running = engine.runs.start({ workflowId: 'w', sync: true });
    await until(() => store.types.at(-1) === 'unit-attempt-failed', 'the failure is stored');
    const { appends } = store;
    for (let loops = 0; loops < 40; loops += 1) await turn();
    expect(store.appends).toBe(appends);
    await clock.advance(1_000);
    expect((await running).status).toBe('completed');
    await engine.close();
  });
});

describe('a unit that is registered as pure', () => {
  it('fails, and is not tried again, where it answers by a promise', async () => {
    const { engine } = await openEngine();
    let calls = 0;
    engine.registerUnit(
      'later',
      async () => {
        calls += 1;
        throw new Error('nobody waits for it');
      },
      { pure: true },
    );
    await engine.workflows.register({ yaml: inSequence('w', chain(1, 'later')) });
    const { status, error } = await engine.runs.start({ workflowId: 'w', sync: true });
    expect([status, calls]).toEqual(['failed', 1]);
    expect(error).toMatch(/registered as pure and answered with a promise: have it answer at once/);
    await engine.close();
  });

  it('is called as any other where its host cannot say whether it is ready', async () => {
    const { engine } = await openEngine();
    const isReady = (): boolean => {
      throw new Error('who knows');
    };
    engine.registerUnit('odd', () => 1, { pure: true, isReady });
    const units = [...chain(1), { id: 'odd', uses: 'odd' }];
    await engine.workflows.register({
      yaml: inSequence('w', units, { policy: { retry: { maxAttempts: 1 } } }),
    });
    const { status, error } = await engine.runs.start({ workflowId: 'w', sync: true });
    expect([status, error]).toEqual(['failed', expect.stringContaining('who knows')]);
    await engine.close();
  });

  it('is given what any other is: its input, state, context, and a signal that has not fired', async () => {
    const { engine } = await openEngine();
    const given: unknown[] = [];
    engine.registerUnit(
      'look',
      ({ input, state, context }, { idempotencyKey, signal }) => {
        given.push([
          input,
          Object.keys(state),
          context.attempt,
          idempotencyKey.split(':')[1],
          signal.aborted,
        ]);
        return { content: context.unitId, state: { [`by-${context.unitId}`]: 1 } };
      },
      { pure: true },
    );
    await engine.workflows.register({ yaml: inSequence('w', chain(2, 'look')) });
    await engine.runs.start({ workflowId: 'w', input: { n: 1 }, sync: true });
    expect(given).toEqual([
      [{ n: 1 }, ['n'], 1, '2', false],
      [{ n: 1 }, ['n', 'output.u0', 'by-u0'], 1, '4', false],
    ]);
    await engine.close();
  });

  it('gives the event loop back after about 20 ms, however long the chain is', async () => {
    const store = new CountingStore();
    const { engine } = await openEngine({}, { store });
    const spin = () => {
      for (const end = performance.now() + 5; performance.now() < end;);
      return 1;
    };
    engine.registerUnit('spins', spin, { pure: true });
    await engine.workflows.register({ yaml: inSequence('w', chain(40, 'spins')) });
    let rounds = 0;
    const count = () => {
      rounds += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const { status } = await engine.runs.start({ workflowId: 'w', sync: true });
    clearImmediate(next);
    expect(status).toBe('completed');
    expect(store.appends).toBeGreaterThanOrEqual(9);
    expect(rounds).toBeGreaterThan(5);
    await engine.close();
  }, 30_000);
});

describe('a unit beside a loop of pure ones that never ends', () => {
  it('is tried again when it is due', async () => {
    const { engine, clock } = await openEngine({}, { maxLogBytes: 1_000_000_000 });
    const attempts: number[] = [];
    engine.registerUnit('pass', () => null, { pure: true });
    engine.registerUnit('work', async ({ context }) => {
      attempts.push(context.attempt);
      if (context.attempt === 1) throw new Error('not yet');
    });
    const loop = { type: 'loop', do: 'pass', maxIterations: 1_000_000, until: 'false' };
    const spec = {
      units: ['pass', 'work'].map((uses) => ({ id: uses, uses })),
      flow: { type: 'parallel', units: [loop, 'work'] },
      policy: { retry: { maxAttempts: 3, baseMs: 1_000, jitter: false } },
    };
    await engine.workflows.register({ yaml: workflowYaml('w', spec) });
    const run = await engine.runs.start({ workflowId: 'w' });
    await until(() => attempts.length === 1, 'it is called');
    for (let loops = 0; loops < 40; loops += 1) await turn();
    await clock.advance(1_000);
    await until(() => attempts.length === 2, 'it is called again');
    await engine.runs.cancel(run);
    await engine.close();
  }, 60_000);
});

describe('pure units that go on for ever', () => {
  const LOOP = { type: 'loop', do: 'pass', maxIterations: 1_000_000, until: 'false' };
  const OTHER = { ...LOOP, do: 'other' };
  const units = ['pass', 'other'].map((id) => ({ id, uses: 'pass' }));
  const atOnce = { retry: { maxAttempts: 2, baseMs: 0, jitter: false } };

  it.each([
    ['in a loop', { units: units.slice(0, 1), flow: LOOP }],
    ['in two loops side by side', { units, flow: { type: 'parallel', units: [LOOP, OTHER] } }],
    ['of which each fails once', { units: [{ id: 'pass', uses: 'fails' }], flow: LOOP, policy: atOnce }],
    ['under a budget', { units: units.slice(0, 1), flow: LOOP, policy: { budget: { maxTokens: 10 } } }],
  ])(
    '%s: do a hundred thousand events at once, and then 5,000 a second',
    async (_how, spec) => {
      const store = new CountingStore();
      const { engine, clock } = await openEngine({}, { store, maxLogBytes: 1_000_000_000 });
      engine.registerUnit('pass', () => null, { pure: true });
      const fails = ({ context }: { context: { attempt: number } }) => {
        if (context.attempt === 1) throw new Error('not yet');
      };
      engine.registerUnit('fails', fails, { pure: true });
      await engine.workflows.register({ yaml: workflowYaml('w', spec) });
      const run = await engine.runs.start({ workflowId: 'w' });
      const rest = async () => {
        for (let seen = -1; seen !== store.events;) {
          seen = store.events;
          for (let loops = 0; loops < 200; loops += 1) await turn();
        }
        return store.events;
      };
      const burst = await rest();
      expect(burst).toBeGreaterThanOrEqual(100_000);
      expect(burst).toBeLessThan(120_000);
      await clock.advance(1_000);
      const later = await rest();
      expect(later - burst).toBeGreaterThan(0);
      expect(later - burst).toBeLessThanOrEqual(15_000);
      await engine.runs.cancel(run);
      await engine.close();
    },
    60_000,
  );
});
