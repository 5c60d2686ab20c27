/**
 * It replaces modules.
 * @jest-environment node
 */
import { jest } from '@jest/globals';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import type { Plan } from '../../src/engine/core/plan/plan.js';
import type { Signal } from '../../src/engine/core/signal.js';
import type { NodeBehaviour } from '../../src/engine/core/turn/behaviour.js';
import { document } from '../support/workflow-documents.js';

const RINGS_AFTER_MS = 500;

/** The unit that hangs the bell; every unit kind has one file and one line, too. */
const hangBell: NodeBehaviour = {
  execute({ turn, scope }, { path }, { id: unitId }) {
    const event = { type: 'bell-hung', path, scope, unitId, tone: 'ding', dueAt: turn.at + RINGS_AFTER_MS };
    turn.emit(event as never);
    return { do: 'read' };
  },
};

// Its one file is test/support/toy-wait.ts, and this is its one line in the registry.
jest.unstable_mockModule('../../src/engine/core/waits/registry.js', async () => {
  const { execution } = await import('../../src/engine/core/waits/execution.js');
  const { gate } = await import('../../src/engine/core/waits/gate.js');
  const { pause } = await import('../../src/engine/core/waits/pause.js');
  const { bell } = await import('../support/toy-wait.js');
  return { WAIT_KINDS: { execution, gate, pause, bell } };
});
jest.unstable_mockModule('../../src/engine/core/nodes/registry.js', async () => {
  const { execute } = await import('../../src/engine/core/nodes/execute.js');
  return { NODES: { execute, bell: hangBell } };
});

const { foldLog } = await import('../../src/engine/core/fold-log.js');
const { decodeEvents } = await import('../../src/engine/core/log/event-codec.js');
const { isCheckpoint } = await import('../../src/engine/core/log/checkpoint.js');
const { messagesOf } = await import('../../src/engine/core/log/messages.js');
const { pending, pendingAfter } = await import('../../src/engine/core/pending.js');
const { decodeState, encodeState } = await import('../../src/engine/core/state/codec/state-codec.js');
const { INITIAL_STATE } = await import('../../src/engine/core/state/state.js');
const { recordedState } = await import('../../src/engine/core/state/view/state-view.js');
const { statusOf, wakeAtOf } = await import('../../src/engine/core/state/status.js');
const { ANN, compileText, SimulatedRun } = await import('../support/simulated-run.js');

/** The workflow, in which the unit `bell` waits for the bell. */
function withBell(flow: unknown): Plan {
  const units = ['a', 'bell', 'b'].map((id) => ({ id, uses: 'work' }));
  const plan = compileText(document('w', units, { flow }));
  const unit = { ...plan.units.get('bell')!, kind: 'bell' as never };
  return { ...plan, units: new Map([...plan.units, ['bell', unit]]) };
}

const IN_ORDER = { type: 'sequential', order: ['a', 'bell', 'b'] };

function hung(flow: unknown = IN_ORDER) {
  const run = new SimulatedRun(withBell(flow));
  run.answer(pending(run.state)[0]!);
  return { run, bellId: run.log.findLast(({ type }) => (type as string) === 'bell-hung')!.seq };
}

function ring(run: InstanceType<typeof SimulatedRun>, bellId: number): readonly RunEvent[] {
  return run.send({ type: 'ring', at: 1_100, bellId, by: 'ann' } as unknown as Signal);
}

const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);

