import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { until } from '../support/eventually.js';
import { inSequence, openEngine } from '../support/engine.js';
import { DOWN, OK, EndpointWorld } from '../support/endpoint-world.js';
import type { Reply } from '../support/unit-server.js';

const RESET = 30_000;
const retry = { maxAttempts: 3, backoff: 'fixed', baseMs: 10, jitter: false };
const breaker = (failureThreshold: number, resetMs = RESET) => ({
  retry,
  circuitBreaker: { failureThreshold, resetMs },
});

const opened: EndpointWorld[] = [];

async function endpointOf(...given: Parameters<typeof EndpointWorld.open>): Promise<EndpointWorld> {
  const endpoint = await EndpointWorld.open(...given);
  opened.push(endpoint);
  return endpoint;
}

afterEach(async () => {
  for (const endpoint of opened.splice(0)) await endpoint.close();
});

/** Moves the clock in small steps until so many calls have arrived: retries become due, nothing else does. */
async function triedAgain(endpoint: EndpointWorld, calls: number): Promise<void> {
  await until(async () => {
    await endpoint.clock.advance(10);
    return endpoint.calls.length >= calls;
  }, `${calls} calls arrive`);
  await endpoint.nothingMore();
}

describe('an endpoint with a circuit breaker', () => {
  it('is not called by any run after consecutive failures, which uses up no attempt', async () => {
    const logger = new RecordingLogger();
    const endpoint = await endpointOf({ logger });
    await endpoint.workflow('w', breaker(2));
    await endpoint.workflow('other', breaker(2));
    endpoint.answer(() => DOWN);
    const [a] = await endpoint.start('w', 'a');
    await triedAgain(endpoint, 2);
    await endpoint.clock.advance(100);
    const [b] = await endpoint.start('other', 'b');
    await endpoint.clock.advance(RESET - 1_000);
    await endpoint.nothingMore();
    expect(endpoint.names).toBe('aa');
    endpoint.answer(() => OK);
    await endpoint.clock.advance(1_000);
    const [first, second] = [await endpoint.ended('w', a!), await endpoint.ended('other', b!)];
    expect([first.status, second.status]).toEqual(['completed', 'completed']);
    expect(endpoint.calls.map(({ name, attempt }) => `${name}${attempt}`)).toEqual(['a1', 'a2', 'a3', 'b1']);
    const said = first.result!.messages.flatMap((message) => ('attempt' in message ? [message] : []));
    expect(said.map(({ type, attempt }) => [type, attempt])).toEqual([
      ['unit-retry', 1],
      ['unit-retry', 2],
      ['unit-output', 3],
    ]);
    expect(logger.at('warn').filter((text) => text.includes('keeps failing'))).toHaveLength(1);
    expect(logger.at('info').filter((text) => text.includes('answers again'))).toHaveLength(1);
  });

  it('is tried by one call, and called by all that waited once that has succeeded', async () => {
    const endpoint = await endpointOf();
    await endpoint.workflow('w', breaker(1));
    endpoint.answer(() => DOWN);
    await endpoint.start('w', 'a');
    await endpoint.called(1);
    await until(
      async () => (await endpoint.clock.advance(0), endpoint.engine.inFlight().units === 0),
      'it failed',
    );
    await endpoint.start('w', 'bcd');
    const probe = Promise.withResolvers<Reply>();
    endpoint.answer(() => probe.promise);
    await endpoint.clock.advance(RESET);
    expect(await endpoint.called(2)).toHaveLength(2);
    await endpoint.clock.advance(50_000);
    await endpoint.nothingMore();
    expect(endpoint.calls).toHaveLength(2);
    endpoint.answer(() => OK);
    probe.resolve(OK);
    expect([...(await endpoint.called(5))].sort()).toEqual(['a', 'a', 'b', 'c', 'd']);
  });

  it('stays open for as long again when the probe fails', async () => {
    const endpoint = await endpointOf();
    await endpoint.workflow('w', breaker(1));
    endpoint.answer(() => DOWN);
    await endpoint.start('w', 'a');
    await triedAgain(endpoint, 1);
    await endpoint.start('w', 'bc');
    const failedAt: number[] = [];
    for (let calls = 2; calls <= 4; calls += 1) {
      await until(async () => {
        await endpoint.clock.advance(1_000);
        return endpoint.calls.length >= calls;
      }, 'it is tried again');
      await endpoint.nothingMore();
      expect(endpoint.calls).toHaveLength(calls);
      failedAt.push(endpoint.calls.at(-1)!.at);
    }
    for (const [index, at] of failedAt.slice(1).entries())
      expect(at - failedAt[index]!).toBeGreaterThanOrEqual(RESET);
  });

  it('is tried by another run when the run of the probe is cancelled', async () => {
    const endpoint = await endpointOf();
    await endpoint.workflow('w', breaker(1));
    endpoint.answer(() => DOWN);
    const [a] = await endpoint.start('w', 'a');
    await endpoint.called(1);
    await until(
      async () => (await endpoint.clock.advance(0), endpoint.engine.inFlight().units === 0),
      'it failed',
    );
    const [b] = await endpoint.start('w', 'bc');
    endpoint.answer(({ name }) => (name === 'c' ? OK : new Promise<never>(() => undefined)));
    await endpoint.engine.runs.cancel({ workflowId: 'w', runId: a! });
    await endpoint.clock.advance(RESET);
    expect(await endpoint.called(2)).toBe('ab');
    const cancelled = endpoint.engine.runs.cancel({ workflowId: 'w', runId: b! });
    await until(async () => (await endpoint.clock.advance(1_000), endpoint.names === 'abc'), 'another tries');
    await cancelled;
  });

  it('opens after time-outs, and not after refusals', async () => {
    const endpoint = await endpointOf();
    await endpoint.workflow('w', { ...breaker(1), timeout: { unitMs: 1_000 } });
    endpoint.answer(() => ({ status: 400, body: 'no' }));
    const [a] = await endpoint.start('w', 'a');
    expect((await endpoint.ended('w', a!)).status).toBe('failed');
    endpoint.answer(() => new Promise<never>(() => undefined));
    await endpoint.start('w', 'b');
    await endpoint.called(2);
    await endpoint.clock.advance(1_010);
    await endpoint.start('w', 'c');
    await endpoint.clock.advance(RESET - 1_000);
    await endpoint.nothingMore();
    expect(endpoint.names).toBe('ab');
    endpoint.answer(() => OK);
    await endpoint.clock.advance(1_000);
    expect([...(await endpoint.called(4))].sort()).toEqual(['a', 'b', 'b', 'c']);
  });

  it('whose breaker opens for no time is tried at once, sequentially', async () => {
    const endpoint = await endpointOf();
    await endpoint.workflow('w', { ...breaker(1, 0), retry: { ...retry, maxAttempts: 1 } });
    let open = 0;
    let most = 0;
    endpoint.answer(async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return DOWN;
    });
    const [a] = await endpoint.start('w', 'a');
    await endpoint.ended('w', a!);
    await endpoint.start('w', 'bcdef');
    await until(async () => (await endpoint.clock.advance(1), endpoint.calls.length === 6), 'all have tried');
    expect([most, endpoint.names]).toEqual([1, 'abcdef']);
  });
});

