import { foldLog } from '../../src/engine/core/fold-log.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { pending } from '../../src/engine/core/pending.js';
import type { Signal } from '../../src/engine/core/signal.js';
import { decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import type { FamilyOrder } from '../../src/engine/core/waits/events/child-events.js';
import { openChildrenOf } from '../../src/engine/core/family/family-orders.js';
import { openPausesOf } from '../../src/engine/core/waits/pause.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const child = (id: string) => ({ id, uses: 'builtin.workflow', config: { workflowId: 'inner' } });
const gate = { id: 'gate', uses: 'builtin.approval', config: { title: 'Go on?' } };
const stop = (id: string) => ({ id, uses: 'work', pause: 'before' });
const typesOf = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);

const run = (units: readonly object[], more: object = {}): SimulatedRun =>
  new SimulatedRun(compileText(document('w', units, more)));
const atOnce = (...units: readonly { readonly id: string }[]): SimulatedRun =>
  run(units, { flow: { type: 'parallel', units: units.map(({ id }) => id) } });

const ordersOf = (parent: SimulatedRun) =>
  [...openChildrenOf(parent.state)]
    .sort((a, b) => a.id - b.id)
    .map(({ order }) => (order === null ? null : [order.type, order.throughSeq]));
const tell = (
  parent: SimulatedRun,
  which: number,
  told: { isPaused: boolean; seq: number; followed?: number },
) => {
  const { childRunId, key } = [...openChildrenOf(parent.state)].sort((a, b) => a.id - b.id)[which]!;
  const { isPaused, seq, followed: followedSeq = 0 } = told;
  const stoppedSeq = isPaused ? seq : 0;
  return parent.send({
    type: 'child-stands',
    at: 2_000,
    childRunId,
    key,
    isPaused,
    seq,
    stoppedSeq,
    followedSeq,
    isFollowing: isPaused,
    isApart: false,
  });
};
const pause = (parent: SimulatedRun) => parent.send({ type: 'pause', at: 3_000, by: ANN, graceMs: 500 });
/** What a request to resume sends, as the run stood at `seenSeq`. */
const resume = (parent: SimulatedRun, seenSeq = parent.state.seq): readonly RunEvent[] => {
  const own = openPausesOf(parent.state).filter((id) => id <= seenSeq);
  const lifted = own.flatMap((pauseId) => parent.send({ type: 'resume', at: 4_000, pauseId, by: ANN }));
  return [...lifted, ...parent.send({ type: 'resume-family', at: 4_000, by: ANN, seenSeq })];
};
const follow = (below: SimulatedRun, order: Partial<FamilyOrder>): readonly RunEvent[] => {
  const whole: FamilyOrder = {
    seq: 10,
    type: 'pause',
    by: ANN,
    seenSeq: 0,
    throughSeq: 0,
    budget: null,
    ...order,
  };
  const signal: Signal = { type: 'follow', at: 5_000, order: whole, graceMs: 500 };
  return below.send(signal);
};

describe('the run that receives the request', () => {
  it('orders every child to pause, whatever it does, in the append of its own pause', () => {
    const parent = atOnce(child('a'), child('b'));
    tell(parent, 1, { isPaused: true, seq: 4 });
    expect(typesOf(pause(parent))).toEqual(['paused', 'family-paused']);
    expect(ordersOf(parent)).toEqual([
      ['pause', 0],
      ['pause', 0],
    ]);
  });

  it('gives no order where it has no family', () => {
    const alone = run([gate]);
    expect(typesOf(pause(alone))).toEqual(['paused']);
    expect(typesOf(resume(alone))).toEqual(['resumed']);
  });

  it('orders them to continue, as far as they had reported their pauses', () => {
    const parent = atOnce(child('a'), child('b'));
    tell(parent, 1, { isPaused: true, seq: 4 });
    const [event] = resume(parent);
    expect(event).toMatchObject({ type: 'family-resumed', by: ANN });
    expect(ordersOf(parent)).toEqual([null, ['resume', 4]]);
  });

  it('orders them once where two requests saw the same', () => {
    const parent = run([child('a')]);
    tell(parent, 0, { isPaused: true, seq: 4 });
    const seen = parent.state.seq;
    expect(typesOf(resume(parent, seen))).toEqual(['family-resumed']);
    expect(resume(parent, seen)).toEqual([]);
    tell(parent, 0, { isPaused: true, seq: 9 });
    expect(resume(parent, seen)).toEqual([]);
    expect(typesOf(resume(parent))).toEqual(['family-resumed']);
    expect(ordersOf(parent)).toEqual([['resume', 9]]);
  });

  it('takes a pause back that its children may not have followed yet', () => {
    const parent = run([child('a')]);
    pause(parent);
    expect(typesOf(resume(parent))).toEqual(['resumed', 'family-resumed']);
    expect(ordersOf(parent)).toEqual([['resume', 0]]);
  });

  it('pauses a child again that continued by itself, and no other', () => {
    const parent = atOnce(child('a'), child('b'));
    const [, order] = pause(parent);
    expect(pause(parent)).toEqual([]);
    tell(parent, 0, { isPaused: true, seq: 5, followed: order!.seq });
    tell(parent, 0, { isPaused: false, seq: 6, followed: order!.seq });
    const [again, ...others] = pause(parent);
    expect([again?.type, others]).toEqual(['family-paused', []]);
    const told = openChildrenOf(parent.state).filter(({ order: given }) => given?.seq === again?.seq);
    expect(told.map(({ unitId }) => unitId)).toEqual(['a']);
  });

  it('is notified of a child that comes from one pause to the next, and of nothing old', () => {
    const parent = run([child('a')]);
    expect(typesOf(tell(parent, 0, { isPaused: true, seq: 5 }))).toEqual(['child-paused']);
    expect(tell(parent, 0, { isPaused: true, seq: 5 })).toEqual([]);
    expect(typesOf(tell(parent, 0, { isPaused: true, seq: 8 }))).toEqual(['child-paused']);
    expect(tell(parent, 0, { isPaused: false, seq: 6 })).toEqual([]);
  });

  it('is the same when it is read again', () => {
    const parent = atOnce(child('a'), child('b'));
    tell(parent, 1, { isPaused: true, seq: 4 });
    pause(parent);
    resume(parent);
    const { state } = parent;
    for (const loaded of [foldLog(INITIAL_STATE, parent.log), decodeState(encodeState(state))]) {
      expect(encodeState(loaded)).toEqual(encodeState(state));
      expect(pending(loaded)).toEqual(pending(state));
    }
  });
});

