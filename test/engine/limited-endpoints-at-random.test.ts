import fc from 'fast-check';
import type { RunRecord } from '../../src/engine/index.js';
import { until } from '../support/eventually.js';
import { openEngine, workflowYaml } from '../support/engine.js';

const MINUTE = 60_000;

interface Policy {
  readonly limit: number | null;
  readonly threshold: number | null;
}

const policy: fc.Arbitrary<Policy> = fc.record({
  limit: fc.option(fc.integer({ min: 1, max: 6 })),
  threshold: fc.option(fc.integer({ min: 1, max: 3 })),
});

/** The duration of one call, in ms, and its result; after so many attempts it succeeds in any case. */
const call = fc.record({
  lasts: fc.nat({ max: 5_000 }),
  ends: fc.constantFrom('well', 'well', 'badly', 'never'),
});

const scene = fc.record({
  policies: fc.array(policy, { minLength: 1, maxLength: 3 }),
  /** The workflow of each run, and whether it is cancelled after a while. */
  runs: fc.array(fc.record({ of: fc.nat({ max: 2 }), isCancelled: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  }),
  calls: fc.array(call, { minLength: 1, maxLength: 20 }),
  places: fc.integer({ min: 1, max: 4 }),
  parallel: fc.integer({ min: 1, max: 3 }),
});

interface Made {
  readonly at: number;
  readonly of: number;
}

/** Plays runs of units that all call one endpoint, each under a policy of its own, and observes their calls. */
async function play({
  policies,
  runs,
  calls,
  places,
  parallel,
}: typeof scene extends fc.Arbitrary<infer S> ? S : never) {
  const made: Made[] = [];
  const { engine, clock } = await openEngine(
    {
      work: async ({ input }, { attempt, signal }) => {
        const { of } = input as { of: number };
        made.push({ at: clock.now(), of });
        const { lasts, ends } = calls[(made.length - 1) % calls.length]!;
        const { promise, resolve } = Promise.withResolvers<void>();
        signal.addEventListener('abort', () => resolve());
        if (ends !== 'never' || attempt > 2) clock.schedule(clock.now() + lasts, resolve);
        await promise;
        if (ends === 'badly' && attempt <= 2) throw new Error('not now');
        return 1;
      },
    },
    { maxExecutionsInFlight: places, cancelGraceMs: 1_000 },
  );
  for (const [of, { limit, threshold }] of policies.entries()) {
    const units = ['a', 'b'].map((id) => ({ id, uses: 'work', with: { of } }));
    const spec = {
      units: [...units, { id: 'free', uses: 'builtin.mock', config: { response: 1 } }],
      flow: { type: 'parallel', units: ['a', 'b', 'free'] },
      policy: {
        retry: { maxAttempts: 4, baseMs: 100 },
        timeout: { unitMs: 8_000 },
        concurrency: { maxParallelUnits: parallel },
        ...(limit === null ? {} : { rateLimit: { maxRequestsPerMinute: limit } }),
        ...(threshold === null ? {} : { circuitBreaker: { failureThreshold: threshold, resetMs: 5_000 } }),
      },
    };
    await engine.workflows.register({ yaml: workflowYaml(`w${of}`, spec) });
  }
  const started: RunRecord[] = [];
  for (const { of } of runs)
    started.push(await engine.runs.start({ workflowId: `w${of % policies.length}` }));
  await clock.advance(20_000);
  const cancelled = runs.map(({ isCancelled }, index) =>
    isCancelled ? engine.runs.cancel(started[index]!) : null,
  );
  await until(async () => {
    await clock.advance(MINUTE);
    const records = await Promise.all(started.map((run) => engine.runs.get(run)));
    return records.every(({ status }) => status === 'completed' || status === 'failed');
  }, 'all runs end');
  await Promise.all(cancelled);
  const records = await Promise.all(started.map((run) => engine.runs.get(run)));
  const left = engine.inFlight();
  await engine.close();
  return { made, records, left };
}

describe('endpoints under whatever limits and breakers', () => {
  it('are called within every limit, let every run end, and keep nothing afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (given) => {
        const { made, records, left } = await play(given);
        for (const [index, { status, error }] of records.entries()) {
          if (!given.runs[index]!.isCancelled) expect([status, error]).toEqual(['completed', undefined]);
        }
        expect(left).toEqual({ units: 0, runs: 0 });
        const limitOf = ({ of }: Made) => given.policies[of]!.limit;
        const limited = made.filter((each) => limitOf(each) !== null);
        for (const [index, each] of limited.entries()) {
          const before = limited.slice(0, index).filter(({ at }) => at > each.at - MINUTE);
          // A limit counts the calls of the same limit and of lower ones.
          const counted = before.filter((one) => limitOf(one)! <= limitOf(each)!);
          expect(counted.length).toBeLessThan(limitOf(each)!);
        }
      }),
      { numRuns: Number(process.env['FLOWGATE_PROPERTY_RUNS'] ?? 15) },
    );
  });
});
