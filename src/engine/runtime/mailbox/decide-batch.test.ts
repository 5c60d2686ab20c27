import { inSequence, workflowYaml } from '../../../../test/support/engine.js';
import { ANN, compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import type { Signal } from '../../core/signal.js';
import { openPausesOf } from '../../core/waits/pause.js';
import { UNBOUNDED } from '../../core/turn/limits/budget.js';
import { NO_LIMITS } from '../../core/turn/limits/limits.js';
import { decideBatch } from './decide-batch.js';
import type { InboxMessage } from './inbox/inbox-message.js';

const plan = compileText(
  inSequence(
    'w',
    ['one', 'two'].map((id) => ({ id, uses: 'builtin.approval' })),
  ),
);

const decision = (gateId: number): Signal => ({
  type: 'decision',
  at: 2_000,
  gateId,
  approved: true,
  responder: 'ann',
  by: ANN,
  comment: null,
});

function inboxMessageOf(
  signals: readonly Signal[],
  request: 'resume' | 'hitl' | 'start' | null = null,
): InboxMessage {
  const record = { scope: 's', key: 'k', fingerprint: 'f', runId: 'run' };
  return { signals, key: request === null ? null : { record, request }, isKept: false, replies: [] };
}

function decided(...batch: readonly InboxMessage[]) {
  const { state } = new SimulatedRun(plan);
  const result = decideBatch(plan, state, batch, NO_LIMITS, UNBOUNDED);
  return { ...result, from: state, types: result.events.map(({ type }) => type) };
}

describe('a batch of messages', () => {
  it('is decided message after message, each on the state that the one before it left', () => {
    const { types, results, state, isPreempted } = decided(
      inboxMessageOf([decision(2)]),
      inboxMessageOf([decision(2)]),
      inboxMessageOf([decision(4)]),
    );
    expect(types).toEqual(['gate-decided', 'gate-opened', 'gate-decided', 'run-completed']);
    expect(results.map((outcome) => outcome.kind === 'decided' && outcome.changed)).toEqual([
      true,
      false,
      true,
    ]);
    expect([state.phase, state.seq, isPreempted]).toEqual(['completed', 6, false]);
  });

  it('has all signals of one message decided in order', () => {
    const { types, results } = decided(inboxMessageOf([decision(2), decision(4)]));
    expect(types).toEqual(['gate-decided', 'gate-opened', 'gate-decided', 'run-completed']);
    expect(results).toHaveLength(1);
  });

  it('is nothing when it holds nothing, or nothing that changes the run', () => {
    for (const batch of [
      [],
      [inboxMessageOf([])],
      [inboxMessageOf([decision(99)])],
      [inboxMessageOf([decision(99), decision(98)])],
    ]) {
      const { types, state, from, results } = decided(...batch);
      expect([types, state]).toEqual([[], from]);
      expect(results).toEqual(batch.map((message) => ({ kind: 'decided', message, changed: false })));
    }
  });

  it.each(['resume', 'hitl'] as const)(
    'notes a keyed %s that no signal served, at its own time',
    (request) => {
      for (const signals of [[decision(99)], [decision(99), decision(98)]]) {
        const { events, results } = decided(inboxMessageOf(signals, request));
        expect(events).toEqual([expect.objectContaining({ type: 'request-noted', request, at: 2_000 })]);
        expect(results).toEqual([expect.objectContaining({ kind: 'decided', changed: true })]);
      }
      const { events, from } = decided(inboxMessageOf([], request));
      expect(events).toEqual([expect.objectContaining({ type: 'request-noted', at: from.updatedAt })]);
    },
  );

  it('notes no request that was carried out, and no start', () => {
    expect(decided(inboxMessageOf([decision(2)], 'hitl')).types).toEqual(['gate-decided', 'gate-opened']);
    expect(decided(inboxMessageOf([decision(99)], 'start')).types).toEqual([]);
  });

  it('leaves no trace of a message that cannot be decided, and decides the others', () => {
    const broken = Object.defineProperty({ at: 1 }, 'type', {
      get: () => {
        throw new Error('a fault of ours');
      },
    }) as Signal;
    const message = inboxMessageOf([decision(2), broken]);
    const { types, results } = decided(message, inboxMessageOf([decision(2)]));
    expect(types).toEqual(['gate-decided', 'gate-opened']);
    expect(results).toEqual([
      { kind: 'undecided', message, error: new Error('a fault of ours') },
      expect.objectContaining({ kind: 'decided', changed: true }),
    ]);
  });

  it.each(['unit-finished', 'unit-attempt-failed'] as const)(
    'takes back a resume with the %s that it releases when that cannot be decided, and keeps the rest of the message',
    (type) => {
      const outcome = Object.defineProperty({ type, at: 1 }, 'executionId', {
        get: () => {
          throw new Error('a fault of ours');
        },
      }) as Signal;
      const pauses = compileText(
        workflowYaml('w', {
          units: ['a', 'b'].map((id) => ({ id, uses: 'builtin.mock', pause: 'before' })),
          flow: { type: 'parallel', units: ['a', 'b'] },
        }),
      );
      const { state } = new SimulatedRun(pauses);
      const resume = (pauseId: number): Signal => ({ type: 'resume', at: 2_000, pauseId, by: ANN });
      const [first, second] = openPausesOf(state);
      const message = inboxMessageOf([resume(first!), outcome, resume(second!)]);
      const { events, results } = decideBatch(pauses, state, [message], NO_LIMITS, UNBOUNDED);
      expect(events).toMatchObject([
        { type: 'resumed', pauseId: second },
        { type: 'unit-scheduled', unitId: 'b' },
      ]);
      expect(results).toMatchObject([
        { kind: 'decided', changed: true, message: { signals: [resume(second!)] } },
      ]);
    },
  );

  describe('whose budget does not last', () => {
    const count = { id: 'count', uses: 'builtin.set', config: { values: { n: '${{ iteration }}' } } };
    const units = [{ id: 'g', uses: 'builtin.approval' }, count];
    const order = ['g', { type: 'loop', unit: 'count', maxIterations: 400, until: 'false' }];
    const long = compileText(inSequence('w', units, { flow: { type: 'sequential', order } }));
    const { state } = new SimulatedRun(long);
    const nothing = inboxMessageOf([decision(99)]);
    const budget = { ...UNBOUNDED, events: 100 };

    it.each([
      ['of one signal', inboxMessageOf([decision(2)])],
      ['of several signals', inboxMessageOf([decision(2), decision(99)])],
    ])(
      'says that a turn was preempted, in a message %s, and leaves the messages after it',
      (_which, message) => {
        const { continuations, left, isPreempted, results, events } = decideBatch(
          long,
          state,
          [nothing, message, nothing, message],
          NO_LIMITS,
          budget,
        );
        expect([continuations, isPreempted, events.length]).toEqual([
          [{ interrupted: [''], ready: [], at: 2_000 }],
          true,
          100,
        ]);
        expect(left).toEqual([nothing, message]);
        expect(results).toHaveLength(2);
      },
    );

    it('decides the first message in any case', () => {
      const none = { steps: 0, chars: 0, events: 0 };
      const { results, left } = decideBatch(
        long,
        state,
        [inboxMessageOf([decision(2)]), nothing],
        NO_LIMITS,
        none,
      );
      expect(results).toMatchObject([{ kind: 'decided', changed: true }]);
      expect(left).toEqual([nothing]);
    });

    it('is not spent when there was nothing to do', () => {
      const { isPreempted } = decideBatch(long, state, [nothing, nothing, nothing], NO_LIMITS, budget);
      expect(isPreempted).toBe(false);
    });
  });
});
