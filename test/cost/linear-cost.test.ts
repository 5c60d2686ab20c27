import type { JsonObject, RunRecord } from '../../src/engine/index.js';
import { openEngine, workflowYaml } from '../support/engine.js';
import { echo } from '../language/support/runs.js';

interface Timed {
  readonly record: RunRecord;
  /** Ms of CPU time: what else runs on the machine does not count. */
  readonly registering: number;
  readonly running: number;
}

/** Registers and runs a workflow once. */
async function timed(spec: object, input: JsonObject = {}): Promise<Timed> {
  const { engine } = await openEngine({ echo });
  const yaml = workflowYaml('cost', spec);
  const begin = cpuMs();
  await engine.workflows.register({ yaml });
  const registered = cpuMs();
  const record = await engine.runs.start({ workflowId: 'cost', input, sync: true });
  const running = cpuMs() - registered;
  await engine.close();
  return { record, registering: registered - begin, running };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Linear work grows four times; the square of it would be 16 times. */
const MOST_GROWTH = 10;

/** How much more four times as much costs: the least of some rounds, since noise only ever adds. */
async function growth(
  what: 'registering' | 'running',
  once: (times: 1 | 4) => Promise<Timed>,
): Promise<number> {
  await once(1);
  let least = Infinity;
  for (let round = 0; round < 5 && least >= MOST_GROWTH; round++) {
    const single = Math.min((await once(1))[what], (await once(1))[what]);
    least = Math.min(least, (await once(4))[what] / single);
  }
  return least;
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);
const units = (count: number) => ids(count).map((id) => ({ id, uses: 'echo', with: { id } }));
const outputs = (count: number) => Object.fromEntries(ids(count).map((id) => [`output.${id}`, { id }]));

describe('ten thousand units', () => {
  const spec = (count: number) => ({ units: units(count), flow: { type: 'sequential', order: ids(count) } });

  it('are registered, and run one after another', async () => {
    const { record } = await timed(spec(10_000));
    expect(record.result?.completedUnits).toHaveLength(10_000);
    expect(record.result?.state).toEqual(outputs(10_000));
  }, 60_000);

  it('cost about four times as much to register as a quarter of them', async () => {
    expect(await growth('registering', (times) => timed(spec(2_500 * times)))).toBeLessThan(MOST_GROWTH);
  }, 120_000);

  it('with a wrong name each cost no more: near names are looked for only so often', async () => {
    const { engine } = await openEngine({ echo });
    const wrong = {
      units: units(5_000),
      flow: { type: 'sequential', order: ids(5_000).map((id) => `x${id}`) },
    };
    const begin = performance.now();
    await expect(engine.workflows.register({ yaml: workflowYaml('cost', wrong) })).rejects.toMatchObject({
      code: 'yaml-load',
    });
    expect(performance.now() - begin).toBeLessThan(10_000);
  }, 60_000);
});

describe('a foreach of ten thousand items', () => {
  const flow = { type: 'foreach', items: 'input.items', do: 'u', collect: 'all', maxConcurrency: 8 };
  const spec = { units: [{ id: 'u', uses: 'echo', with: { n: '${{ item }}' } }], flow };
  const items = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('collects them all, in order', async () => {
    const { record } = await timed(spec, { items: items(10_000) });
    expect(record.result?.state['all']).toEqual(items(10_000).map((n) => ({ n })));
  }, 60_000);

  it('costs about four times as much as a quarter of them', async () => {
    expect(await growth('running', (times) => timed(spec, { items: items(1_500 * times) }))).toBeLessThan(
      MOST_GROWTH,
    );
  }, 120_000);
});

describe('a dag of a thousand units', () => {
  const chain = (count: number) => ({
    units: units(count),
    flow: {
      type: 'dag',
      executors: ids(count),
      dependencies: Object.fromEntries(
        ids(count)
          .slice(1)
          .map((id, index) => [id, [`u${index}`]]),
      ),
    },
  });
  const wide = (count: number) => ({
    units: [...units(count), { id: 'first', uses: 'echo' }, { id: 'last', uses: 'echo' }],
    flow: {
      type: 'dag',
      executors: ['last', ...ids(count), 'first'],
      dependencies: { ...Object.fromEntries(ids(count).map((id) => [id, ['first']])), last: ids(count) },
    },
  });

  it('runs as a chain, in order', async () => {
    const { record } = await timed(chain(1_000));
    expect(record.result?.completedUnits).toEqual(ids(1_000));
    expect(record.result?.state).toEqual(outputs(1_000));
  }, 60_000);

  it('runs as a chain that is declared backwards', async () => {
    const spec = chain(1_000);
    const executors = spec.flow.executors.toReversed();
    const { record } = await timed({ ...spec, flow: { ...spec.flow, executors } });
    expect(record.result?.completedUnits).toEqual(ids(1_000));
  }, 60_000);

  it('runs as a fan: one before all, all before one', async () => {
    const { record } = await timed(wide(1_000));
    expect(record.result?.completedUnits).toHaveLength(1_002);
    expect(record.result?.completedUnits[0]).toBe('first');
    expect(record.result?.completedUnits.at(-1)).toBe('last');
  }, 60_000);

  it('costs about four times as much as a quarter of it', async () => {
    expect(await growth('running', (times) => timed(chain(500 * times)))).toBeLessThan(MOST_GROWTH);
  }, 120_000);
});

describe('a parallel of a thousand units', () => {
  const spec = (count: number) => ({ units: units(count), flow: { type: 'parallel', units: ids(count) } });

  it('runs them all', async () => {
    const { record } = await timed(spec(1_000));
    expect(record.result?.state).toEqual(outputs(1_000));
  }, 60_000);

  it('costs about four times as much as a quarter of it', async () => {
    expect(await growth('running', (times) => timed(spec(500 * times)))).toBeLessThan(MOST_GROWTH);
  }, 120_000);
});

describe('a loop of a thousand passes', () => {
  it('runs them all', async () => {
    const spec = { units: units(1), flow: { type: 'loop', do: 'u0', maxIterations: 1_000 } };
    const { record } = await timed(spec);
    expect(record.result?.completedUnits).toEqual(['u0']);
  }, 60_000);
});
