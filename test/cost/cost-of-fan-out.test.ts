import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

const RETRIED = { retry: { maxAttempts: 3, backoff: 'fixed', baseMs: 0, jitter: false } };
const ONCE = { retry: { maxAttempts: 1, backoff: 'fixed', baseMs: 0 } };
/** Linear work grows four times; quadratic work would grow 16 times. */
const MOST_GROWTH = 10;

const ids = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);
const mocks = (count: number, config: object = { response: 1 }) =>
  ids(count).map((id) => ({ id, uses: 'builtin.mock', config }));

/** Ms of CPU time that one run takes, which other work on the machine does not affect. */
async function costOf(spec: object, status = 'completed'): Promise<number> {
  const { engine } = await openEngine();
  await engine.workflows.register({ yaml: workflowYaml('cost', spec) });
  const before = process.cpuUsage();
  const record = await engine.runs.start({ workflowId: 'cost', sync: true });
  const { user, system } = process.cpuUsage(before);
  expect(record.status).toBe(status);
  await engine.close();
  return (user + system) / 1_000;
}

/** How much more four times as many cost: the minimum of some rounds, since noise only ever adds. */
async function growth(specOf: (count: number) => object, count: number, status?: string): Promise<number> {
  await costOf(specOf(count), status);
  let least = Infinity;
  for (let round = 0; round < 4 && least >= MOST_GROWTH; round++) {
    const one = Math.min(await costOf(specOf(count), status), await costOf(specOf(count), status));
    least = Math.min(least, (await costOf(specOf(4 * count), status)) / one);
  }
  return least;
}

describe('four times as many branches cost about four times as much', () => {
  it('in parallel', async () => {
    const specOf = (count: number) => ({
      units: mocks(count),
      flow: { type: 'parallel', units: ids(count) },
      policy: { concurrency: { maxParallelUnits: 1_000 } },
    });
    expect(await growth(specOf, 2_500)).toBeLessThan(MOST_GROWTH);
  }, 60_000);

  it('of a dag with slots for some of them', async () => {
    const specOf = (count: number) => ({
      units: mocks(count),
      flow: { type: 'dag', executors: ids(count), maxConcurrency: 50 },
    });
    expect(await growth(specOf, 2_000)).toBeLessThan(MOST_GROWTH);
  }, 60_000);

  it('of a dag of which one waits for all the others', async () => {
    const specOf = (count: number) => ({
      units: mocks(count),
      flow: {
        type: 'dag',
        executors: ids(count),
        dependencies: { [`u${count - 1}`]: ids(count - 1) },
      },
    });
    expect(await growth(specOf, 1_500)).toBeLessThan(MOST_GROWTH);
  }, 60_000);

  it('where each of them fails, and has branches of its own', async () => {
    const specOf = (count: number) => ({
      units: mocks(count, { failTimes: 1 }),
      flow: {
        type: 'parallel',
        failureStrategy: 'best-effort',
        units: ids(count).map((unit) => ({
          type: 'parallel',
          units: [unit],
          failureStrategy: 'collect-errors',
        })),
      },
      policy: ONCE,
    });
    expect(await growth(specOf, 2_000)).toBeLessThan(MOST_GROWTH);
  }, 60_000);

  it('where each of them is retried', async () => {
    const specOf = (count: number) => ({
      units: mocks(count, { failTimes: 1 }),
      flow: { type: 'parallel', units: ids(count) },
      policy: RETRIED,
    });
    expect(await growth(specOf, 3_000)).toBeLessThan(MOST_GROWTH);
  }, 60_000);
});

it('twenty thousand mocks at once are done in seconds', async () => {
  const units = mocks(20_000);
  const flow = { type: 'parallel', units: ids(20_000) };
  // 3 s on a small machine, 10 s on a busy one; the bound only distinguishes it from what took half a minute.
  expect(await costOf({ units, flow })).toBeLessThan(20_000);
}, 120_000);

it('a foreach over a hundred thousand items is done in seconds', async () => {
  const { engine } = await openEngine();
  const foreach = { flow: { type: 'foreach', items: 'input.list', do: 'u0' } };
  await engine.workflows.register({ yaml: inSequence('cost', mocks(1), foreach) });
  const list = Array.from({ length: 100_000 }, (_, index) => index);
  const before = process.cpuUsage();
  const { status } = await engine.runs.start({ workflowId: 'cost', input: { list }, sync: true });
  const { user, system } = process.cpuUsage(before);
  expect(status).toBe('completed');
  expect((user + system) / 1_000).toBeLessThan(25_000);
  await engine.close();
}, 120_000);
