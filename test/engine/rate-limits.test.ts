import { createEngine, type RunRecord } from '../../src/engine/index.js';
import { systemClock } from '../../src/engine/runtime/system-clock.js';
import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence, workflowYaml } from '../support/engine.js';
import { OK, EndpointWorld } from '../support/endpoint-world.js';
import { startUnitServer } from '../support/unit-server.js';

const MINUTE = 60_000;
const perMinute = (maxRequestsPerMinute: number) => ({ rateLimit: { maxRequestsPerMinute } });

const opened: EndpointWorld[] = [];
const engines = new DurableEngines();

async function endpointOf(...given: Parameters<typeof EndpointWorld.open>): Promise<EndpointWorld> {
  const endpoint = await EndpointWorld.open(...given);
  opened.push(endpoint);
  return endpoint;
}

afterEach(async () => {
  for (const endpoint of opened.splice(0)) await endpoint.close();
  await engines.clear();
});

describe('an endpoint with a rate limit', () => {
  it('is called by all runs together as often as allowed in any minute', async () => {
    const endpoint = await endpointOf();
    await endpoint.workflow('one', perMinute(3));
    await endpoint.workflow('two', perMinute(3));
    await endpoint.start('one', 'ab');
    await endpoint.clock.advance(20_000);
    await endpoint.start('two', 'cdef');
    await endpoint.start('one', 'ghi');
    expect(await endpoint.called(3)).toHaveLength(3);
    for (let moved = 0; moved < 4 * MINUTE; moved += 10_000) {
      await endpoint.clock.advance(10_000);
      await endpoint.nothingMore();
    }
    const instants = endpoint.calls.map(({ at }) => at);
    expect(instants).toEqual([0, 0, 20_000, 60_000, 60_000, 80_000, 120_000, 120_000, 140_000]);
    for (const at of instants) {
      expect(instants.filter((other) => other >= at && other < at + MINUTE).length).toBeLessThanOrEqual(3);
    }
  });

  it('is called by workflows in rounds, in the order in which the calls of each arrived', async () => {
    const endpoint = await endpointOf();
    await endpoint.workflow('one', perMinute(1));
    await endpoint.workflow('two', perMinute(1));
    for (const name of 'abcde') await endpoint.start('ad'.includes(name) ? 'one' : 'two', name);
    for (let called = 1; called <= 5; called += 1) {
      expect(await endpoint.called(called)).toBe('abdce'.slice(0, called));
      await endpoint.clock.advance(MINUTE);
    }
  });

  it('is called by units of different limits within the limit of each', async () => {
    const endpoint = await endpointOf();
    await endpoint.workflow('many', perMinute(3));
    await endpoint.workflow('few', perMinute(1));
    await endpoint.start('many', 'ab');
    await endpoint.start('few', 'x');
    await endpoint.start('many', 'cde');
    expect([...(await endpoint.called(3))].sort()).toEqual(['a', 'b', 'x']);
    await endpoint.clock.advance(MINUTE);
    expect([...(await endpoint.called(6))].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'x']);
  });

  it('has calls wait outside of their time-out, and without using up an attempt', async () => {
    const endpoint = await endpointOf();
    await endpoint.workflow('w', { ...perMinute(1), timeout: { unitMs: 1_000 } });
    const [, second] = await endpoint.start('w', 'ab');
    await endpoint.clock.advance(MINUTE);
    await endpoint.called(2);
    const { at, attempt, deadlineAt } = endpoint.calls[1]!;
    expect([at, attempt, deadlineAt]).toEqual([MINUTE, 1, endpoint.clock.now() + 1_000]);
    const record = await endpoint.ended('w', second!);
    expect(record.status).toBe('completed');
    expect(messagesOf(record)).toEqual([['unit-output', 1]]);
  });

  it('is limited in the same way for retries', async () => {
    const endpoint = await endpointOf();
    endpoint.answer(({ attempt }) => (attempt < 3 ? { status: 503 } : OK));
    const retry = { maxAttempts: 3, backoff: 'fixed', baseMs: 0, jitter: false };
    await endpoint.workflow('w', { ...perMinute(2), retry });
    const [run] = await endpoint.start('w', 'a');
    await until(
      async () => (await endpoint.clock.advance(0), endpoint.calls.length >= 2),
      'it is tried again',
    );
    await endpoint.nothingMore();
    expect(endpoint.calls).toHaveLength(2);
    await endpoint.clock.advance(MINUTE);
    expect((await endpoint.ended('w', run!)).status).toBe('completed');
    expect(endpoint.calls.map(({ at, attempt }) => [at, attempt])).toEqual([
      [0, 1],
      [0, 2],
      [MINUTE, 3],
    ]);
  });

  it('keeps neither other units of a run, nor other runs, from being called', async () => {
    const endpoint = await endpointOf({ maxExecutionsInFlight: 1 });
    const { engine, bindings } = endpoint;
    const limited = (id: string) => ({ id, uses: 'acme.call', policyOverrides: perMinute(1) });
    const free = { id: 'free', uses: 'builtin.mock', config: { response: 1 } };
    const flow = { type: 'parallel', units: ['a', 'b', 'free'] };
    const policy = { concurrency: { maxParallelUnits: 1 } };
    const yaml = workflowYaml('w', { units: [limited('a'), limited('b'), free], flow, policy });
    await engine.workflows.register({ yaml, bindings });
    const [run] = await endpoint.start('w', 'n');
    await until(async () => {
      const messages = await engine.runs.messages({ workflowId: 'w', runId: run! });
      return JSON.stringify(messages).includes('"sourceUnitId":"free"');
    }, 'the third unit is called');
    await engine.workflows.register({ yaml: inSequence('other', [free]) });
    const other = await engine.runs.start({ workflowId: 'other', sync: true });
    expect(other.status).toBe('completed');
    expect(endpoint.calls).toHaveLength(1);
    await endpoint.clock.advance(MINUTE);
    expect((await endpoint.ended('w', run!)).status).toBe('completed');
  });

  it('drops the calls of a run that is cancelled, and calls the next instead', async () => {
    const endpoint = await endpointOf();
    await endpoint.workflow('w', perMinute(1));
    const [, second] = await endpoint.start('w', 'abc');
    await endpoint.called(1);
    const cancelled = await endpoint.engine.runs.cancel({ workflowId: 'w', runId: second! });
    expect(cancelled.status).toBe('failed');
    await endpoint.clock.advance(MINUTE);
    expect(await endpoint.called(2)).toBe('ac');
  });

  it('does not share its limit with another address, of which `builtin.http` may name many', async () => {
    const endpoint = await endpointOf({ encryptionKey: new Uint8Array(32) });
    const at = '${{ input.name }}';
    const config = { endpoint: `${endpoint.server.url}/${at}?of=${at}` };
    await endpoint.workflow('w', perMinute(1), { uses: 'builtin.http', config });
    await endpoint.start('w', 'aab');
    await endpoint.called(2);
    expect(endpoint.calls.map(({ path }) => path).sort()).toEqual(['/a?of=a', '/b?of=b']);
    await endpoint.clock.advance(MINUTE);
    expect([...(await endpoint.called(3))].sort()).toEqual(['a', 'a', 'b']);
  });

  it('does not keep the engine from closing, and the next process makes the calls that wait', async () => {
    const endpoint = await endpointOf({ shutdownGraceMs: 600_000 });
    await endpoint.workflow('w', perMinute(1));
    const [first] = await endpoint.start('w', 'abc');
    await endpoint.ended('w', first!);
    expect(endpoint.engine.inFlight()).toEqual({ units: 0, runs: 2 });
    await endpoint.engine.close();
    expect(endpoint.engine.inFlight()).toEqual({ units: 0, runs: 2 });
    await endpoint.clock.advance(MINUTE);
    await endpoint.nothingMore();
    expect(endpoint.names).toBe('a');
  });

  it('is called after a restart by those that waited', async () => {
    const folder = engines.folder();
    const server = await startUnitServer(OK);
    const first = await engines.open(folder);
    const bindings = { 'acme.call': { type: 'http', endpoint: server.url } };
    const units = [{ id: 'call', uses: 'acme.call', policyOverrides: perMinute(1) }];
    await first.engine.workflows.register({ yaml: inSequence('w', units), bindings });
    await first.engine.runs.start({ workflowId: 'w', sync: true });
    const { runId } = await first.engine.runs.start({ workflowId: 'w' });
    await server.received(1);
    await first.engine.close();
    const { engine } = await engines.open(folder);
    await server.received(2);
    await until(
      async () => (await engine.runs.get({ workflowId: 'w', runId })).status === 'completed',
      'it ends',
    );
    expect(server.requests.map(({ body }) => JSON.parse(body).context.attempt)).toEqual([1, 1]);
    await server.close();
  });
});

