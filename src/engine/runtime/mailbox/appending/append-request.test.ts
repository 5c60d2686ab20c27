import { SimulatedRun, ANN, compileText } from '../../../../../test/support/simulated-run.js';
import { inSequence, workflowYaml } from '../../../../../test/support/engine.js';
import type { RunEvent } from '../../../core/log/event.js';
import type { Signal } from '../../../core/signal.js';
import type { RunState } from '../../../core/state/state.js';
import { appendRequest, rowOf } from './append-request.js';

const gate = (id: string) => ({ id, uses: 'builtin.approval' });
const work = (id: string) => ({ id, uses: 'work' });

/** The append request for the events that the step causes. */
function after(
  run: SimulatedRun,
  step: () => void,
  extra: Partial<Parameters<typeof appendRequest>[3]> = {},
) {
  const from = run.state;
  const before = run.log.length;
  step();
  return appendRequest(from, run.state, run.log.slice(before), {
    storedState: null,
    idempotency: [],
    startedFrom: null,
    isPreempted: false,
    isForeign: false,
    ...extra,
  });
}

function decide(run: SimulatedRun, gateId: number, approved = true): void {
  run.send({ type: 'decision', at: 2_000, gateId, approved, responder: 'ann', by: ANN, comment: null });
}

function runOf(units: readonly object[], more: object = {}): SimulatedRun {
  return new SimulatedRun(compileText(inSequence('w', units, more)));
}

function finished(executionId: number): Signal {
  return {
    type: 'unit-finished',
    at: 1_500,
    executionId,
    attempt: 1,
    output: 1,
    patch: null,
    usage: null,
    metadata: null,
  };
}

function gatesBeside(ids: readonly string[], more: object = {}, spec: object = {}): SimulatedRun {
  const units = [...ids.map(gate), work('slow')];
  const flow = { type: 'parallel', units: [...ids, 'slow'], ...more };
  return new SimulatedRun(compileText(workflowYaml('w', { units, flow, ...spec })));
}

const ids = (gates: readonly { readonly unitId: string }[] | null) =>
  gates?.map(({ unitId }) => unitId) ?? null;

describe('the open gates that an append writes', () => {
  it('are those that its events opened, with when they did', () => {
    const run = runOf([work('a'), gate('g')]);
    const { openGates } = after(run, () => {
      run.send(finished(2));
    });
    expect(openGates).toEqual([{ gateId: run.state.seq, unitId: 'g', openedAt: 1_500 }]);
  });

  it('are none any more once the last of them is decided', () => {
    const run = runOf([gate('g'), work('a')]);
    expect(after(run, () => decide(run, 2)).openGates).toEqual([]);
  });

  it('are the others, and the next one, when one of them is decided', () => {
    const beside = gatesBeside(['one', 'two']);
    const [first] = beside.log.filter(({ type }) => type === 'gate-opened');
    expect(ids(after(beside, () => decide(beside, first!.seq)).openGates)).toEqual(['two']);
    const next = runOf([gate('one'), gate('two')]);
    expect(ids(after(next, () => decide(next, 2)).openGates)).toEqual(['two']);
  });

  it('are not written by the end of a run that had none', () => {
    const run = runOf([work('a')]);
    expect(
      after(run, () => run.send({ type: 'cancel', at: 2_000, by: ANN, graceMs: 0 })).openGates,
    ).toBeNull();
  });

  it('are none once the run is over, however it ended', () => {
    const cancelled = runOf([gate('g')]);
    const end = after(cancelled, () => cancelled.send({ type: 'cancel', at: 2_000, by: ANN, graceMs: 0 }));
    expect(end.openGates).toEqual([]);
    expect(end.row.endedAt).toBe(2_000);
    const approved = runOf([gate('g')]);
    expect(after(approved, () => decide(approved, 2)).openGates).toEqual([]);
    const refused = gatesBeside(['one', 'two'], { failureStrategy: 'fail-fast' });
    const [first] = refused.log.filter(({ type }) => type === 'gate-opened');
    expect(after(refused, () => decide(refused, first!.seq, false)).openGates).toEqual([]);
  });

  it('are those of the state that a rewind goes back to', () => {
    const run = runOf([gate('one'), gate('two')]);
    decide(run, 2);
    expect(ids(after(run, () => run.rewind(2)).openGates)).toEqual(['one']);
  });
});

