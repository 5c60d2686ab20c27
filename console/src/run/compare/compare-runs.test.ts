import type { JsonObject, JsonValue } from '../../../../clients/typescript/src/types/json.js';
import type { RunEvent } from '../../../../clients/typescript/src/types/events.js';
import { atOnce } from '../../../../src/engine/core/steps.js';
import { shownOf } from '../../../../src/engine/runtime/events/shown-event.js';
import { compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { document, gate } from '../../../../test/support/workflow-documents.js';
import { RunFold } from '../log/fold-events.js';
import { compareRuns, type ReadRun } from './compare-runs.js';
import { bytesLeftOut, type ValuePair } from './value-pairs.js';

/** As pages of its log show it: without large values. */
function read(run: SimulatedRun, runId = 'r'): ReadRun {
  const owner = { runId, workflowId: 'w' };
  const events = run.log.flatMap(
    (event) => (atOnce(shownOf(owner, event, 'log'))?.event as RunEvent | undefined) ?? [],
  );
  const fold = new RunFold();
  fold.take(events);
  return { picture: fold.picture, events, inherited: [] };
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
    expect(compareRuns(read(finished(1)), read(finished(1))).partsAt).toBeNull();
  });

  it('part at the first call that was given something else', () => {
    const { calls, partsAt } = compareRuns(read(finished(1)), read(finished(2)));
    expect(calls.map(({ unitId }) => unitId)).toEqual(['a', 'b', 'ask']);
    expect(calls[partsAt ?? -1]).toMatchObject({ unitId: 'a', differs: ['input', 'output'] });
    expect(calls[1]?.differs).toContain('input');
  });

  it('part where only one of them went on', () => {
    const short = new SimulatedRun(plan, {}, { n: 1 });
    const { calls } = compareRuns(read(short), read(finished(1)));
    expect(calls.map(({ unitId, differs }) => [unitId, differs.at(-1)])).toEqual([
      ['a', 'output'],
      ['b', 'only right'],
      ['ask', 'only right'],
    ]);
  });
});

const LARGE = 'x'.repeat(9_000);
const work = compileText(document('w', [{ id: 'a', uses: 'work' }]));

/** A run whose one unit is given the input, and gives the output. */
function ran(input: JsonObject, output: JsonValue): SimulatedRun {
  const run = new SimulatedRun(work, {}, input);
  run.finish(() => 0);
  run.log = run.log.map((event) =>
    event.type === 'unit-finished' ? { ...event, output, patch: {} } : event,
  );
  return run;
}

describe('values that the logs left out for their size', () => {
  const compared = (left: SimulatedRun, right: SimulatedRun, whole?: ReadonlyMap<string, boolean>) => {
    const { calls, partsAt } = compareRuns(read(left, 'l'), read(right, 'r'), whole);
    const { differs = [], mayDiffer = [] } = calls[0] ?? {};
    return { partsAt, differs, mayDiffer };
  };
  const list = (last: string) => [...Array.from({ length: 900 }, () => 'item'), last];

  it('may differ where nothing that is known of them does: of what was given, which is the input of the run, and of what came of it', () => {
    const { partsAt, differs, mayDiffer } = compared(
      ran({ list: list('a') }, { of: list('c') }),
      ran({ list: list('b') }, { of: list('d') }),
    );
    expect([partsAt, differs]).toEqual([null, []]);
    expect(mayDiffer.map(({ difference }) => difference)).toEqual(['input', 'output']);
    expect(mayDiffer.map(bytesLeftOut)).toEqual(mayDiffer.map(() => 2 * JSON.stringify(list('a')).length));
  });

  it.each<[string, JsonValue, JsonValue]>([
    ['in their size', list('short'), list('longer')],
    ['in how a text begins', `a${LARGE}`, `b${LARGE}`],
    ['in that only one is large', { text: LARGE, n: 1 }, { text: 'short', n: 1 }],
    ['in what is beside them', { text: LARGE, n: 1 }, { text: LARGE, n: 2 }],
  ])('differ %s', (_how, left, right) => {
    expect(compared(ran({}, left), ran({}, right))).toEqual({
      partsAt: 0,
      differs: ['output'],
      mayDiffer: [],
    });
  });

  it('differ or not once both were read whole', () => {
    const [left, right] = [ran({}, LARGE), ran({}, LARGE)];
    const { mayDiffer } = compared(left, right);
    const [{ key }] = mayDiffer as [ValuePair];
    expect(compared(left, right, new Map([[key, true]]))).toMatchObject({ differs: [], mayDiffer: [] });
    expect(compared(left, right, new Map([[key, false]]))).toMatchObject({
      differs: ['output'],
      mayDiffer: [],
    });
  });
});
