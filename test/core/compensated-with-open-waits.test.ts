import { eventKind } from '../../src/engine/core/log/event-kinds.js';
import { pending } from '../../src/engine/core/pending.js';
import { decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { statusOf, wakeAtOf } from '../../src/engine/core/state/status.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document, gate } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({
  id,
  uses: 'work',
  policyOverrides: { retry: { maxAttempts: 1 } },
  ...more,
});
const order = (...units: readonly unknown[]) => ({ type: 'sequential', order: units });

const UNITS = [
  gate('ask', { timeout: 'PT1H' }),
  work('busy'),
  { id: 'later', uses: 'builtin.wait', config: { durationMs: 60_000 } },
  work('reserve', { compensate: 'release' }),
  work('charge'),
  work('ship'),
  work('release'),
];
/** What `reserve` did could not be undone; then the run failed, next to a gate, a call and a timer. */
const SPEC = {
  compensateOn: ['cancel'],
  flow: {
    type: 'parallel',
    units: [
      'ask',
      'busy',
      'later',
      order({ type: 'try', do: order('reserve', 'charge'), compensate: true, ignore: true }, 'ship'),
    ],
  },
};

let run: SimulatedRun;

beforeEach(() => {
  run = new SimulatedRun(compileText(document('w', UNITS, SPEC)));
  answer('reserve', 1_100);
  for (const unitId of ['charge', 'release', 'ship']) fail(unitId, 1_200);
  expect(run.state.phase).toBe('failed');
});

function callOf(unitId: string) {
  for (const command of pending(run.state)) {
    if (command.type !== 'execute-unit' || command.execution.unitId !== unitId) continue;
    return { executionId: command.execution.id, attempt: command.execution.attempt };
  }
  throw new Error(`${unitId} is not being called.`);
}

function answer(unitId: string, at: number): void {
  const rest = { output: unitId, patch: null, usage: null, metadata: null };
  run.send({ type: 'unit-finished', at, ...callOf(unitId), ...rest });
  check();
}

function fail(unitId: string, at: number): void {
  const rest = { error: 'no', retryable: false, outcome: 'refused', retryAfterMs: null } as const;
  run.send({ type: 'unit-attempt-failed', at, ...callOf(unitId), ...rest });
  check();
}

function send(signal: Parameters<SimulatedRun['send']>[0]): void {
  run.send(signal);
  check();
}

const compensate = (at: number): void => send({ type: 'compensate', at, by: ANN });
const resume = (at: number): void => send({ type: 'resume', at, pauseId: null, by: ANN });
const gateId = () => run.log.find(({ type }) => type === 'gate-opened')?.seq ?? 0;

/** What is folded, stored and loaded is what was decided. */
function check(): void {
  expect(encodeState(run.fold())).toEqual(encodeState(run.state));
  expect(encodeState(decodeState(encodeState(run.state)))).toEqual(encodeState(run.state));
}

/** What clients are told of the gate. */
const told = (): readonly string[] =>
  run.log.flatMap((event) => {
    const form = eventKind(event.type).facts.publicForm?.(event) ?? null;
    return form?.type.startsWith('gate.') === true ? [form.type] : [];
  });
/** What has to be done outside. */
const commands = (): readonly string[] =>
  pending(run.state).map((command) =>
    command.type === 'execute-unit' ? `call ${command.execution.unitId}` : command.type,
  );

describe('a failed run that tries its compensations again, next to a gate, a call and a timer that were open', () => {
  it('calls nothing but what undoes something, waits for nobody and is woken by nothing', () => {
    compensate(2_000);
    expect(commands()).toEqual(['call release']);
    expect(statusOf(run.state)).toBe('running');
    expect(wakeAtOf(run.state)).toBeNull();
  });

  it('tells once that the gate closed, however often they are tried again', () => {
    compensate(2_000);
    fail('release', 2_100);
    compensate(3_000);
    answer('release', 3_100);
    expect(told()).toEqual(['gate.opened', 'gate.closed']);
    expect([run.state.phase, run.state.error]).toEqual(['failed', 'Unit ship failed after 1 attempt(s): no']);
  });

  it('takes no decision, and nothing that comes due, meanwhile', () => {
    compensate(2_000);
    const { length } = run.log;
    const by = { responder: 'ann', by: ANN, comment: null };
    send({ type: 'decision', at: 2_100, gateId: gateId(), approved: true, ...by });
    send({ type: 'timer-due', at: 10_000_000 });
    expect(run.log).toHaveLength(length);
  });

  it('has all of it open again once it is resumed', () => {
    compensate(2_000);
    answer('release', 2_100);
    resume(3_000);
    expect(told()).toEqual(['gate.opened', 'gate.closed', 'gate.opened']);
    expect(commands()).toEqual(['await-decision', 'call busy', 'await-timer', 'call ship']);
    const by = { responder: 'ann', by: ANN, comment: null };
    send({ type: 'decision', at: 3_100, gateId: gateId(), approved: true, ...by });
    answer('busy', 3_200);
    answer('ship', 3_300);
    send({ type: 'timer-due', at: 100_000 });
    expect(run.state.phase).toBe('completed');
  });

  it('is cancelled afterwards, and tells nothing more of the gate', () => {
    compensate(2_000);
    fail('release', 2_100);
    send({ type: 'cancel', at: 3_000, by: ANN, graceMs: 0 });
    expect(told()).toEqual(['gate.opened', 'gate.closed']);
    expect(run.state.phase).toBe('cancelled');
  });
});
