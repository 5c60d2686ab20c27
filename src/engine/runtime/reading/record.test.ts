import { inSequence } from '../../../../test/support/engine.js';
import { ANN, compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import type { RunEvent } from '../../core/log/event.js';
import { messagesOf } from '../../core/log/messages.js';
import type { Signal } from '../../core/signal.js';
import { statusOf } from '../../core/state/status.js';
import { MAX_RECORD_MESSAGES } from './newest-messages.js';
import { completedUnitsOf, hasResult, recordOf, startedRecord } from './record.js';

const gated = compileText(inSequence('w', [{ id: 'g', uses: 'builtin.approval' }]));
const ids = ['b', 'c', 'a'];
const working = compileText(
  inSequence(
    'w',
    ids.map((id) => ({ id, uses: 'work' })),
  ),
);

const decision = (approved: boolean): Signal => ({
  type: 'decision',
  at: 2_000,
  gateId: 2,
  approved,
  responder: 'ann',
  by: ANN,
  comment: null,
});
const base = { runId: 'run', workflowId: 'w', createdAt: 1_000 };

describe('the record of a run', () => {
  it('that is running is its header, and no more', async () => {
    const { state, log } = new SimulatedRun(working);
    expect(hasResult(statusOf(state))).toBe(false);
    expect(await recordOf(state, log)).toEqual({ ...base, status: 'running', updatedAt: 1_000 });
  });

  it('that is paused or completed has its result, with what was said in it, oldest first', async () => {
    const run = new SimulatedRun(gated);
    expect(await recordOf(run.state, run.log)).toMatchObject({
      ...base,
      status: 'paused',
      result: { completedUnits: [] },
    });
    run.send(decision(true));
    expect(hasResult(statusOf(run.state))).toBe(true);
    const { result, ...rest } = await recordOf(run.state, run.log);
    expect(rest).toEqual({ ...base, status: 'completed', updatedAt: 2_000 });
    expect(result).toMatchObject({
      runId: 'run',
      completedUnits: ['g'],
      tokenUsage: 0,
      cost: 0,
      duration: 0,
    });
    expect(result?.messages).toEqual(run.log.flatMap((event) => messagesOf('run', event)));
    expect(result?.messages.length).toBeGreaterThan(1);
  });

  it('that failed says why, and has no result', async () => {
    const run = new SimulatedRun(gated);
    run.send(decision(false));
    const record = await recordOf(run.state, run.log);
    expect(record).toEqual({ ...base, status: 'failed', updatedAt: 2_000, error: run.state.error });
    expect(record.error).toContain('Rejected by ann');
    expect((await recordOf({ ...run.state, error: null }, run.log)).error).toBe('The run failed');
  });

  it('that was cancelled is failed', async () => {
    const run = new SimulatedRun(gated);
    run.send({ type: 'cancel', at: 2_000, by: ANN, graceMs: 0 });
    expect(await recordOf(run.state, run.log)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('ancelled'),
    });
  });

  it('shows the newest thousand messages', async () => {
    const { state } = new SimulatedRun(gated);
    const opened = new SimulatedRun(gated).log[1]!;
    const perEvent = messagesOf('run', opened).length;
    const events = Array.from({ length: 700 }, (_, index) => ({ ...opened, seq: index + 1 }) as RunEvent);
    const all = events.flatMap((event) => messagesOf('run', event));
    expect(all).toHaveLength(700 * perEvent);
    expect(all.length).toBeGreaterThan(MAX_RECORD_MESSAGES);
    expect((await recordOf(state, events)).result?.messages).toEqual(all.slice(all.length - 1_000));
    const few = events.slice(0, 10);
    expect((await recordOf(state, few)).result?.messages).toEqual(all.slice(0, 10 * perEvent));
  });
});

describe('the units that a run completed', () => {
  it('come in the order of their first completion, however they are called', () => {
    const run = new SimulatedRun(working);
    run.finish(() => 0);
    expect(completedUnitsOf(run.state)).toEqual(ids);
    const completed = run.state.completed.clear().set('z', 1).set('m', 30).set('a', 200).set('b', 4);
    expect(completedUnitsOf({ ...run.state, completed })).toEqual(['z', 'b', 'm', 'a']);
  });
});

describe('the record for a start that nobody waits for', () => {
  it('is that the run has begun, whatever it has come to', () => {
    const { state } = new SimulatedRun(gated);
    expect(startedRecord(state)).toEqual({ ...base, status: 'running', updatedAt: 1_000 });
  });
});
