import { jest } from '@jest/globals';
import { pending } from '../../src/engine/core/pending.js';
import { PersistentMap } from '../../src/engine/core/state/collections/persistent-map.js';
import { decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { compensationOf } from '../../src/engine/core/state/debts/compensation-summary.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const UNITS = [
  { id: 'book', uses: 'work', compensate: 'release' },
  { id: 'stop', uses: 'work', policyOverrides: { retry: { maxAttempts: 1 } } },
  { id: 'release', uses: 'work', policyOverrides: { retry: { maxAttempts: 1 } } },
];
const booking = (passes: number) => ({
  type: 'foreach',
  items: 'input.list',
  do: 'book',
  maxConcurrency: passes,
});

/** A run that has made so many calls, and begins to undo them. */
function thatUndoes(calls: number, flow: object): SimulatedRun {
  const list = Array.from({ length: calls }, (_, index) => index);
  const plan = compileText(document('w', UNITS, { flow }));
  const run = new SimulatedRun(plan, { maxStateChars: Infinity }, { list });
  const [first, ...others] = open(run).filter(({ unitId }) => unitId === 'book');
  for (const { id } of others) finish(run, id);
  // In a race of two, the second branch is over now, and all that it did came after what is undone.
  finish(run, first!.id);
  for (const { id, unitId } of open(run)) if (unitId === 'stop') fail(run, id);
  return run;
}

function open(run: SimulatedRun) {
  return pending(run.state).flatMap((command) =>
    command.type === 'execute-unit' ? [command.execution] : [],
  );
}

function finish(run: SimulatedRun, executionId: number): void {
  const rest = { output: null, patch: null, usage: null, metadata: null };
  run.send({ type: 'unit-finished', at: 2_000, executionId, attempt: 1, ...rest });
}

function fail(run: SimulatedRun, executionId: number): void {
  const rest = { error: 'no', retryable: false, outcome: 'refused', retryAfterMs: null } as const;
  run.send({ type: 'unit-attempt-failed', at: 2_000, executionId, attempt: 1, ...rest });
}

/** How many entries of maps are looked at while all is undone. */
function looksToUndo(run: SimulatedRun, end: typeof finish): number {
  const looks = looksOf(() => {
    for (let calls = open(run); calls.length > 0; calls = open(run)) for (const { id } of calls) end(run, id);
  });
  expect(compensationOf(run.state)).toMatchObject({ status: end === finish ? 'done' : 'failed' });
  return looks;
}

/** How many entries of maps are looked at. */
function looksOf(act: () => void): number {
  let looks = 0;
  const { get, forEach, values } = PersistentMap.prototype;
  const spies = [
    jest.spyOn(PersistentMap.prototype, 'get').mockImplementation(function (
      this: PersistentMap<never, unknown>,
      key,
    ) {
      looks += 1;
      return get.call(this, key);
    }),
    jest.spyOn(PersistentMap.prototype, 'forEach').mockImplementation(function (
      this: PersistentMap<never, unknown>,
      visit,
    ) {
      looks += this.size;
      forEach.call(this, visit);
    }),
    jest.spyOn(PersistentMap.prototype, 'values').mockImplementation(function (
      this: PersistentMap<never, unknown>,
    ) {
      looks += this.size;
      return values.call(this);
    }),
  ];
  act();
  for (const spy of spies) spy.mockRestore();
  return looks;
}

const FLOWS: Readonly<Record<string, (passes: number) => object>> = {
  'in the flow of the run': (passes) => ({ type: 'sequential', order: [booking(passes), 'stop'] }),
  'in a try': (passes) => ({
    type: 'try',
    do: { type: 'sequential', order: [booking(passes), 'stop'] },
    compensate: true,
    ignore: true,
  }),
  'in branches that are open': (passes) => ({ type: 'parallel', units: [booking(passes), 'stop'] }),
  'after what a race keeps was done': (passes) => ({
    type: 'race',
    units: [booking(passes), booking(passes)],
    compensate: true,
  }),
};

describe.each(Object.entries(FLOWS))('undoing calls %s', (_where, flow) => {
  it('costs each of them the same, however many there are', () => {
    const [few, many] = [200, 800].map(
      (calls) => looksToUndo(thatUndoes(calls, flow(calls)), finish) / calls,
    );
    expect(many).toBeLessThan(1.5 * few!);
  });

  it('costs the same where what undoes them fails, and where the run was loaded meanwhile', () => {
    const [few, many] = [200, 800].map((calls) => {
      const run = thatUndoes(calls, flow(calls));
      run.state = decodeState(encodeState(run.state));
      return looksToUndo(run, fail) / calls;
    });
    expect(many).toBeLessThan(1.5 * few!);
  });
});

describe('what is said of a run that failed', () => {
  const failed = (flow: object, list: readonly number[]): SimulatedRun => {
    const units = [...UNITS, { id: 'call', uses: 'work' }];
    const run = new SimulatedRun(
      compileText(document('w', units, { flow, compensateOn: ['cancel'] })),
      { maxStateChars: Infinity },
      { list: [...list] },
    );
    for (const { id, unitId } of open(run)) if (unitId === 'stop') fail(run, id);
    expect(run.state.phase).toBe('failed');
    return run;
  };
  const calling = { ...booking(1_000), do: 'call' };
  const many = Array.from({ length: 1_000 }, (_, index) => index);

  it('costs nothing for calls that were open and cannot be undone, and as much as there are for those that can', () => {
    for (const [flow, unknown] of [
      [{ type: 'parallel', units: [calling, 'stop'] }, 0],
      [{ type: 'parallel', units: [calling, 'book', 'stop'] }, 1],
    ] as const) {
      const { state } = failed(flow, many);
      expect(state.waits.size).toBe(1_000 + unknown);
      for (const one of [state, decodeState(encodeState(state))]) {
        expect(compensationOf(one)?.unknown ?? 0).toBe(unknown);
        expect(looksOf(() => compensationOf(one))).toBeLessThanOrEqual(2 * unknown);
      }
    }
  });
});

describe('a run that goes round for long', () => {
  /** So many rounds, in each of which a call is made that can be undone, and then one that fails. */
  const after = (rounds: number, endBook: typeof finish): SimulatedRun => {
    const tried = {
      type: 'try',
      do: { type: 'sequential', order: ['book', 'stop'] },
      compensate: true,
      ignore: true,
    };
    const flow = { type: 'loop', do: tried, until: 'false', maxIterations: 10_000 };
    const once = { policyOverrides: { retry: { maxAttempts: 1 } } };
    const units = UNITS.map((unit) => ({ ...unit, ...once }));
    const run = new SimulatedRun(compileText(document('w', units, { flow })));
    for (let round = 0; round < rounds;) {
      const [call] = open(run);
      if (call!.unitId === 'release') finish(run, call!.id);
      else if (call!.unitId === 'book') endBook(run, call!.id);
      else fail(run, call!.id);
      if (open(run)[0]!.unitId === 'book') round += 1;
    }
    return run;
  };
  const links = ({ state }: SimulatedRun): number => {
    let count = 0;
    for (let link = state.debtsByAge; link !== null; link = link.older) count += 1;
    return count;
  };

  it('remembers the order of what was done, however many calls were refused and so not done', () => {
    const [undone, refused] = [after(300, finish), after(300, fail)];
    expect([undone.state.debts.size, links(undone)]).toEqual([300, 300]);
    expect(refused.state.debts.size).toBe(0);
    expect(links(refused)).toBeLessThan(40);
    expect(encodeState(refused.fold())).toEqual(encodeState(refused.state));
  });
});
