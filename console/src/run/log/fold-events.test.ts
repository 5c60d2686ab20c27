import fc from 'fast-check';
import type { RunEvent } from '../../../../clients/typescript/src/types/events.js';
import { wholeOf } from '../../../../src/engine/runtime/events/shown-event.js';
import { statusOf } from '../../../../src/engine/core/state/status.js';
import { compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { WanderingRun } from '../../../../test/support/wandering-run.js';
import { timedWorkflowText } from '../../../../test/support/workflow-arbitrary.js';
import { document, gate } from '../../../../test/support/workflow-documents.js';
import { RunFold, rebased } from './fold-events.js';
import type { RunPicture } from './picture.js';

const OWNER = { runId: 'run', workflowId: 'w' };

/** The run's log as the service shows it. */
function shown(run: SimulatedRun): readonly RunEvent[] {
  return run.log.flatMap((event) => {
    const form = wholeOf(OWNER, event, 'log');
    return form === null ? [] : [form as RunEvent];
  });
}

function pictureOf(run: SimulatedRun): RunPicture {
  const fold = new RunFold();
  fold.take(shown(run));
  return fold.picture;
}

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const run = (units: readonly object[], flow: object, spec: object = {}) =>
  new SimulatedRun(compileText(document('w', units, { flow, ...spec })));

function statesOf({ executions }: RunPicture): readonly string[] {
  return executions.map(
    ({ unitId, state, isSuperseded }) => `${unitId} ${state}${isSuperseded ? ' before' : ''}`,
  );
}

const OPEN_KINDS = new Set(['execution', 'gate', 'timer', 'child']);

describe('a picture of a run', () => {
  it('shows calls, gates and their decisions in the order in which they began', () => {
    const one = run([work('check'), gate('ask'), work('pay')], { type: 'sequential' });
    one.finish(() => 0);
    const picture = pictureOf(one);
    expect(statesOf(picture)).toEqual(['check completed', 'ask completed', 'pay completed']);
    expect(picture.executions[1]?.gate).toMatchObject({
      title: 'May ask pass?',
      approved: true,
      responder: 'ann',
    });
    expect(picture.status).toBe('completed');
    expect(picture.checkpoints.map(({ after, unitId }) => `${after} ${unitId}`)).toEqual([
      'unit-finished check',
      'gate-opened ask',
      'gate-decided ask',
      'unit-finished pay',
    ]);
  });

  it('marks what lost a race', () => {
    const wait = { id: 'wait', uses: 'builtin.wait', config: { durationMs: 60_000 } };
    const one = run([work('quick'), wait], { type: 'race', units: ['wait', 'quick'] });
    one.finish((count) => count - 1);
    const picture = pictureOf(one);
    expect(statesOf(picture)).toEqual(['wait lost', 'quick completed']);
    expect([...picture.flows.values()][0]?.winner).toBe(1);
  });

  it('keeps what it went back beyond apart from what counts', () => {
    const one = run([work('a'), work('b')], { type: 'sequential' });
    one.finish(() => 0);
    one.rewind(3);
    one.finish(() => 0);
    expect(statesOf(pictureOf(one))).toEqual(['a completed', 'b completed before', 'b completed']);
  });

  it('has the same parts however the events come: at once, one by one, or twice', () => {
    const one = run([work('a'), { id: 'f', uses: 'fail' }], { type: 'try', do: 'f', catch: 'a' });
    one.finish(() => 0);
    const events = shown(one);
    const fold = new RunFold();
    for (const event of events) {
      expect(fold.take([event])).toBe(true);
      expect(fold.take([event])).toBe(false);
    }
    expect(fold.picture).toEqual(pictureOf(one));
    expect(fold.picture).toBe(fold.picture);
  });

  it('begins in a fork with what was inherited', () => {
    const one = run([work('a'), work('b')], { type: 'sequential' });
    one.finish(() => 0);
    const fork = one.fork(3);
    fork.finish(() => 0);
    const fold = new RunFold();
    fold.take([...rebased(shown(one), 3), ...shown(fork)]);
    expect(
      fold.picture.executions.map(({ unitId, id, isInherited }) => [unitId, id <= 0, isInherited]),
    ).toEqual([
      ['a', true, true],
      ['b', false, false],
    ]);
    expect(fold.picture.forkedFrom).toEqual({ runId: 'run', seq: 3 });
  });

  it('agrees with the engine on its status and on all that is open, whatever happens to the run', () => {
    const dice = fc.array(fc.nat(0xffff), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(timedWorkflowText, dice, (text, numbers) => {
        let thrown = 0;
        const wandering = new WanderingRun(compileText(text), () => numbers[thrown++ % numbers.length]!);
        const { run: one } = wandering;
        const fold = new RunFold();
        wandering.wander(30, () => {
          fold.take(shown(one));
          const { state } = one;
          const ended = fold.picture.status === 'cancelled' ? 'failed' : fold.picture.status;
          const isOver = state.phase !== 'live';
          if (isOver) expect(ended).toBe(statusOf(state));
          if (isOver || state.cancelling !== null) return;
          const waits = [...state.waits.values()].filter(({ kind }) => OPEN_KINDS.has(kind));
          const open = fold.picture.executions.filter(({ endedAt }) => endedAt === null);
          expect(open.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
            waits.map(({ id }) => id).sort((a, b) => a - b),
          );
        });
      }),
      { numRuns: 100, endOnFailure: true },
    );
  }, 60_000);
});
