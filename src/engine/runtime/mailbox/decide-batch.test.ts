import { inSequence, workflowYaml } from '../../../../test/support/engine.js';
import { ANN, compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import type { Signal } from '../../core/signal.js';
import { openPausesOf } from '../../core/waits/pause.js';
import { UNBOUNDED } from '../../core/turn/budget.js';
import { NO_LIMITS } from '../../core/turn/limits.js';
import { decideBatch } from './decide-batch.js';
import type { Mail } from './mail.js';

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

function mailOf(signals: readonly Signal[], request: 'resume' | 'hitl' | 'start' | null = null): Mail {
  const record = { scope: 's', key: 'k', fingerprint: 'f', runId: 'run' };
  return { signals, key: request === null ? null : { record, request }, isKept: false, replies: [] };
}

function decided(...batch: readonly Mail[]) {
  const { state } = new SimulatedRun(plan);
  const result = decideBatch(plan, state, batch, NO_LIMITS, UNBOUNDED);
  return { ...result, from: state, types: result.events.map(({ type }) => type) };
}

describe('a batch of mail', () => {
  it('is decided mail after mail, each on what the one before it left', () => {
    const { types, outcomes, state, isCut } = decided(
      mailOf([decision(2)]),
      mailOf([decision(2)]),
      mailOf([decision(4)]),
    );
    expect(types).toEqual(['gate-decided', 'gate-opened', 'gate-decided', 'run-completed']);
    expect(outcomes.map((outcome) => outcome.kind === 'decided' && outcome.changed)).toEqual([
      true,
      false,
      true,
    ]);
    expect([state.phase, state.seq, isCut]).toEqual(['completed', 6, false]);
  });

  it('has all signals of one mail decided in order', () => {
    const { types, outcomes } = decided(mailOf([decision(2), decision(4)]));
    expect(types).toEqual(['gate-decided', 'gate-opened', 'gate-decided', 'run-completed']);
    expect(outcomes).toHaveLength(1);
  });

  it('is nothing when it holds nothing, or nothing that changes the run', () => {
    for (const batch of [
      [],
      [mailOf([])],
      [mailOf([decision(99)])],
      [mailOf([decision(99), decision(98)])],
    ]) {
      const { types, state, from, outcomes } = decided(...batch);
      expect([types, state]).toEqual([[], from]);
      expect(outcomes).toEqual(batch.map((mail) => ({ kind: 'decided', mail, changed: false })));
    }
  });

  it.each(['resume', 'hitl'] as const)(
    'notes a keyed %s that no signal served, at its own time',
    (request) => {
      for (const signals of [[decision(99)], [decision(99), decision(98)]]) {
        const { events, outcomes } = decided(mailOf(signals, request));
        expect(events).toEqual([expect.objectContaining({ type: 'request-noted', request, at: 2_000 })]);
        expect(outcomes).toEqual([expect.objectContaining({ kind: 'decided', changed: true })]);
      }
      const { events, from } = decided(mailOf([], request));
      expect(events).toEqual([expect.objectContaining({ type: 'request-noted', at: from.updatedAt })]);
    },
  );

  it('notes no request that was carried out, and no start', () => {
    expect(decided(mailOf([decision(2)], 'hitl')).types).toEqual(['gate-decided', 'gate-opened']);
    expect(decided(mailOf([decision(99)], 'start')).types).toEqual([]);
  });

  it('leaves no trace of a mail that cannot be decided, and decides the others', () => {
    const broken = Object.defineProperty({ at: 1 }, 'type', {
      get: () => {
        throw new Error('a fault of ours');
      },
    }) as Signal;
    const mail = mailOf([decision(2), broken]);
    const { types, outcomes } = decided(mail, mailOf([decision(2)]));
    expect(types).toEqual(['gate-decided', 'gate-opened']);
    expect(outcomes).toEqual([
      { kind: 'undecided', mail, error: new Error('a fault of ours') },
      expect.objectContaining({ kind: 'decided', changed: true }),
    ]);
  });

  it.each(['unit-finished', 'unit-attempt-failed'] as const)(
    'takes back a resume with the %s that it lets go when that cannot be decided, and keeps the rest of the mail',
    (type) => {
      const answer = Object.defineProperty({ type, at: 1 }, 'executionId', {
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
      const mail = mailOf([resume(first!), answer, resume(second!)]);
      const { events, outcomes } = decideBatch(pauses, state, [mail], NO_LIMITS, UNBOUNDED);
      expect(events).toMatchObject([
        { type: 'resumed', pauseId: second },
        { type: 'unit-scheduled', unitId: 'b' },
      ]);
      expect(outcomes).toMatchObject([
        { kind: 'decided', changed: true, mail: { signals: [resume(second!)] } },
      ]);
    },
  );

  describe('whose budget does not last', () => {
    const count = { id: 'count', uses: 'builtin.set', config: { values: { n: '${{ iteration }}' } } };
    const units = [{ id: 'g', uses: 'builtin.approval' }, count];
    const order = ['g', { type: 'loop', unit: 'count', maxIterations: 400, until: 'false' }];
    const long = compileText(inSequence('w', units, { flow: { type: 'sequential', order } }));
    const { state } = new SimulatedRun(long);
    const nothing = mailOf([decision(99)]);
    const budget = { ...UNBOUNDED, events: 100 };

    it.each([
      ['of one signal', mailOf([decision(2)])],
      ['of several signals', mailOf([decision(2), decision(99)])],
    ])('says that a turn was cut short, in a mail %s, and leaves the mails after it', (_which, mail) => {
      const { rests, left, isCut, outcomes, events } = decideBatch(
        long,
        state,
        [nothing, mail, nothing, mail],
        NO_LIMITS,
        budget,
      );
      expect([rests, isCut, events.length]).toEqual([[{ interrupted: [''], ready: [] }], true, 100]);
      expect(left).toEqual([nothing, mail]);
      expect(outcomes).toHaveLength(2);
    });

    it('decides the first mail in any case', () => {
      const none = { steps: 0, chars: 0, events: 0 };
      const { outcomes, left } = decideBatch(long, state, [mailOf([decision(2)]), nothing], NO_LIMITS, none);
      expect(outcomes).toMatchObject([{ kind: 'decided', changed: true }]);
      expect(left).toEqual([nothing]);
    });

    it('is one that lasts when nothing was to be done', () => {
      const { isCut } = decideBatch(long, state, [nothing, nothing, nothing], NO_LIMITS, budget);
      expect(isCut).toBe(false);
    });
  });
});
