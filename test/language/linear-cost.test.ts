import { openEngine, workflowYaml } from '../support/engine.js';

/** How long one whole run takes, in ms, from the registration on. */
async function timed(n: number, spec: (n: number) => object, input: object = {}) {
  const { engine } = await openEngine({ work: ({ input: given }) => given });
  const t0 = performance.now();
  await engine.register({ yaml: workflowYaml('cost', spec(n)) });
  const t1 = performance.now();
  const record = await engine.start({ workflowId: 'cost', input: input as never, sync: true });
  const t2 = performance.now();
  await engine.close();
  return { record, registration: t1 - t0, run: t2 - t1 };
}
const ids = (n: number) => Array.from({ length: n }, (_, index) => `u${index}`);
const units = (n: number) => ids(n).map((id) => ({ id, uses: 'work', with: { id } }));
const shapes: Record<string, (n: number) => object> = {
  sequential: (n) => ({ units: units(n), flow: { type: 'sequential' } }),
  parallel: (n) => ({ units: units(n), flow: { type: 'parallel', units: ids(n) } }),
  parallelBest: (n) => ({
    units: units(n),
    flow: { type: 'parallel', units: ids(n), failureStrategy: 'best-effort', maxConcurrency: 10 },
  }),
  chain: (n) => ({
    units: units(n),
    flow: {
      type: 'dag',
      executors: ids(n),
      dependencies: Object.fromEntries(
        ids(n)
          .slice(1)
          .map((id, index) => [id, [`u${index}`]]),
      ),
    },
  }),
  wide: (n) => ({ units: units(n), flow: { type: 'dag', executors: ids(n) } }),
  wide4: (n) => ({ units: units(n), flow: { type: 'dag', executors: ids(n), maxConcurrency: 4 } }),
  foreach: (n) => ({
    units: [{ id: 'u', uses: 'work', with: { n: '${{ item }}' } }],
    flow: { type: 'foreach', items: `input.items`, do: 'u', collect: 'all', maxConcurrency: 8 },
  }),
};

it.each(Object.keys(shapes))(
  '%s',
  async (name) => {
    for (const n of (process.env['NS'] ?? '250,500,1000').split(',').map(Number)) {
      const { record, registration, run } = await timed(n, shapes[name]!, {
        items: Array.from({ length: n }, (_, i) => i),
      });
      console.log(name, n, record.status, record.error ?? '', Math.round(registration), Math.round(run));
    }
  },
  300_000,
);