describe('a child', () => {
  it('follows a pause once, and passes it on', () => {
    const middle = run([child('inner')]);
    const [paused, ...rest] = follow(middle, { seq: 10 });
    expect([paused, typesOf(rest)]).toMatchObject([
      { type: 'paused', reason: 'requested', orderSeq: 10 },
      ['family-paused'],
    ]);
    expect([statusOf(middle.state), follow(middle, { seq: 10 }), follow(middle, { seq: 9 })]).toEqual([
      'paused',
      [],
      [],
    ]);
  });

  it('is paused at a gate: a decision is recorded, and nothing comes of it before the child continues', () => {
    const below = run([gate, { id: 'pay', uses: 'work' }]);
    follow(below, { seq: 10 });
    const [command] = pending(below.state);
    expect(command?.type).toBe('await-resume');
    const gateId = below.log.find(({ type }) => type === 'gate-opened')!.seq;
    const decided = below.send({
      type: 'decision',
      at: 6_000,
      gateId,
      approved: true,
      responder: 'ann',
      by: ANN,
      comment: null,
    });
    expect(typesOf(decided)).toEqual(['gate-decided']);
    expect(typesOf(follow(below, { seq: 11, type: 'resume' }))).toEqual(['resumed', 'unit-scheduled']);
  });

  it('continues from the pauses that its parent knew of, and stays at the next', () => {
    const below = run([stop('a'), stop('b')]);
    const throughSeq = below.state.seq;
    const order = { seq: 11, type: 'resume', throughSeq } as const;
    follow(below, order);
    below.answer(pending(below.state)[0]!);
    expect(statusOf(below.state)).toBe('paused');
    expect(follow(below, order)).toEqual([]);
    expect(statusOf(below.state)).toBe('paused');
  });

  it('that was resumed by its own address has followed the pause', () => {
    const below = run([gate]);
    follow(below, { seq: 10 });
    resume(below);
    expect(follow(below, { seq: 10 })).toEqual([]);
    expect(openPausesOf(below.state)).toEqual([]);
    expect(typesOf(follow(below, { seq: 12 }))).toEqual(['paused']);
  });

  it('keeps a pause that was requested after its parent’s was lifted', () => {
    const below = run([gate]);
    follow(below, { seq: 10 });
    const throughSeq = below.state.seq;
    resume(below);
    const [own] = pause(below);
    expect(follow(below, { seq: 11, type: 'resume', throughSeq })).toEqual([]);
    expect(openPausesOf(below.state)).toEqual([own!.seq]);
  });

  it('keeps its own children paused while another request’s pause is open', () => {
    const middle = run([child('inner')]);
    pause(middle);
    const throughSeq = 0;
    expect(typesOf(follow(middle, { seq: 10 }))).toEqual(['paused']);
    expect(typesOf(follow(middle, { seq: 11, type: 'resume', throughSeq }))).toEqual(['resumed']);
    expect(ordersOf(middle)).toEqual([['pause', 0]]);
    expect(typesOf(resume(middle))).toEqual(['resumed', 'family-resumed']);
  });

  it('that is over, or comes to its end, follows nothing', () => {
    const over = run([{ id: 'a', uses: 'work' }]);
    over.answer(pending(over.state)[0]!);
    expect(follow(over, {})).toEqual([]);
    const ending = run([{ id: 'a', uses: 'work' }], { onCancel: ['a'] });
    ending.send({ type: 'cancel', at: 4_000, by: ANN, graceMs: 100 });
    expect(follow(ending, {})).toEqual([]);
  });
});
