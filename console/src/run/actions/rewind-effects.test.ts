import type { RunEvent } from '../../../../clients/typescript/src/types/events.js';
import { wholeOf } from '../../../../src/engine/runtime/events/shown-event.js';
import { compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { document, gate } from '../../../../test/support/workflow-documents.js';
import { RunFold } from '../log/fold-events.js';
import { rewindEffects } from './rewind-effects.js';

const run = new SimulatedRun(
  compileText(document('w', [{ id: 'a', uses: 'work' }, gate('ask'), { id: 'b', uses: 'work' }])),
);
run.finish(() => 0);
const fold = new RunFold();
fold.take(
  run.log.flatMap(
    (event) => (wholeOf({ runId: 'r', workflowId: 'w' }, event, 'log') as RunEvent | null) ?? [],
  ),
);
const { picture } = fold;
const after = (name: string) => picture.checkpoints.find((one) => `${one.after} ${one.unitId}` === name)!.seq;

describe('going back', () => {
  it('calls again what was called since, and keeps the decisions from before', () => {
    const { calledAgain, decisions } = rewindEffects(picture, after('gate-decided ask'));
    expect(calledAgain).toEqual(['b']);
    expect(decisions.map(({ unitId }) => unitId)).toEqual(['ask']);
  });

  it('to before a gate keeps no decision', () => {
    expect(rewindEffects(picture, after('unit-finished a'))).toEqual({ calledAgain: ['b'], decisions: [] });
  });
});
