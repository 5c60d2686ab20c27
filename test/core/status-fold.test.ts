import { StatusFold } from '../../src/engine/core/fold/status-fold.js';
import { pending } from '../../src/engine/core/pending.js';
import { endImport } from '../../src/engine/core/turn/outside-turns.js';
import { INITIAL_STATE, type RunState } from '../../src/engine/core/state/state.js';
import { openPausesOf } from '../../src/engine/core/waits/pause.js';
import { document } from '../support/workflow-documents.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';

const WORK = (id: string) => ({ id, uses: 'work' });
const GATE = (id: string) => ({ id, uses: 'builtin.approval' });

function run(units: readonly object[], flow: unknown): SimulatedRun {
  return new SimulatedRun(compileText(document('w', units, { flow })));
}

/** The changes of a log, each as the type of the event that it is told with. */
function told(of: SimulatedRun, length = of.log.length, base?: RunState): readonly string[] {
  const { log } = of;
  const fold = new StatusFold(INITIAL_STATE);
  for (const event of log.slice(0, length))
    fold.take(event, event.type === 'rewound' ? of.fold(event.toSeq) : base);
  fold.settle();
  return fold.changes.map(({ seq, status }) => `${status} with ${log[seq - 1]!.type}`);
}

function finish(of: SimulatedRun, unitId: string): void {
  const command = pending(of.state).find(
    (one) => one.type === 'execute-unit' && one.execution.unitId === unitId,
  );
  of.answer(command!);
}

function decide(of: SimulatedRun, unitId: string): void {
  const gate = of.log.findLast((event) => event.type === 'gate-opened' && event.unitId === unitId)!;
  of.send({
    type: 'decision',
    at: 2_000,
    gateId: gate.seq,
    approved: true,
    responder: 'ann',
    by: ANN,
    comment: null,
  });
}

describe('the pauses of a run', () => {
  it('begin with the gate at which nothing else moves, and end with what continues', () => {
    const one = run([GATE('ok'), WORK('a')], { type: 'sequential', order: ['ok', 'a'] });
    expect(told(one)).toEqual(['paused with gate-opened']);
    decide(one, 'ok');
    expect(told(one)).toEqual(['paused with gate-opened', 'running with unit-scheduled']);
  });

  it('begin with what ended last, where a gate is open already', () => {
    const two = run([GATE('ok'), WORK('a')], { type: 'parallel', units: ['ok', 'a'] });
    expect(told(two)).toEqual([]);
    finish(two, 'a');
    expect(told(two)).toEqual(['paused with branch-closed']);
  });

  it('are none between a unit that ended and the next of its branch', () => {
    const branch = { type: 'sequential', order: ['a', 'b'] };
    const two = run([GATE('ok'), WORK('a'), WORK('b')], { type: 'parallel', units: ['ok', branch] });
    finish(two, 'a');
    expect(two.log.at(-1)!.type).toBe('unit-scheduled');
    expect(told(two)).toEqual([]);
  });

  it('are told again where a gate follows a gate', () => {
    const gates = run([GATE('one'), GATE('two')], { type: 'sequential', order: ['one', 'two'] });
    decide(gates, 'one');
    expect(told(gates)).toEqual(['paused with gate-opened', 'paused with gate-opened']);
  });

  it('are the same for who reads up to any complete turn, and for who reads on', () => {
    const branch = { type: 'sequential', order: ['a', 'b'] };
    const two = run([GATE('ok'), WORK('a'), WORK('b')], { type: 'parallel', units: ['ok', branch] });
    const ends = [two.log.length];
    finish(two, 'a');
    ends.push(two.log.length);
    finish(two, 'b');
    ends.push(two.log.length);
    decide(two, 'ok');
    const all = told(two);
    for (const end of ends) {
      const until = told(two, end);
      expect(all.slice(0, until.length)).toEqual(until);
    }
  });

  it('end once, however many there were', () => {
    const before = (id: string) => ({ ...WORK(id), pause: 'before' });
    const two = run([before('a'), before('b')], { type: 'parallel', units: ['a', 'b'] });
    expect(told(two)).toEqual(['paused with paused']);
    for (const pauseId of openPausesOf(two.state)) two.send({ type: 'resume', at: 2_000, pauseId, by: ANN });
    expect(told(two)).toEqual(['paused with paused', 'running with unit-scheduled']);
  });

  it('are those of a run that failed and is tried again, from its resume on', () => {
    const two = run([GATE('ok'), { id: 'bad', uses: 'fail' }], { type: 'parallel', units: ['ok', 'bad'] });
    while (two.state.phase === 'live') {
      const [command] = pending(two.state).filter(({ type }) => type === 'execute-unit');
      if (command === undefined) two.send({ type: 'timer-due', at: 100_000 });
      else two.answer(command);
    }
    expect([two.state.phase, told(two)]).toEqual(['failed', []]);
    two.send({ type: 'resume', at: 200_000, pauseId: null, by: ANN });
    expect(told(two)).toEqual([]);
  });

  it('are told anew where a run goes back to one', () => {
    const one = run([GATE('ok'), WORK('a')], { type: 'sequential', order: ['ok', 'a'] });
    const { seq } = one.state;
    decide(one, 'ok');
    finish(one, 'a');
    expect(one.state.phase).toBe('completed');
    one.rewind(seq);
    expect(told(one)).toEqual([
      'paused with gate-opened',
      'running with unit-scheduled',
      'paused with gate-opened',
    ]);
  });

  it('are those of a fork, too, that begins at one', () => {
    const one = run([GATE('ok'), WORK('a')], { type: 'sequential', order: ['ok', 'a'] });
    const fork = one.fork(one.state.seq);
    expect(told(fork, fork.log.length, one.state)).toEqual([`paused with ${fork.log.at(-1)!.type}`]);
  });

  it('are told of an imported log as where it was written, and not of the end that the import is', () => {
    const one = run([GATE('ok'), WORK('a')], { type: 'sequential', order: ['ok', 'a'] });
    const { event, state } = endImport(one.state, 9_000, { sha256: 'ab', by: ANN });
    one.log.push(event);
    expect([state.phase, told(one)]).toEqual(['cancelled', ['paused with gate-opened']]);
  });

  it('end with a clean-up, and are not told of an end', () => {
    const one = run([GATE('ok')], { type: 'sequential', order: ['ok'] });
    one.ask('cancel', 0);
    expect([one.state.phase, told(one)]).toEqual(['cancelled', ['paused with gate-opened']]);
  });
});
