import { messagesOf } from '../../src/engine/core/log/messages.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { pending } from '../../src/engine/core/pending.js';
import { activeMsAt, statusOf } from '../../src/engine/core/state/status.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });

function ended(units: readonly object[], flow?: unknown): SimulatedRun {
  const run = new SimulatedRun(compileText(document('w', units, flow === undefined ? {} : { flow })));
  run.finish(() => 0);
  return run;
}

describe('an expression that cannot be evaluated', () => {
  it.each<readonly [string, readonly object[], unknown, string]>([
    ['input', [work('a', { with: { x: '${{ state.nope }}' } })], undefined, 'Unit a: '],
    ['condition', [work('a', { if: 'state.nope' })], undefined, 'Unit a: '],
    [
      'title of a gate',
      [{ id: 'ask', uses: 'builtin.approval', config: { title: '${{ input }}' } }],
      undefined,
      'Unit ask: its title must be text: it is an object.',
    ],
    [
      'case of a switch',
      [work('a')],
      { type: 'switch', cases: [{ if: 'state.nope', do: 'a' }] },
      'The switch at /spec/flow: ',
    ],
    [
      'items of a foreach',
      [work('a')],
      { type: 'foreach', items: 'state.nope', do: 'a' },
      'The foreach at /spec/flow: ',
    ],
    [
      'condition of a loop',
      [work('a')],
      { type: 'loop', do: 'a', until: 'state.nope' },
      'The loop at /spec/flow: ',
    ],
    [
      'input after a pause',
      [work('a', { pause: 'before', with: { x: '${{ state.nope }}' } })],
      undefined,
      'Unit a: ',
    ],
  ])('as the %s fails the run with an error that names whose it is', (_what, units, flow, beginning) => {
    const { state } = ended(units, flow);
    expect(state.phase).toBe('failed');
    expect(state.error?.startsWith(beginning)).toBe(true);
    expect(state.error?.split(beginning)).toHaveLength(2);
  });
});

describe('the messages of a run', () => {
  const told = (log: readonly RunEvent[]) =>
    log.flatMap((event) => messagesOf('run', event)).filter(({ type }) => type !== 'checkpoint');

  it('name the unit that failed, after its retries, and why the run did', () => {
    const run = ended([{ id: 'a', uses: 'fail' }]);
    expect(told(run.log)).toMatchObject([
      { type: 'unit-retry', unitId: 'a', attempt: 1, error: 'broken' },
      { type: 'unit-failed', unitId: 'a', attempt: 2, error: 'Unit a failed after 2 attempt(s): broken' },
      { type: 'run-failed', error: 'Unit a failed after 2 attempt(s): broken' },
    ]);
  });

  it('say nothing of a pause that the author wanted', () => {
    const run = ended([work('a', { pause: 'before' })]);
    expect(told(run.log).map(({ type }) => type)).toEqual(['unit-output']);
  });
});

describe('a keyed request that finds nothing to do', () => {
  it.each(['completed', 'failed'])('leaves a run that is %s as it was shown', (status) => {
    const run = ended([{ id: 'a', uses: status === 'failed' ? 'fail' : 'work' }]);
    const { updatedAt, activeMs, phase, checkpoint } = run.state;
    expect(statusOf(run.state)).toBe(status);
    const [noted] = run.send({ type: 'note', at: updatedAt + 500, request: 'resume' });
    expect(noted).toMatchObject({ type: 'request-noted', at: updatedAt + 500 });
    expect(run.state).toMatchObject({ updatedAt, activeMs, phase, checkpoint, activeSince: null });
    expect(activeMsAt(run.state, updatedAt + 500)).toBe(activeMs);
  });

  it('is noted in order: what comes later has no earlier time', () => {
    const run = ended([{ id: 'a', uses: 'fail' }]);
    const { updatedAt } = run.state;
    run.send({ type: 'note', at: updatedAt + 500, request: 'hitl' });
    const [resumed] = run.send({ type: 'resume', at: updatedAt + 1, pauseId: null, by: ANN });
    expect(resumed!.at).toBe(updatedAt + 500);
  });

  it('is nothing to a run that has not begun', () => {
    const plan = compileText(document('w', [work('a')]));
    const run = new SimulatedRun(plan);
    expect(pending(run.state)).toHaveLength(1);
    run.log = [];
    run.state = { ...run.state, phase: 'pending' };
    expect(run.send({ type: 'note', at: 1, request: 'hitl' })).toEqual([]);
  });
});
