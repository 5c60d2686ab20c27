import { openEngine, workflowYaml } from '../support/engine.js';

const ask = (id: string, config: object = {}) => ({ id, uses: 'builtin.approval', config });
const HOUR = { id: 'hour', uses: 'builtin.wait', config: { duration: 'PT1H' } };

/** A gate with a time-out, next to a timer and a child run that waits an hour. */
const BESIDE = workflowYaml('beside', {
  units: [
    ask('ask', { timeout: 'P1D' }),
    HOUR,
    { id: 'child', uses: 'builtin.workflow', config: { workflowId: 'slow' } },
  ],
  flow: { type: 'parallel', units: ['ask', 'hour', 'child'] },
});
const SLOW = workflowYaml('slow', { units: [HOUR], flow: { type: 'sequential', order: ['hour'] } });
/** The gate is that of a child, which pauses, while a timer of the parent runs. */
const ABOVE = workflowYaml('above', {
  units: [HOUR, { id: 'child', uses: 'builtin.workflow', config: { workflowId: 'asks' } }],
  flow: { type: 'parallel', units: ['hour', 'child'] },
});
const ASKS = workflowYaml('asks', { units: [ask('ask')], flow: { type: 'sequential', order: ['ask'] } });

async function openedEngine() {
  const opened = await openEngine();
  for (const yaml of [SLOW, ASKS, BESIDE, ABOVE]) await opened.engine.workflows.register({ yaml });
  return opened;
}

describe('a start that waits until a gate', () => {
  it('is answered at a gate while a timer and a child run', async () => {
    const { engine } = await openedEngine();
    const record = await engine.runs.start({ workflowId: 'beside', sync: true, syncUntil: 'gate' });
    expect(record.status).toBe('running');
    expect(record).not.toHaveProperty('result');
    expect(await engine.gates.open(record)).toMatchObject([{ unitId: 'ask' }]);
  });

  it('is answered at a gate of a run that it waits for', async () => {
    const { engine } = await openedEngine();
    const record = await engine.runs.start({ workflowId: 'above', sync: true, syncUntil: 'gate' });
    expect(record.status).toBe('running');
    expect(await engine.gates.open(record)).toMatchObject([{ unitId: 'ask', workflowId: 'asks' }]);
  });

  it('is answered when the run stops, if it has no gate', async () => {
    const { engine, clock } = await openedEngine();
    const started = engine.runs.start({ workflowId: 'slow', sync: true, syncUntil: 'gate' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await clock.advance(3_600_000);
    expect((await started).status).toBe('completed');
  });

  it('may be repeated under its key, and is another request than one that waits for the stop', async () => {
    const { engine } = await openedEngine();
    const request = { workflowId: 'beside', sync: true, syncUntil: 'gate', idempotencyKey: 'k' } as const;
    const [first, again] = [await engine.runs.start(request), await engine.runs.start(request)];
    expect(again).toEqual(first);
    await expect(engine.runs.start({ ...request, syncUntil: 'stop' })).rejects.toMatchObject({
      code: 'idempotency-conflict',
    });
  });

  it('is refused without sync, and for what nobody waits for', async () => {
    const { engine } = await openedEngine();
    await expect(engine.runs.start({ workflowId: 'beside', syncUntil: 'gate' })).rejects.toThrow(
      'syncUntil says when "sync": true is answered: send both, or neither',
    );
    const recorded = { workflowId: 'beside', sync: true, syncUntil: 'recorded' as 'gate' };
    await expect(engine.runs.start(recorded)).rejects.toThrow('syncUntil must be stop or gate');
  });
});

it('a fork that waits until a gate is answered at it', async () => {
  const { engine } = await openedEngine();
  const { runId } = await engine.runs.start({ workflowId: 'beside', sync: true, syncUntil: 'gate' });
  const fork = await engine.runs.fork({ workflowId: 'beside', runId, sync: true, syncUntil: 'gate' });
  expect([fork.status, fork.runId === runId]).toEqual(['running', false]);
  expect(await engine.gates.open(fork)).toHaveLength(1);
  await expect(engine.runs.fork({ workflowId: 'beside', runId, syncUntil: 'gate' })).rejects.toThrow(
    'send both',
  );
});

describe('a decision, or a resume', () => {
  const TWO = workflowYaml('two', {
    units: [ask('first'), ask('second'), HOUR],
    flow: { type: 'parallel', units: [{ type: 'sequential', order: ['first', 'second'] }, 'hour'] },
  });

  it('is answered at the next gate, or once it is recorded, as it asks', async () => {
    const { engine } = await openedEngine();
    await engine.workflows.register({ yaml: TWO });
    const run = await engine.runs.start({ workflowId: 'two', sync: true, syncUntil: 'gate' });
    const approval = { ...run, approved: true, responder: 'ann' };
    const atNext = await engine.gates.respond({ ...approval, syncUntil: 'gate' });
    expect([atNext.status, (await engine.gates.open(run)).map(({ unitId }) => unitId)]).toEqual([
      'running',
      ['second'],
    ]);
    // The timer still runs, so that nothing stops for an hour.
    const recorded = await engine.gates.respond({ ...approval, syncUntil: 'recorded' });
    expect([recorded.status, await engine.gates.open(run)]).toEqual(['running', []]);
    expect((await engine.runs.resume({ ...run, syncUntil: 'recorded' })).status).toBe('running');
  });

  it('is refused for what nobody waits for', async () => {
    const { engine } = await openedEngine();
    const run = await engine.runs.start({ workflowId: 'beside', sync: true, syncUntil: 'gate' });
    await expect(engine.runs.resume({ ...run, syncUntil: 'done' as 'stop' })).rejects.toThrow(
      'syncUntil must be one of stop, gate, recorded',
    );
  });
});
