import type { RunEvent } from '../../src/engine/core/log/event.js';
import { messagesOf } from '../../src/engine/core/log/messages.js';
import { eventKind } from '../../src/engine/core/log/event-kinds.js';
import { pending } from '../../src/engine/core/pending.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document, gate } from '../support/workflow-documents.js';

const work = (id: string) => ({ id, uses: 'work', policyOverrides: { retry: { maxAttempts: 1 } } });
const wait = (id: string, ms: number) => ({ id, uses: 'builtin.wait', config: { durationMs: ms } });

function started(units: readonly object[], spec: object): SimulatedRun {
  return new SimulatedRun(compileText(document('w', units, spec)));
}

function call(run: SimulatedRun, unitId: string) {
  for (const command of pending(run.state)) {
    if (command.type !== 'execute-unit' || command.execution.unitId !== unitId) continue;
    return { executionId: command.execution.id, attempt: command.execution.attempt };
  }
  throw new Error(`${unitId} is not being called.`);
}

function fail(run: SimulatedRun, unitId: string, at = 1_500): void {
  const rest = { error: 'no', retryable: false, outcome: 'refused', retryAfterMs: null } as const;
  run.send({ type: 'unit-attempt-failed', at, ...call(run, unitId), ...rest });
}

function decide(run: SimulatedRun, gateId: number, at = 1_500): void {
  run.send({
    type: 'decision',
    at,
    gateId,
    approved: true,
    responder: 'ann',
    by: ANN,
    comment: null,
  });
}

/** What clients are told of closed gates: of which unit, and why. */
function told(run: SimulatedRun): readonly string[] {
  return run.log.flatMap((event) => {
    const form = eventKind(event.type).facts.publicForm?.(event) ?? null;
    return form?.type === 'gate.closed'
      ? [`${String(form.data['unitId'])}: ${String(form.data['why'])}`]
      : [];
  });
}

/** What clients are told of gates that wait. */
function toldOpen(run: SimulatedRun): readonly object[] {
  return run.log.flatMap((event) => {
    const form = eventKind(event.type).facts.publicForm?.(event) ?? null;
    return form?.type === 'gate.opened' ? [form.data] : [];
  });
}

const opened = (run: SimulatedRun): readonly number[] =>
  run.log.flatMap((event) => (event.type === 'gate-opened' ? [event.seq] : []));

const typesAfter = (run: SimulatedRun, type: RunEvent['type']): readonly string[] => {
  const types = run.log.map((event) => event.type);
  return types.slice(types.lastIndexOf(type) + 1);
};

const parallel = (...units: readonly unknown[]) => ({ type: 'parallel', units });
const tryFlow = (body: object, more: object) => ({ type: 'try', do: body, ...more });

describe('a gate that no decision closed', () => {
  it('was in a race that another branch won', () => {
    const run = started([gate('ask'), wait('tick', 100), work('next')], {
      flow: { type: 'sequential', order: [{ type: 'race', units: ['ask', 'tick'] }, 'next'] },
    });
    run.send({ type: 'timer-due', at: 1_200 });
    expect(told(run)).toEqual(['ask: race']);
    // What follows goes on behind it.
    expect(call(run, 'next').attempt).toBe(1);
  });

  it('was in a race in which a finally has to run first, and is told of once', () => {
    const asked = tryFlow({ type: 'sequential', order: ['ask'] }, { finally: 'close' });
    const run = started([gate('ask'), wait('tick', 100), work('close')], {
      flow: { type: 'race', units: [asked, 'tick'] },
    });
    run.send({ type: 'timer-due', at: 1_200 });
    expect(told(run)).toEqual(['ask: race']);
    const rest = { output: null, patch: null, usage: null, metadata: null };
    run.send({ type: 'unit-finished', at: 1_300, ...call(run, 'close'), ...rest });
    expect([told(run), run.state.phase]).toEqual([['ask: race'], 'completed']);
  });

  it('was in a try whose time was up', () => {
    const run = started([gate('ask'), work('tell')], {
      flow: tryFlow({ type: 'sequential', order: ['ask'] }, { timeout: 'PT1S', catch: 'tell' }),
    });
    run.send({ type: 'timer-due', at: 2_500 });
    expect(told(run)).toEqual(['ask: timeout']);
  });

  it('was in a run whose time was up', () => {
    const run = started([gate('ask'), work('busy')], {
      policy: { timeout: { workflowMs: 1_000 } },
      flow: parallel('ask', 'busy'),
    });
    run.send({ type: 'timer-due', at: 2_500 });
    expect([told(run), run.state.phase]).toEqual([['ask: timeout'], 'failed']);
  });

  it('was next to what failed, in a try that goes on and in a run that does not', () => {
    const units = [gate('ask'), work('busy'), work('tell')];
    const caught = started(units, { flow: tryFlow(parallel('ask', 'busy'), { catch: 'tell' }) });
    fail(caught, 'busy');
    expect([told(caught), caught.state.phase]).toEqual([['ask: failure'], 'live']);
    const failed = started(units.slice(0, 2), { flow: parallel('ask', 'busy') });
    fail(failed, 'busy');
    expect([told(failed), failed.state.phase]).toEqual([['ask: failure'], 'failed']);
    expect(typesAfter(failed, 'run-failed')).toEqual(['gate-closed']);
  });

  it('was in a run that was cancelled, with a clean-up and without', () => {
    const units = [gate('ask'), gate('other'), work('clean')];
    const flow = parallel('ask', 'other');
    const cancelled = started(units.slice(0, 2), { flow });
    cancelled.send({ type: 'cancel', at: 1_500, by: ANN, graceMs: 0 });
    expect(told(cancelled)).toEqual(['ask: cancel', 'other: cancel']);
    const cleaned = started(units, { flow, onCancel: ['clean'] });
    cleaned.send({ type: 'cancel', at: 1_500, by: ANN, graceMs: 0 });
    expect(told(cleaned)).toEqual(['ask: cancel', 'other: cancel']);
    expect(cleaned.state.phase).toBe('live');
  });

  it('was open when the run went back, and asks again where it is reached again', () => {
    const run = started([gate('first'), gate('ask')], {
      flow: { type: 'sequential', order: ['first', 'ask'] },
    });
    const [first = 0] = opened(run);
    const baseState = run.state;
    decide(run, first);
    expect(opened(run)).toHaveLength(2);
    run.send({ type: 'rewind', at: 2_000, toSeq: first, baseState, by: ANN });
    expect(told(run)).toEqual(['ask: rewind']);
    expect(opened(run)).toHaveLength(3);
  });
});