describe('a kind of wait of which nothing is known but its file', () => {
  it('opens, requires its command of the shell, and ends by its signal, once', () => {
    const { run, bellId } = hung();
    expect(pending(run.state)).toEqual([{ type: 'await-ring', bellId }]);
    expect(pendingAfter(run.state, [run.log.at(-1)!])).toEqual({
      commands: [{ type: 'await-ring', bellId }],
      isWhole: false,
      released: [],
      mayHaveReleasedOthers: false,
    });
    expect(typesOf(ring(run, bellId))).toEqual(['bell-rung', 'unit-scheduled']);
    expect(ring(run, bellId)).toEqual([]);
    expect(recordedState(run.state)).toMatchObject({ 'output.bell': 'ding by ann' });
    run.answer(pending(run.state)[0]!);
    expect(statusOf(run.state)).toBe('completed');
  });

  it('moves by itself when it is due, and the run says when', () => {
    const { run } = hung();
    const dueAt = run.state.updatedAt + RINGS_AFTER_MS;
    expect([statusOf(run.state), wakeAtOf(run.state)]).toEqual(['running', dueAt]);
    expect(run.send({ type: 'timer-due', at: dueAt - 1 })).toEqual([]);
    expect(typesOf(run.send({ type: 'timer-due', at: dueAt }))).toEqual(['bell-rung', 'unit-scheduled']);
    expect(wakeAtOf(run.state)).toBeNull();
    expect(recordedState(run.state)).toMatchObject({ 'output.bell': 'ding by the clock' });
  });

  it('is in the messages and among the checkpoints as its file says', () => {
    const { run, bellId } = hung();
    const [rung] = ring(run, bellId);
    expect(isCheckpoint(rung!)).toBe(true);
    expect(messagesOf('run', rung!).map(({ type }) => type)).toEqual(['rang', 'checkpoint']);
    expect(messagesOf('run', run.log[bellId - 1]!)).toEqual([]);
  });

  it('is stored and loaded while it is open, and continues from there', () => {
    const { run, bellId } = hung();
    const live = encodeState(run.state);
    const loaded = decodeState(JSON.parse(JSON.stringify(live)));
    expect(encodeState(loaded)).toEqual(live);
    expect(encodeState(foldLog(INITIAL_STATE, run.log))).toEqual(live);
    expect([statusOf(loaded), wakeAtOf(loaded)]).toEqual([statusOf(run.state), wakeAtOf(run.state)]);
    run.state = loaded;
    expect(typesOf(ring(run, bellId))).toEqual(['bell-rung', 'unit-scheduled']);
  });

  it('is read in its older versions, and a newer one is refused', () => {
    const { run, bellId } = hung();
    const event = run.log[bellId - 1] as RunEvent & { tone: string };
    expect(event.v).toBe(2);
    const { tone, ...rest } = event;
    const first = { ...rest, v: 1, sound: tone };
    expect(decodeEvents([first], 'run')).toEqual([event]);
    expect(() => decodeEvents([{ ...event, v: 3 }], 'run')).toThrow('type bell-hung, version 3');
  });

  it('is opened anew, under a new id, when the run goes back to where it was open', () => {
    const { run, bellId } = hung();
    ring(run, bellId);
    const events = run.rewind(bellId - 1);
    expect(typesOf(events)).toEqual(['rewound', 'bell-hung']);
    expect(pending(run.state)).toEqual([{ type: 'await-ring', bellId: events[1]!.seq }]);
    expect(ring(run, bellId)).toEqual([]);
    expect(encodeState(foldLog(INITIAL_STATE, run.log))).toEqual(encodeState(run.state));
    const back = run.rewind(bellId);
    expect(typesOf(back)).toEqual(['rewound', 'bell-hung']);
  });

  /** A branch with the bell and the unit b in it, which fails while the bell hangs; then all else is done. */
  function failedBeside(failureStrategy: string) {
    const branch = { type: 'parallel', units: ['bell', 'b'] };
    const run = new SimulatedRun(withBell({ type: 'parallel', failureStrategy, units: [branch, 'a'] }));
    const b = run.log.find((event) => event.type === 'unit-scheduled' && event.unitId === 'b')!;
    const failure = {
      executionId: b.seq,
      attempt: 1,
      error: 'no',
      retryable: false,
      outcome: 'refused',
    } as const;
    const failed = run.send({ type: 'unit-attempt-failed', at: 1_100, ...failure, retryAfterMs: null });
    expect(pendingAfter(run.state, failed).mayHaveReleasedOthers).toBe(true);
    expect(pending(run.state).map(({ type }) => type as string)).not.toContain('await-ring');
    for (const command of pending(run.state)) run.answer(command);
    return run;
  }

  it('is gone when its branch failed and the others continue', () => {
    const run = failedBeside('best-effort');
    expect(statusOf(run.state)).toBe('completed');
    expect(wakeAtOf(run.state)).toBeNull();
    expect(typesOf(run.log).filter((type) => type === 'bell-hung')).toHaveLength(1);
  });

  it('is opened anew when a resumed run takes its failed branch up again', () => {
    const run = failedBeside('collect-errors');
    expect([statusOf(run.state), run.state.waits.size]).toEqual(['failed', 0]);
    const resumed = run.send({ type: 'resume', at: 1_200, pauseId: null, by: ANN });
    expect(typesOf(resumed).filter((type) => type === 'bell-hung')).toHaveLength(1);
  });

  it('is still there when a run that failed as a whole is resumed', () => {
    const run = failedBeside('fail-fast');
    expect(statusOf(run.state)).toBe('failed');
    run.send({ type: 'resume', at: 1_200, pauseId: null, by: ANN });
    const [bellHung] = run.log.filter(({ type }) => (type as string) === 'bell-hung');
    expect(pending(run.state)).toContainEqual({ type: 'await-ring', bellId: bellHung!.seq });
  });
});
