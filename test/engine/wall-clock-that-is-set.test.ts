import { SystemClock } from '../../src/engine/runtime/system-clock.js';
import { InMemoryRunStore } from '../../src/engine/index.js';
import { until } from '../support/eventually.js';
import { inSequence, openEngine } from '../support/engine.js';
import { startUnitServer } from '../support/unit-server.js';

const HOUR_MS = 3_600_000;
const BACK_OFF_MS = 400;
/** Generous: the tests assert "not an hour", on a machine that may be busy. */
const AT_MOST_MS = BACK_OFF_MS + 10_000;

/** The machine's clocks, with a wall clock that can be set. */
function settable() {
  const set = { byMs: 0 };
  const clock = new SystemClock(
    { wallMs: () => Date.now() + set.byMs, steadyMs: () => performance.now() },
    20,
  );
  return { set, clock };
}

const retrying = (baseMs: number) =>
  inSequence('retrying', [
    {
      id: 'a',
      uses: 'work',
      policyOverrides: { retry: { maxAttempts: 3, backoff: 'fixed', baseMs, jitter: false } },
    },
  ]);

/** An engine whose unit fails at its first call; `calls` are the steady instants of all of them. */
async function failingOnce(clock: SystemClock) {
  const calls: number[] = [];
  const store = new InMemoryRunStore();
  const work = () => {
    calls.push(performance.now());
    if (calls.length === 1) throw new Error('not yet');
    return 'done';
  };
  const { engine } = await openEngine({ work }, { store, clock });
  return { engine, store, calls };
}

describe('a wall clock that is set while a retry is waited for', () => {
  it.each([
    ['back an hour', [-HOUR_MS]],
    ['back an hour, and right again', [-HOUR_MS, HOUR_MS]],
    ['forward an hour, and right again', [HOUR_MS, -HOUR_MS]],
  ])('%s, delays it by less than a second', async (_how, steps) => {
    const { set, clock } = settable();
    const { engine, store, calls } = await failingOnce(clock);
    await engine.workflows.register({ yaml: retrying(BACK_OFF_MS) });
    const { runId } = await engine.runs.start({ workflowId: 'retrying' });
    await until(() => calls.length === 1, 'the unit was called once');
    for (const step of steps) {
      set.byMs += step;
      clock.now();
    }
    await until(() => calls.length === 2, 'it was called again');
    expect(calls[1]! - calls[0]!).toBeLessThan(AT_MOST_MS);
    await until(
      async () => (await engine.runs.get({ workflowId: 'retrying', runId })).status === 'completed',
      'the run is completed',
    );
    const instants = (await store.readEvents({ runId, afterSeq: 0, limit: 99 })).map(({ at }) => at);
    expect(instants).toEqual([...instants].sort((a, b) => a - b));
    await engine.close();
  });

  it('forward, as after a sleep of the machine, makes what came due meanwhile happen', async () => {
    const { set, clock } = settable();
    const { engine, calls } = await failingOnce(clock);
    await engine.workflows.register({ yaml: retrying(600_000) });
    await engine.runs.start({ workflowId: 'retrying' });
    await until(() => calls.length === 1, 'the unit was called once');
    set.byMs = HOUR_MS;
    await until(() => calls.length === 2, 'it was called again');
    await engine.close();
  });
});

describe('a deadline of a run', () => {
  it('is kept although the wall clock is set back', async () => {
    const { set, clock } = settable();
    const { engine } = await openEngine({ work: () => new Promise(() => undefined) }, { clock });
    const policy = { timeout: { workflowMs: BACK_OFF_MS } };
    await engine.workflows.register({ yaml: inSequence('slow', [{ id: 'a', uses: 'work' }], { policy }) });
    const begun = performance.now();
    const ended = engine.runs.start({ workflowId: 'slow', sync: true });
    set.byMs = -HOUR_MS;
    expect((await ended).error).toContain('overran its time-out');
    expect(performance.now() - begun).toBeLessThan(AT_MOST_MS);
    await engine.close();
  });
});

describe('an instant that a client or an endpoint names or reads', () => {
  it('is one of the wall clock: `deadlineAt` of a call, and a date in a `Retry-After`', async () => {
    const { set, clock } = settable();
    const server = await startUnitServer(() => ({
      status: 503,
      // A date has whole seconds: two of them from now are more than one.
      headers: { 'retry-after': new Date(Date.now() + set.byMs + 2_000).toUTCString() },
    }));
    const store = new InMemoryRunStore();
    const { engine } = await openEngine({}, { clock, store });
    set.byMs = -HOUR_MS;
    const bindings = { 'acme.work': { type: 'http', endpoint: server.url } };
    const unit = { id: 'a', uses: 'acme.work', policyOverrides: { timeout: { unitMs: 60_000 } } };
    await engine.workflows.register({ yaml: inSequence('called', [unit]), bindings });
    const { runId } = await engine.runs.start({ workflowId: 'called' });
    await server.received(1);
    const { deadlineAt } = JSON.parse(server.requests[0]!.body).context;
    expect(Math.abs(deadlineAt - (Date.now() + set.byMs + 60_000))).toBeLessThan(5_000);
    const failure = async () => {
      const events = await store.readEvents({ runId, afterSeq: 0, limit: 99 });
      return events.find(({ type }) => type === 'unit-attempt-failed') as unknown as
        { at: number; retryAt: number } | undefined;
    };
    await until(async () => (await failure()) !== undefined, 'the attempt failed');
    const { at, retryAt } = (await failure())!;
    expect(retryAt - at).toBeGreaterThan(500);
    expect(retryAt - at).toBeLessThanOrEqual(2_000);
    await engine.close();
    await server.close();
  });
});