describe('a gate that a decision closed', () => {
  it('is told of by its decision alone, also where its time was up', () => {
    const run = started([gate('ask'), gate('late', { timeout: 'PT1S', onReject: 'continue' })], {
      flow: parallel('ask', 'late'),
    });
    decide(run, opened(run)[0] ?? 0);
    run.send({ type: 'timer-due', at: 2_500 });
    expect([told(run), run.state.phase]).toEqual([[], 'completed']);
  });
});

describe('a gate that closed before its run failed', () => {
  it('is not told of again when the failed run is cancelled or goes back', () => {
    const run = started([gate('ask'), work('busy')], { flow: parallel('ask', 'busy') });
    const baseState = run.state;
    fail(run, 'busy');
    run.send({ type: 'rewind', at: 2_000, toSeq: baseState.seq, baseState, by: ANN });
    expect(told(run)).toEqual(['ask: failure']);
    fail(run, 'busy', 2_500);
    run.send({ type: 'cancel', at: 3_000, by: ANN, graceMs: 0 });
    expect(told(run)).toEqual(['ask: failure', 'ask: failure']);
  });
});

describe('a gate that closed because its run failed', () => {
  const resume = (run: SimulatedRun, at: number): void => {
    run.send({ type: 'resume', at, pauseId: null, by: ANN });
  };

  it('is told to be open again, under its id and with all that it asks, once the run is resumed', () => {
    const asks = gate('ask', { timeout: 'PT1H', payload: { sum: 7 } });
    const run = started([asks, gate('other'), work('busy')], { flow: parallel('ask', 'other', 'busy') });
    const [first] = toldOpen(run);
    fail(run, 'busy');
    resume(run, 2_000);
    expect(typesAfter(run, 'resumed')).toEqual(['gate-reopened', 'gate-reopened', 'unit-scheduled']);
    expect(toldOpen(run).slice(2)).toEqual(toldOpen(run).slice(0, 2));
    expect(first).toMatchObject({
      unitId: 'ask',
      payload: { sum: 7 },
      dueAt: 3_601_000,
      onTimeout: 'reject',
    });
    expect(run.fold()).toEqual(run.state);
    decide(run, opened(run)[0] ?? 0, 2_500);
    fail(run, 'busy', 3_000);
    expect(told(run)).toEqual(['ask: failure', 'other: failure', 'other: failure']);
    resume(run, 4_000);
    expect(toldOpen(run).at(-1)).toMatchObject({ unitId: 'other' });
    expect(toldOpen(run)).toHaveLength(5);
  });

  it('names its item, where it was in the pass of a foreach that names them', () => {
    const passes = { type: 'foreach', items: "['a', 'b']", itemKey: 'item', do: 'ask', maxConcurrency: 2 };
    const run = started([gate('ask'), work('busy')], { flow: parallel(passes, 'busy') });
    fail(run, 'busy');
    resume(run, 2_000);
    const reopened = run.log.filter(({ type }) => type === 'gate-reopened');
    expect(reopened.map(({ item }) => item)).toEqual([
      { index: 0, key: 'a' },
      { index: 1, key: 'b' },
    ]);
  });

  it('is not told of where a pause is lifted', () => {
    const run = started([gate('ask'), work('busy')], { flow: parallel('ask', 'busy') });
    run.send({ type: 'pause', at: 1_500, by: ANN, graceMs: 0 });
    const pause = run.log.find(({ type }) => type === 'paused');
    run.send({ type: 'resume', at: 2_000, pauseId: pause?.seq ?? 0, by: ANN });
    expect(typesAfter(run, 'resumed')).not.toContain('gate-reopened');
  });
});

it('the event has no message: what closed the gate has one', () => {
  const run = started([gate('ask')], { flow: { type: 'sequential', order: ['ask'] } });
  run.send({ type: 'cancel', at: 1_500, by: ANN, graceMs: 0 });
  const closed = run.log.find(({ type }) => type === 'gate-closed');
  expect(closed && messagesOf('run', closed)).toEqual([]);
});