describe('a bad call of a foreign workflow', () => {
  const never = () => new Promise<never>(() => undefined);
  /** Calls that are counted and never deferred: the policy of an author who wants to open the breaker for others. */
  const careless = {
    retry: { ...retry, maxAttempts: 10 },
    circuitBreaker: { failureThreshold: 1_000, resetMs: 1 },
  };

  it('with a time-out that is too short for any response defers no call with a longer one', async () => {
    const endpoint = await endpointOf();
    await endpoint.workflow('attack', { ...careless, timeout: { unitMs: 1 } });
    await endpoint.workflow('victim', { ...breaker(5), timeout: { unitMs: 10_000 } });
    endpoint.answer(({ name }) => (name === 'x' ? never() : OK));
    await endpoint.start('attack', 'x');
    await triedAgain(endpoint, 10);
    await endpoint.clock.advance(10);
    const [v] = await endpoint.start('victim', 'v');
    expect((await endpoint.ended('victim', v!)).status).toBe('completed');
    expect(endpoint.names).toBe(`${'x'.repeat(10)}v`);
  });

  it('with a limit of its binding that is too short defers no call either', async () => {
    const endpoint = await endpointOf();
    const called = (timeoutMs: number) => ({
      'acme.call': { type: 'http', endpoint: `${endpoint.server.url}/call`, timeoutMs },
    });
    const register = (id: string, policy: object, timeoutMs: number) =>
      endpoint.engine.workflows.register({
        yaml: inSequence(id, [{ id: 'call', uses: 'acme.call' }], { policy }),
        bindings: called(timeoutMs),
      });
    await register('attack', careless, 1);
    await register('victim', breaker(5), 5_000);
    endpoint.answer(({ name }) => (name === 'x' ? never() : OK));
    await endpoint.start('attack', 'x');
    await triedAgain(endpoint, 10);
    await endpoint.clock.advance(10);
    const [v] = await endpoint.start('victim', 'v');
    expect((await endpoint.ended('victim', v!)).status).toBe('completed');
  });

  it.each([
    ['that is down', () => DOWN, {}],
    ['that responds to nobody in time', never, { timeout: { unitMs: 10_000 } }],
  ])('at an endpoint %s defers everybody, as it should', async (_what, answer, more) => {
    const endpoint = await endpointOf();
    await endpoint.workflow('other', { ...breaker(1_000), retry: { ...retry, maxAttempts: 5 }, ...more });
    await endpoint.workflow('victim', { ...breaker(5), timeout: { unitMs: 10_000 } });
    endpoint.answer(answer);
    const [x] = await endpoint.start('other', 'x');
    await until(async () => {
      await endpoint.clock.advance(1_000);
      return (await endpoint.engine.runs.get({ workflowId: 'other', runId: x! })).status === 'failed';
    }, 'it has failed five times');
    await endpoint.start('victim', 'v');
    await endpoint.clock.advance(10_000);
    await endpoint.nothingMore();
    expect(endpoint.names).toBe('xxxxx');
  });

  it('that is cancelled defers nobody: a call that fails because it was aborted says nothing about the endpoint', async () => {
    const { engine, clock } = await openEngine(
      {
        'acme.code': async ({ input }, { signal }) => {
          if ((input as { name: string }).name === 'v') return 'ok';
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          throw new Error('told to stop');
        },
      },
      { cancelGraceMs: 1_000 },
    );
    const register = (id: string, policy: object) =>
      engine.workflows.register({ yaml: inSequence(id, [{ id: 'call', uses: 'acme.code' }], { policy }) });
    await register('attack', careless);
    await register('victim', breaker(2));
    for (let times = 0; times < 5; times += 1) {
      const run = await engine.runs.start({ workflowId: 'attack', input: { name: 'x' } });
      await clock.advance(0);
      await engine.runs.cancel(run);
      await until(async () => (await clock.advance(10), engine.inFlight().units === 0), 'it is cancelled');
    }
    const run = await engine.runs.start({ workflowId: 'victim', input: { name: 'v' } });
    await until(async () => {
      await clock.advance(0);
      return (await engine.runs.get(run)).status === 'completed';
    }, 'the victim is called');
    await engine.close();
  });
});

