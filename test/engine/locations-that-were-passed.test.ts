import type { Engine } from '../../src/engine/index.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

const gate = { id: 'agree', uses: 'builtin.approval' };

async function opened(yaml: string, work: () => unknown = () => 'done') {
  const called: { readonly unitId: string; readonly input: unknown }[] = [];
  const { engine } = await openEngine({
    'acme.work': ({ input, context: { unitId } }) => {
      called.push({ unitId, input });
      return work();
    },
  });
  await engine.workflows.register({ yaml });
  return { engine, called };
}

const start = (engine: Engine, input: object = {}) =>
  engine.runs.start({ workflowId: 'w', input: input as never, sync: true });
const checkpoints = async (engine: Engine, runId: string) =>
  (await engine.runs.messages({ workflowId: 'w', runId })).messages.flatMap((message) =>
    message.type === 'checkpoint' ? [message.snapshotId] : [],
  );

describe('the input that a fork gives to a unit', () => {
  const pay = (more: object) => ({
    id: 'pay',
    uses: 'acme.work',
    with: { amount: '${{ iteration + 1 }}' },
    ...more,
  });
  const round = { type: 'loop', until: 'iteration >= 2', maxIterations: 5 };

  it('is for the location that it names: a unit that is skipped there is not given it in the next round', async () => {
    const { engine, called } = await opened(
      workflowYaml('w', {
        units: [pay({ if: 'iteration > 0 || input.first' })],
        flow: { ...round, do: 'pay' },
      }),
    );
    const { runId } = await start(engine, { first: true });
    called.length = 0;
    const fork = await engine.runs.fork({
      workflowId: 'w',
      runId,
      from: { unitId: 'pay' },
      input: { first: false },
      unitInput: { amount: 1_000 },
      sync: true,
    });
    expect(fork.status).toBe('completed');
    expect(called.map(({ input }) => input)).toEqual([{ amount: 2 }, { amount: 3 }]);
    await engine.close();
  });

  it('is for the round that it names, also where its branch ends before the unit', async () => {
    const { engine, called } = await opened(
      workflowYaml('w', {
        units: [pay({ if: '10 / int(input.divisor) > 0 && iteration >= 0 || iteration > 0' })],
        flow: { ...round, do: { type: 'parallel', units: ['pay'], failureStrategy: 'best-effort' } },
      }),
    );
    const { runId } = await start(engine, { divisor: 1 });
    called.length = 0;
    const fork = await engine.runs.fork({
      workflowId: 'w',
      runId,
      from: { unitId: 'pay' },
      input: { divisor: 0 },
      unitInput: { amount: 1_000 },
      sync: true,
    });
    expect(fork.status).toBe('completed');
    expect(called.map(({ input }) => input)).not.toContainEqual({ amount: 1_000 });
    await engine.close();
  });

  it('is what the unit is called with there, once', async () => {
    const { engine, called } = await opened(
      workflowYaml('w', { units: [pay({})], flow: { ...round, do: 'pay' } }),
    );
    const { runId } = await start(engine);
    called.length = 0;
    const from = { unitId: 'pay', occurrence: 2 };
    await engine.runs.fork({ workflowId: 'w', runId, from, unitInput: { amount: 1_000 }, sync: true });
    expect(called.map(({ input }) => input)).toEqual([{ amount: 1_000 }, { amount: 3 }]);
    await engine.close();
  });
});

describe('a decision that a run was rewound past', () => {
  it('refuses no fork with changes, until there is a new decision', async () => {
    const step = (id: string) => ({ id, uses: 'acme.work' });
    const { engine } = await opened(inSequence('w', [step('a'), gate, step('b')]));
    const { runId } = await start(engine);
    const address = { workflowId: 'w', runId };
    const approve = () => engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    await approve();
    const [, atGate] = await checkpoints(engine, runId);
    expect((await engine.runs.resume({ ...address, snapshotId: atGate! })).status).toBe('paused');
    const here = async () => {
      const snapshotId = (await checkpoints(engine, runId)).at(-1)!;
      return engine.runs.fork({ ...address, from: { snapshotId }, state: { note: 'x' }, sync: true });
    };
    expect(await here()).toMatchObject({ status: 'paused', result: { state: { note: 'x' } } });
    await approve();
    await expect(here()).rejects.toMatchObject({ code: 'decided-gate', details: [{ unitId: 'agree' }] });
    await engine.close();
  });
});

describe('a checkpoint inside of the clean-up of a cancel', () => {
  it('is none to go back to: the clean-up is called once', async () => {
    const units = ['a', 'refund', 'tell'].map((id) => ({ id, uses: 'acme.work' }));
    const { engine, called } = await opened(
      workflowYaml('w', {
        units: [...units, gate],
        flow: { type: 'sequential', order: ['a', 'agree'] },
        onCancel: ['refund', 'tell'],
      }),
    );
    const { runId } = await start(engine);
    const address = { workflowId: 'w', runId };
    await engine.runs.cancel(address);
    expect(called.map(({ unitId }) => unitId)).toEqual(['a', 'refund', 'tell']);
    const all = await checkpoints(engine, runId);
    await expect(engine.runs.resume({ ...address, snapshotId: all.at(-2)! })).rejects.toMatchObject({
      code: 'invalid-request',
      message: 'The run was being cancelled there: go back to a checkpoint before that',
    });
    // Its last checkpoint is where the run is: nothing is to be done there, as before.
    expect((await engine.runs.resume({ ...address, snapshotId: all.at(-1)! })).status).toBe('failed');
    expect(called).toHaveLength(3);
    const back = await engine.runs.resume({ ...address, snapshotId: all[0]! });
    expect(back.status).toBe('paused');
    await engine.close();
  });
});
