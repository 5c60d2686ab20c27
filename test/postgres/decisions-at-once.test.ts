import { Choices, printedSeed } from '../crash/support/choices.js';
import { counted } from './support/counts.js';
import { ask, GATED, pausedRun } from './support/gated.js';
import { startSteadyReplicas, type SteadyReplicas } from './support/steady-replicas.js';

const DECISIONS = counted(1_000);
const VERSIONS = counted(1_000);
const AT_ONCE = 10;

const choices = new Choices(printedSeed('decisions at once'));
let steady: SteadyReplicas;
afterEach(() => steady?.close());

it(`of ${DECISIONS} decisions that two replicas receive at once each has the next unit called once`, async () => {
  steady = await startSteadyReplicas({ choices, workflows: [GATED], unitMs: [0, 10] });
  const { replicas, ledger } = steady;
  let left = DECISIONS;
  const runIds: string[] = [];
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const path = await pausedRun(replicas.any().url);
      runIds.push(path.split('/').at(-1) ?? '');
      // Any two, of which the owner of the run may be one.
      const [first, second] = replicas.all.toSorted(() => choices.fraction() - 0.5);
      const decision = { approved: true, responder: 'ann' };
      const both = await Promise.all([first!, second!].map(({ url }) => ask(url, `${path}/hitl`, decision)));
      for (const { status, body } of both) {
        expect(status).toBe(200);
        expect(body).toMatchObject({
          status: 'completed',
          result: { completedUnits: ['before', 'agree', 'after'] },
        });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  expect(runIds).toHaveLength(DECISIONS);
  const calls = runIds.map((runId) =>
    ['before', 'after'].map((unitId) => ledger.ledger.executionsOf({ runId, unitId })),
  );
  expect(calls).toEqual(runIds.map(() => [1, 1]));
  expect([ledger.faults, ledger.ledger.repeatedCalls]).toEqual([[], 0]);
}, 300_000);

it(`a start begins with what was registered at another replica before, ${VERSIONS} times`, async () => {
  steady = await startSteadyReplicas({ choices, workflows: [] });
  const { replicas } = steady;
  for (let version = 0; version < VERSIONS; version += 1) {
    const [at, ...others] = replicas.all.toSorted(() => choices.fraction() - 0.5);
    const unit = { id: `unit-${version}`, uses: 'builtin.set', config: { values: { version } } };
    const yaml = JSON.stringify({
      apiVersion: 'flowgate/v1',
      kind: 'Workflow',
      metadata: { id: 'changing' },
      spec: { units: [unit], flow: unit.id },
    });
    expect((await ask(at!.url, '/workflows/from-yaml', { yaml })).status).toBe(201);
    const starts = others.map(({ url }) => ask(url, '/workflows/changing/runs', { sync: true }));
    for (const { body } of await Promise.all(starts))
      expect(body).toMatchObject({ status: 'completed', result: { completedUnits: [unit.id] } });
  }
}, 300_000);