describe('code of this process with a rate limit', () => {
  it('is called as often as allowed, by its name', async () => {
    const { engine, clock } = await engines.open(engines.folder(), { work: () => 1 });
    const units = [{ id: 'a', uses: 'work', policyOverrides: perMinute(1) }];
    await engine.workflows.register({ yaml: inSequence('w', units) });
    const runs = [await engine.runs.start({ workflowId: 'w' }), await engine.runs.start({ workflowId: 'w' })];
    const statuses = () => Promise.all(runs.map(async (run) => (await engine.runs.get(run)).status));
    await until(async () => (await statuses())[0] === 'completed', 'the first ends');
    expect((await statuses())[1]).toBe('running');
    await clock.advance(MINUTE);
    await until(async () => (await statuses())[1] === 'completed', 'the second ends');
  });

  it('that is not registered yet takes no part in the limit until it is', async () => {
    const folder = engines.folder();
    const before = await engines.open(folder, { work: () => new Promise<never>(() => undefined) });
    const units = [{ id: 'a', uses: 'work', policyOverrides: perMinute(2) }];
    await before.engine.workflows.register({ yaml: inSequence('w', units) });
    const { runId } = await before.engine.runs.start({ workflowId: 'w' });
    await before.engine.close();
    const { engine } = await engines.open(folder);
    engine.registerUnit('work', () => 1);
    await until(
      async () => (await engine.runs.get({ workflowId: 'w', runId })).status === 'completed',
      'it ends',
    );
  });
});

it('a process with calls that wait ends when it is closed', async () => {
  const engine = createEngine({ clock: systemClock, shutdownGraceMs: 60_000 });
  await engine.open();
  engine.registerUnit('work', () => 1);
  await engine.workflows.register({
    yaml: inSequence('w', [{ id: 'a', uses: 'work', policyOverrides: perMinute(1) }]),
  });
  for (let run = 0; run < 3; run += 1) await engine.runs.start({ workflowId: 'w' });
  const before = Date.now();
  await engine.close();
  expect(Date.now() - before).toBeLessThan(10_000);
});

/** The types and attempts of the messages of a run about its unit. */
function messagesOf({ result }: RunRecord): readonly (readonly [string, number])[] {
  return (result?.messages ?? []).flatMap((message) =>
    'attempt' in message ? [[message.type, message.attempt] as const] : [],
  );
}