describe('the open gates that go with what waited for them', () => {
  /** A gate next to a unit that fails, in a branch next to a unit that continues. */
  const nested = {
    type: 'parallel',
    units: [{ type: 'parallel', units: ['g', 'bad'], failureStrategy: 'fail-fast' }, 'slow'],
    failureStrategy: 'collect-errors',
  };

  it('are those that a failed branch took with it, while the run goes on', () => {
    const units = [gate('g'), work('bad'), work('slow')];
    const run = new SimulatedRun(compileText(workflowYaml('w', { units, flow: nested })));
    const bad = run.log.find((event) => event.type === 'unit-scheduled' && event.unitId === 'bad')!;
    const { openGates, row } = after(run, () => {
      run.send({
        type: 'unit-attempt-failed',
        at: 1_500,
        executionId: bad.seq,
        attempt: 1,
        error: 'no',
        retryable: false,
        outcome: 'refused',
        retryAfterMs: null,
      });
    });
    expect([row.status, openGates]).toEqual(['running', []]);
  });

  it('are all of a run that overran its time', () => {
    const run = gatesBeside(['one'], {}, { policy: { timeout: { workflowMs: 10_000 } } });
    const { openGates, row } = after(run, () => run.send({ type: 'timer-due', at: 11_000 }));
    expect([row.status, openGates]).toEqual(['failed', []]);
  });

  it('are those that a rewind leaves behind', () => {
    const run = runOf([gate('first'), work('a'), gate('second')]);
    decide(run, 2);
    const [, decided, scheduled] = run.log.slice(1);
    run.send(finished(scheduled!.seq));
    const { openGates, row } = after(run, () => run.rewind(decided!.seq));
    expect([row.status, openGates]).toEqual(['running', []]);
  });

  it('are not looked for when a branch came to its end', () => {
    const run = gatesBeside(['one']);
    const { seq } = run.log.find(({ type }) => type === 'unit-scheduled')!;
    expect(after(run, () => run.send(finished(seq))).openGates).toBeNull();
  });
});

describe('the decisions that an append writes', () => {
  it('are those of its events, with when the gate opened', () => {
    const run = runOf([work('a'), gate('g')]);
    run.send(finished(2));
    const gateId = run.state.seq;
    const { decidedGates } = after(run, () => decide(run, gateId));
    expect(decidedGates).toEqual([
      { gateId, unitId: 'g', openedAt: 1_500, decidedAt: 2_000, decidedSeq: gateId + 1 },
    ]);
  });

  it('are there, too, when the gate opens and is decided in the same append', () => {
    const run = runOf([work('a'), gate('g')]);
    const { decidedGates } = after(run, () => {
      run.send(finished(2));
      decide(run, run.state.seq);
    });
    expect(decidedGates).toMatchObject([{ unitId: 'g', openedAt: 1_500, decidedAt: 2_000 }]);
  });

  it('are none where no gate is decided', () => {
    const run = runOf([work('a'), gate('g')]);
    expect(after(run, () => run.send(finished(2))).decidedGates).toBeNull();
  });
});

describe('an append', () => {
  it('follows the last event that its writer knew, and carries the labels of a run with its first alone', () => {
    const run = runOf([work('a')]);
    const [started] = run.log;
    const labelled = [{ ...started, labels: { team: 'blue' } } as RunEvent];
    const extra = {
      storedState: null,
      idempotency: [],
      startedFrom: { hash: 'h', opening: null },
      isPreempted: false,
      isForeign: false,
    };
    const empty = { ...run.state, seq: 0 } as RunState;
    const first = appendRequest(empty, run.state, labelled, extra);
    expect(first).toMatchObject({
      runId: 'run',
      expectedSeq: 0,
      labels: { team: 'blue' },
      startedFrom: { hash: 'h', opening: null },
    });
    const later = after(run, () => run.send({ type: 'cancel', at: 2_000, by: ANN, graceMs: 0 }), extra);
    expect(later).toMatchObject({ expectedSeq: 2, labels: null, startedFrom: null });
    expect(appendRequest(empty, run.state, [started!], extra).labels).toBeNull();
    expect(appendRequest(empty, run.state, [], extra).labels).toBeNull();
  });

  it('has a run woken at once whose turn was preempted, and otherwise when it moves by itself', () => {
    const extra = { policy: { timeout: { workflowMs: 60_000 } } };
    const cancel = (run: SimulatedRun) => () => void run.send({ type: 'note', at: 2_000, request: 'resume' });
    const usual = runOf([work('a')], extra);
    expect(after(usual, cancel(usual)).row.wakeAt).toBe(61_000);
    const cut = runOf([work('a')], extra);
    expect(after(cut, cancel(cut), { isPreempted: true }).row.wakeAt).toBe(cut.state.updatedAt);
  });
});

describe('what lists and sweeps see of a run', () => {
  it('is its full row while it runs', () => {
    const { state, plan } = runOf([work('a')]);
    expect(rowOf(state)).toEqual({
      runId: 'run',
      namespace: 'default',
      workflowId: 'w',
      definitionHash: plan.hash,
      status: 'running',
      createdAt: 1_000,
      updatedAt: 1_000,
      endedAt: null,
      openExecutions: 1,
      wakeAt: null,
      lastSeq: 2,
      parentRunId: null,
      origin: 'client',
      forkedFrom: null,
      isCancelled: false,
      figures: expect.anything(),
      compensation: null,
    });
  });

  it('is when it ended, and nothing left to call, once it is over', () => {
    const run = runOf([work('a')]);
    run.send({ type: 'cancel', at: 2_000, by: ANN, graceMs: 0 });
    expect(rowOf(run.state)).toMatchObject({
      status: 'failed',
      createdAt: 1_000,
      updatedAt: 2_000,
      endedAt: 2_000,
      openExecutions: 0,
      lastSeq: 3,
    });
  });
});
