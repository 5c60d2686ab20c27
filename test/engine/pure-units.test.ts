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

  override append(request: Parameters<InMemoryRunStore['append']>[0]) {
    this.appends += 1;
    this.events += request.events.length;
    return super.append(request);
  }
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
    const { record, appends } = await started(chain(20));
    expect([record.status, appends]).toEqual(['completed', 1]);
  });

  it('are called one after the other where a budget has to be checked in between', async () => {
    const { record, appends } = await started(chain(3), { policy: { budget: { maxTokens: 10 } } });
    expect([record.status, appends]).toEqual(['completed', 4]);
  });

  it('end a turn at an approval, which is asked for once what is before it is stored', async () => {
    const store = new CountingStore();
    const { engine } = await openEngine({}, { store });
    const units = [
      ...chain(2),
      { id: 'agree', uses: 'builtin.approval' },
      { id: 'last', uses: 'builtin.mock' },
    ];
    await engine.workflows.register({ yaml: inSequence('w', units) });
    const run = await engine.runs.start({ workflowId: 'w', sync: true });
    expect([run.status, store.appends]).toEqual(['paused', 1]);
    const decided = await engine.gates.respond({ ...run, approved: true, responder: 'ann' });
    expect([decided.status, store.appends]).toEqual(['completed', 2]);
    await engine.close();
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
    await until(() => store.appends === 1, 'the failure is stored');
    await turn();
    expect(store.appends).toBe(1);
    await clock.advance(1_000);
    expect([(await running).status, store.appends]).toEqual(['completed', 2]);
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

describe('a loop of pure units that never ends', () => {
  it('does a hundred thousand events at once, and then 5,000 a second', async () => {
    const store = new CountingStore();
    const { engine, clock } = await openEngine({}, { store });
    engine.registerUnit('pass', () => null, { pure: true });
    const spec = {
      units: [{ id: 'pass', uses: 'pass' }],
      flow: { type: 'loop', do: 'pass', maxIterations: 1_000_000, until: 'false' },
    };
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
  }, 60_000);
});
