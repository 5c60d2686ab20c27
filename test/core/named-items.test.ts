import { messagesOf } from '../../src/engine/core/log/messages.js';
import { openWaitsOf } from '../../src/engine/core/state/view/open-waits.js';
import { atOnce } from '../../src/engine/core/steps.js';
import { shownOf } from '../../src/engine/runtime/events/shown-event.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document, gate } from '../support/workflow-documents.js';

const owner = { runId: 'run', workflowId: 'w' };
const work = (id: string) => ({ id, uses: 'work', policyOverrides: { retry: { maxAttempts: 1 } } });

function started(itemKey: string | undefined): SimulatedRun {
  const body = { type: 'sequential', order: [{ type: 'parallel', units: ['ask', 'row'] }, 'after'] };
  const each = {
    type: 'foreach',
    items: "['x', 'y']",
    do: body,
    maxConcurrency: 2,
    ...(itemKey === undefined ? {} : { itemKey }),
  };
  return new SimulatedRun(
    compileText(document('w', [gate('ask'), work('row'), work('after')], { flow: each })),
  );
}

/** Of each event that clients see of a unit: its type, and which item it names. */
function told(run: SimulatedRun): readonly string[] {
  return run.log.flatMap((event) => {
    const data = atOnce(shownOf(owner, event, 'public'))?.event.data;
    if (data?.['unitId'] === undefined) return [];
    return [`${event.type} ${String(data['unitId'])} ${String(data['index'])} ${String(data['itemKey'])}`];
  });
}

describe('a foreach that names its items', () => {
  it('names them in events, also inside of branches of a pass, of what came from outside, and of what closed', () => {
    const run = started('"row " + item');
    expect(told(run)).toEqual([
      'gate-opened ask 0 row x',
      'unit-scheduled row 0 row x',
      'gate-opened ask 1 row y',
      'unit-scheduled row 1 row y',
    ]);
    const [call] = run.log.filter(({ type }) => type === 'unit-scheduled').slice(1);
    const failure = { error: 'no', retryable: false, outcome: 'refused', retryAfterMs: null } as const;
    run.send({
      type: 'unit-attempt-failed',
      at: 1_500,
      executionId: call?.seq ?? 0,
      attempt: 1,
      ...failure,
    });
    expect(told(run).slice(4)).toEqual([
      'unit-failed row 1 row y',
      'gate-closed ask 0 row x',
      'gate-closed ask 1 row y',
    ]);
  });

  it('names them in messages and in what the run waits for', () => {
    const run = started('item');
    const messages = run.log.flatMap((event) => messagesOf('run', event));
    expect(messages.filter(({ type }) => type === 'hitl-request')).toMatchObject([
      { unitId: 'ask', index: 0, itemKey: 'x' },
      { unitId: 'ask', index: 1, itemKey: 'y' },
    ]);
    expect(openWaitsOf(run.state)).toMatchObject([
      { for: 'gate', unitId: 'ask', index: 0, itemKey: 'x' },
      { for: 'gate', unitId: 'ask', index: 1, itemKey: 'y' },
      { for: 'unit', unitId: 'row', index: 0, itemKey: 'x' },
      { for: 'unit', unitId: 'row', index: 1, itemKey: 'y' },
    ]);
  });

  it('that does not name them writes what it always wrote', () => {
    const run = started(undefined);
    expect(run.log.some((event) => 'item' in event)).toBe(false);
    expect(told(run)).toContain('gate-opened ask undefined undefined');
  });
});

describe('what a run waits for', () => {
  it('begins with what people have to act upon, is no more than 20, and nothing once it is over', () => {
    const units = [
      work('busy'),
      { id: 'hour', uses: 'builtin.wait', config: { duration: 'PT1H' } },
      gate('ask', { timeout: 'PT5S' }),
      { ...work('held'), pause: 'before' },
      { id: 'child', uses: 'builtin.workflow', config: { workflowId: 'other' } },
    ];
    const flow = { type: 'parallel', units: units.map(({ id }) => id) };
    const run = new SimulatedRun(compileText(document('w', units, { flow })));
    const waits = openWaitsOf(run.state);
    expect(waits.map((wait) => [wait.for, wait.unitId])).toEqual([
      ['gate', 'ask'],
      ['resume', 'held'],
      ['unit', 'busy'],
      ['time', 'hour'],
      ['child', 'child'],
    ]);
    expect(waits).toMatchObject([
      { dueAt: 6_000, path: '/spec/flow/units/2' },
      { reason: 'before' },
      {},
      { dueAt: 3_601_000 },
      { childRunId: expect.any(String) },
    ]);
    run.send({ type: 'cancel', at: 2_000, by: ANN, graceMs: 0 });
    expect(openWaitsOf(run.state)).toEqual([]);
    const many = Array.from({ length: 30 }, (_, index) => gate(`g${index}`));
    const wide = document('w', many, { flow: { type: 'parallel', units: many.map(({ id }) => id) } });
    expect(openWaitsOf(new SimulatedRun(compileText(wide)).state)).toHaveLength(20);
  });
});
