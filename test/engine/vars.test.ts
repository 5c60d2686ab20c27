import { InMemoryRunStore } from '../../src/engine/index.js';
import type { RunStarted } from '../../src/engine/core/log/event.js';
import { changed, exportOf } from '../support/exports.js';
import { inSequence, openEngine, type TestEngine, workflowYaml } from '../support/engine.js';

const VARS = {
  net: '${{ input.gross / 2.0 }}',
  due: '${{ timestamp(run.createdAt) + duration("P1D") }}',
  all: { of: '${{ vars.net }}', on: ['${{ vars.due }}', 7] },
};
const WORK = [
  { id: 'ask', uses: 'builtin.approval', if: 'vars.net > 1000.0' },
  { id: 'pay', uses: 'pay', with: { net: '${{ vars.net }}', all: '${{ vars.all }}' } },
];

let open: TestEngine & { readonly store: InMemoryRunStore };

beforeEach(async () => {
  const store = new InMemoryRunStore();
  open = { ...(await openEngine({ pay: ({ input }) => input }, { store })), store };
});
afterEach(() => open.engine.close());

async function startOf(runId: string): Promise<RunStarted> {
  const [first] = await open.store.readEvents({ runId, afterSeq: 0, limit: 1 });
  return first as RunStarted;
}

describe('the vars of a workflow', () => {
  it('are evaluated once, over the input and those above, and stand in the first event of the log', async () => {
    const { engine, clock } = open;
    await engine.workflows.register({ yaml: inSequence('w', WORK, { vars: VARS }) });
    const due = new Date(clock.now() + 86_400_000).toISOString().replace('.000', '');
    const { runId, result } = await engine.runs.start({ workflowId: 'w', input: { gross: 10 }, sync: true });
    const vars = { net: 5, due, all: { of: 5, on: [due, 7] } };
    expect((await startOf(runId)).vars).toEqual(vars);
    expect(result?.state).toEqual({ gross: 10, 'output.pay': { net: 5, all: vars.all } });
  });

  it('refuse a start whose input they cannot be made of, as `spec.input` does: there is no run', async () => {
    const { engine } = open;
    await engine.workflows.register({ yaml: inSequence('w', WORK, { vars: VARS }) });
    const started = engine.runs.start({ workflowId: 'w', input: {}, idempotencyKey: 'k' });
    await expect(started).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/spec\.vars\.net: .*"gross" is missing/s) as string,
    });
    expect((await engine.runs.list({ workflowId: 'w' })).items).toEqual([]);
    const again = { workflowId: 'w', input: { gross: 4 }, idempotencyKey: 'k', sync: true };
    expect((await engine.runs.start(again)).status).toBe('completed');
  });

  it('are bounded together', async () => {
    const { engine } = open;
    const vars = { a: '${{ input.text }}', b: ['${{ vars.a }}', '${{ vars.a }}', '${{ vars.a }}'] };
    await engine.workflows.register({ yaml: inSequence('w', WORK, { vars: { ...vars, net: 1, all: 1 } }) });
    const text = 'x'.repeat(300_000);
    await expect(engine.runs.start({ workflowId: 'w', input: { text } })).rejects.toThrow(
      /spec\.vars\.b: the vars come to more than 1048576 characters/,
    );
  });

  it('fail the unit of a parent whose child they refuse, with the reason', async () => {
    const { engine } = open;
    await engine.workflows.register({ yaml: inSequence('child', WORK, { vars: VARS }) });
    const child = { id: 'c', uses: 'builtin.workflow', config: { workflowId: 'child' }, with: { other: 1 } };
    await engine.workflows.register({ yaml: inSequence('parent', [child]) });
    const run = await engine.runs.start({ workflowId: 'parent', sync: true });
    expect([run.status, run.error]).toEqual(['failed', expect.stringContaining('spec.vars.net')]);
  });

  it('stay in a fork that changes neither input nor definition, and are made anew in another', async () => {
    const { engine, clock } = open;
    const yaml = inSequence('w', WORK, { vars: VARS });
    await engine.workflows.register({ yaml });
    const { runId } = await engine.runs.start({ workflowId: 'w', input: { gross: 10 }, sync: true });
    const { vars } = await startOf(runId);
    await clock.advance(5_000);
    const fork = async (more: object) => {
      const made = await engine.runs.fork({ workflowId: 'w', runId, sync: true, ...more });
      return { ...made, vars: (await startOf(made.runId)).vars };
    };
    for (const more of [{}, { from: { unitId: 'pay' } }, { state: { note: 1 } }])
      expect((await fork(more)).vars).toEqual(vars);
    const other = await fork({ from: { unitId: 'pay' }, input: { gross: 30 } });
    expect(other.vars).toMatchObject({ net: 15 });
    expect(other.vars?.['due']).not.toBe(vars?.['due']);
    expect(other.result?.state['output.pay']).toMatchObject({ net: 15 });
    await engine.workflows.register({ yaml: inSequence('w', WORK, { vars: { ...VARS, net: '${{ 1 }}' } }) });
    expect((await fork({ definition: 'current' })).vars).toMatchObject({ net: 1, all: { of: 1 } });
  });

  it('refuse a fork whose input they cannot be made of', async () => {
    const { engine } = open;
    await engine.workflows.register({ yaml: inSequence('w', WORK, { vars: VARS }) });
    const { runId } = await engine.runs.start({ workflowId: 'w', input: { gross: 10 }, sync: true });
    await expect(engine.runs.fork({ workflowId: 'w', runId, input: {} })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });

  it('are there after the run was loaded from its store, and in a compensation', async () => {
    const { engine } = open;
    const units = [
      { id: 'pay', uses: 'pay', compensate: { unit: 'back', with: { net: '${{ vars.net }}' } } },
      { id: 'ask', uses: 'builtin.approval' },
      { id: 'back', uses: 'pay' },
    ];
    const flow = { type: 'sequential', order: ['pay', 'ask'] };
    await engine.workflows.register({
      yaml: workflowYaml('w', { units, flow, vars: { net: '${{ input.n }}' } }),
    });
    const { runId } = await engine.runs.start({ workflowId: 'w', input: { n: 3 }, sync: true });
    await engine.gates.respond({ workflowId: 'w', runId, approved: false, responder: 'ann' });
    const events = await open.store.readEvents({ runId, afterSeq: 0, limit: 100 });
    expect(
      events.find(({ type, ...event }) => type === 'unit-scheduled' && 'compensates' in event),
    ).toMatchObject({
      unitId: 'back',
      input: { net: 3 },
    });
  });
});

describe('an export of a run with vars', () => {
  const exported = async (): Promise<string> => {
    const { engine } = open;
    await engine.workflows.register({ yaml: inSequence('w', WORK, { vars: VARS }) });
    return exportOf(engine, await engine.runs.start({ workflowId: 'w', input: { gross: 10 }, sync: true }));
  };
  const imported = async (text: string) => {
    const other = await openEngine({ pay: () => 1 });
    try {
      return await other.engine.runs.import({ ndjson: Buffer.from(text) });
    } finally {
      await other.engine.close();
    }
  };

  it('is imported', async () => {
    expect((await imported(await exported())).status).toBe('completed');
  });

  it.each([
    ['other vars', { net: 9 }],
    ['another var', { net: 5, other: 1 }],
    ['none', undefined],
  ])('is refused with %s than its input gives', async (_what, vars) => {
    const text = changed(await exported(), (events) =>
      events.map((event) => (event['type'] === 'run-started' ? { ...event, vars } : event)),
    );
    await expect(imported(text)).rejects.toThrow(/run-started.*has vars that/);
  });
});