describe('a built-in that calls no endpoint', () => {
  const failing = (failTimes: number) => ({
    id: 'call',
    uses: 'builtin.mock',
    config: { failTimes, response: 'ok' },
  });

  it('is never deferred, whatever its policy says, by its own failures or those of others', async () => {
    const { engine, clock } = await openEngine();
    const register = (id: string, failTimes: number, policy: object) =>
      engine.workflows.register({ yaml: inSequence(id, [failing(failTimes)], { policy }) });
    const careful = { circuitBreaker: { failureThreshold: 1, resetMs: 86_400_000 } };
    await register('attack', 10, { ...careful, retry: { ...retry, maxAttempts: 10 } });
    await register('own', 2, { ...careful, retry });
    await register('limited', 0, { rateLimit: { maxRequestsPerMinute: 1 } });
    const ends = async (workflowId: string) => {
      const { runId } = await engine.runs.start({ workflowId });
      await until(async () => {
        await clock.advance(10);
        return (await engine.runs.get({ workflowId, runId })).status !== 'running';
      }, `${workflowId} ends`);
      return (await engine.runs.get({ workflowId, runId })).status;
    };
    expect(await ends('attack')).toBe('failed');
    expect(await ends('own')).toBe('completed');
    expect([await ends('limited'), await ends('limited')]).toEqual(['completed', 'completed']);
    await engine.close();
  });
});
