import { jest } from '@jest/globals';
import type { EngineOptions, UnitHandler } from '../../src/engine/index.js';
import { CallQueue } from '../../src/engine/runtime/dispatch/call-queue.js';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { aWhile, DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence, openEngine, workflowYaml, type TestEngine } from '../support/engine.js';

const LOOK_MS = 30_000;
const opened: TestEngine[] = [];
const engines = new DurableEngines();

async function open(units: Readonly<Record<string, UnitHandler>> = {}, options: Partial<EngineOptions> = {}) {
  const logger = new RecordingLogger();
  const test = await openEngine(units, { logger, ...options }, true);
  opened.push(test);
  const { engine, clock } = test;
  const start = async (id: string, spec: object, input = {}) => {
    await engine.workflows.register({ yaml: workflowYaml(id, spec) });
    const { runId } = await engine.runs.start({ workflowId: id, input });
    return { workflowId: id, runId };
  };
  const looks = async (count: number) => {
    for (let look = 0; look < count; look += 1) await clock.advance(LOOK_MS);
  };
  const said = () => logger.said.filter(({ message }) => message.includes('stalled'));
  return { ...test, start, looks, said };
}

afterEach(async () => {
  jest.restoreAllMocks();
  for (const { engine } of opened.splice(0)) await engine.close();
  await engines.clear();
});

/** Loses the next so many calls, as a defect would. No other way to make the engine do so is known. */
function forget(calls: number): void {
  const queue = jest.spyOn(CallQueue.prototype, 'add');
  for (let call = 0; call < calls; call += 1) queue.mockImplementationOnce(() => undefined);
}

const work = { units: [{ id: 'a', uses: 'acme.work' }], flow: { type: 'sequential' } };

describe('a run that is running with nothing under way', () => {
  it('is logged as an error with its id after half a minute, counted, reloaded, and ends', async () => {
    const { engine, start, looks, said } = await open({ 'acme.work': () => 'done' });
    forget(1);
    const address = await start('w', work);
    await looks(1);
    expect((await engine.runs.get(address)).status).toBe('running');
    expect(said()).toEqual([]);
    await looks(1);
    await until(async () => (await engine.runs.get(address)).status === 'completed', 'it is completed');
    expect(said()).toMatchObject([{ level: 'error', fields: { runId: address.runId, workflowId: 'w' } }]);
    expect(engine.figures().stalledRuns).toBe(1);
    expect((await engine.health()).stalledRuns).toBe(1);
    await looks(3);
    expect(said()).toHaveLength(1);
  });

  it('is logged once each time it stalls', async () => {
    const units = [work.units[0], { id: 'b', uses: 'acme.work' }];
    const { engine, start, looks, said } = await open({ 'acme.work': () => 'done' });
    forget(2);
    const address = await start('w', { units, flow: { type: 'sequential' } });
    // Reloaded, it loses its call once more, and stays as it was.
    await looks(10);
    expect(said()).toHaveLength(1);
    await engine.runs.pause(address);

    await engine.runs.resume(address);
    await until(async () => (await engine.runs.get(address)).status === 'completed', 'it is completed');
    forget(1);
    const other = await start('other', work);
    await looks(2);
    await until(async () => (await engine.runs.get(other)).status === 'completed', 'the other is completed');
    expect(said()).toHaveLength(2);
    expect(engine.figures().stalledRuns).toBe(2);
  });

  it('is no longer looked for once the engine closes', async () => {
    const { engine, clock, start, said } = await open({ 'acme.work': () => 'done' });
    forget(1);
    await start('w', work);
    await clock.advance(LOOK_MS);
    await engine.close();
    expect(clock.scheduled).toBe(0);
    await clock.advance(10 * LOOK_MS);
    expect(said()).toEqual([]);
  });
});

describe('a run that waits for something', () => {
  const rateLimit = { policyOverrides: { rateLimit: { maxRequestsPerMinute: 1 } } };
  const gate = { id: 'ask', uses: 'builtin.approval', config: { title: 'May it?' } };
  const sideBySide = {
    units: [
      { id: 'a', uses: 'acme.hangs' },
      { id: 'b', uses: 'acme.hangs' },
    ],
  };
  const parallel = { type: 'parallel', units: ['a', 'b'] };
  const sequential = { type: 'sequential' };
  const ONE_SLOT = 'a slot of the process';

  it.each<readonly [string, object]>([
    ['a unit that takes its time', { units: [{ id: 'a', uses: 'acme.hangs' }], flow: sequential }],
    [
      'an instant',
      { units: [{ id: 'a', uses: 'builtin.wait', config: { duration: 'P1D' } }], flow: sequential },
    ],
    ['a person', { units: [gate], flow: sequential }],
    [
      'a child run that waits',
      { units: [{ id: 'c', uses: 'builtin.workflow', config: { workflowId: 'child' } }], flow: sequential },
    ],
    [
      'the other units of its own',
      { ...sideBySide, flow: parallel, policy: { concurrency: { maxParallelUnits: 1 } } },
    ],
    [ONE_SLOT, { ...sideBySide, flow: parallel }],
    ['a budget', { ...sideBySide, flow: parallel, policy: { budget: { maxTokens: 10 } } }],
    ['an endpoint', { units: sideBySide.units.map((unit) => ({ ...unit, ...rateLimit })), flow: parallel }],
  ])('is left alone: %s', async (what, spec) => {
    const hangs = () => new Promise<string>(() => undefined);
    const { engine, start, looks, said } = await open(
      { 'acme.hangs': hangs },
      { maxUnitMs: 3_600_000, maxExecutionsInFlight: what === ONE_SLOT ? 1 : 100 },
    );
    const wait = { id: 'a', uses: 'builtin.wait', config: { duration: 'P1D' } };
    await engine.workflows.register({ yaml: inSequence('child', [wait]) });
    await start('w', spec);
    await looks(8);
    expect(said()).toEqual([]);
    expect(engine.figures().stalledRuns).toBe(0);
  });

  it('is left alone: a unit that nobody registered, and is reloaded all the same if it stalls once it is there', async () => {
    const folder = engines.folder();
    const first = await engines.open(folder, { 'acme.work': () => new Promise(() => undefined) });
    await first.engine.workflows.register({ yaml: workflowYaml('w', work) });
    const { runId } = await first.engine.runs.start({ workflowId: 'w' });
    await first.engine.close();
    const { engine, clock, said } = await engines.open(folder);
    const looks = async (count: number) => {
      for (let look = 0; look < count; look += 1) {
        await clock.advance(LOOK_MS);
        await aWhile();
      }
    };
    await looks(4);
    expect(engine.figures().stalledRuns).toBe(0);
    forget(1);
    engine.registerUnit('acme.work', () => 'done');
    await aWhile();
    await looks(4);
    await until(
      async () => (await engine.runs.get({ workflowId: 'w', runId })).status === 'completed',
      'it is completed',
    );
    expect(said.filter(({ message }) => message.includes('stalled'))).toHaveLength(1);
  });
});
