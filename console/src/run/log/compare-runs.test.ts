import type { RunEvent } from '../../../../clients/typescript/src/types/events.js';
import { wholeOf } from '../../../../src/engine/runtime/events/shown-event.js';
import { compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { document, gate } from '../../../../test/support/workflow-documents.js';
import { compareRuns, isSame } from './compare-runs.js';
import { RunFold } from './fold-events.js';

function pictureOf(run: SimulatedRun) {
  const fold = new RunFold();
  const owner = { runId: 'r', workflowId: 'w' };
  fold.take(run.log.flatMap((event) => (wholeOf(owner, event, 'log') as RunEvent | null) ?? []));
  return fold.picture;
}

const units = [
  { id: 'a', uses: 'work' },
  { id: 'b', uses: 'work', with: { n: '${{ input.n }}' } },
  gate('ask'),
];
const plan = compileText(document('w', units));

function finished(n: number): SimulatedRun {
  const run = new SimulatedRun(plan, {}, { n });
  run.finish(() => 0);
  return run;
}

describe('two runs that are compared', () => {
  it('part nowhere where they did the same', () => {
    expect(compareRuns(pictureOf(finished(1)), pictureOf(finished(1))).partsAt).toBeNull();
  });

  it('part at the first call that was given something else', () => {
    const { calls, partsAt } = compareRuns(pictureOf(finished(1)), pictureOf(finished(2)));
    expect(calls.map(({ unitId }) => unitId)).toEqual(['a', 'b', 'ask']);
    expect(calls[partsAt ?? -1]).toMatchObject({ unitId: 'a', differs: ['output'] });
    expect(calls[1]?.differs).toContain('input');
  });

  it('part where only one of them went on', () => {
    const short = new SimulatedRun(plan, {}, { n: 1 });
    const { calls } = compareRuns(pictureOf(short), pictureOf(finished(1)));
    expect(calls.map(({ unitId, differs }) => [unitId, differs.at(-1)])).toEqual([
      ['a', 'output'],
      ['b', 'only right'],
      ['ask', 'only right'],
    ]);
  });
});

describe('two values', () => {
  it('are the same whatever the order of their keys', () => {
    expect(isSame({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true);
    expect(isSame({ a: undefined as never }, {})).toBe(false);
    expect(isSame([1, 2], { 0: 1, 1: 2 })).toBe(false);
  });
});
