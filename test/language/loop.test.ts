import type { UnitHandler } from '../../src/engine/index.js';
import { gateUnit, refusal, run } from './support/runs.js';

/** Counts its calls in the state. */
const count: UnitHandler = ({ state }) => {
  const n = Number(state['n'] ?? 0) + 1;
  return { content: n, state: { n } };
};
const units = [{ id: 'step', uses: 'count' }];

describe('a loop', () => {
  it.each([
    ['until is true', { until: 'state.n >= 3' }, 3],
    ['the state key holds true', { untilStateKey: 'done' }, 4],
    ['maxIterations', { maxIterations: 5 }, 5],
    ['maxIterations before until is true', { until: 'state.n > 100', maxIterations: 2 }, 2],
    ['ten passes when nothing is said', {}, 10],
    ['one pass at the least', { until: 'true' }, 1],
  ])('ends after %s', async (_name, more, passes) => {
    const { state, calls } = await run(
      { units, flow: { type: 'loop', do: 'step', ...more } },
      {
        count: (request, options) => {
          const answer = count(request, options) as { content: number; state: object };
          return { ...answer, state: { ...answer.state, done: answer.content >= 4 } };
        },
      },
    );
    expect(state['n']).toBe(passes);
    expect(calls).toHaveLength(passes);
  });

  it.each([
    ['null', null, false],
    ['false', false, false],
    ['0', 0, false],
    ['an empty text', '', false],
    ['a text', 'no', true],
    ['a number', 2, true],
    ['an empty list', [], true],
  ])('with untilStateKey, %s in the state is %2$s as an end', async (_name, value, ends) => {
    const { calls } = await run(
      { units, flow: { type: 'loop', do: 'step', untilStateKey: 'end', maxIterations: 2 } },
      { count: () => ({ content: 0, state: { end: value } }) },
    );
    expect(calls).toHaveLength(ends ? 1 : 2);
  });

  it('counts its passes in iteration, from 0, for its units and its condition', async () => {
    const { calls } = await run({
      units: [{ id: 'step', uses: 'echo', with: { pass: '${{ iteration }}' } }],
      flow: { type: 'loop', unit: 'step', until: 'iteration == 2' },
    });
    expect(calls.map(({ input }) => input)).toEqual([{ pass: 0 }, { pass: 1 }, { pass: 2 }]);
  });

  it('starts again from 0 in an inner loop for every pass of the outer one', async () => {
    const { calls } = await run({
      units: [{ id: 'step', uses: 'echo', with: { pass: '${{ iteration }}' } }],
      flow: { type: 'loop', maxIterations: 2, do: { type: 'loop', do: 'step', maxIterations: 2 } },
    });
    expect(calls.map(({ input }) => (input as { pass: number }).pass)).toEqual([0, 1, 0, 1]);
  });

  it('overwrites the output of its units, names each once as completed, and keeps every execution in the messages', async () => {
    const { record } = await run({ units, flow: { type: 'loop', do: 'step', maxIterations: 3 } }, { count });
    expect(record.result?.state['output.step']).toBe(3);
    expect(record.result?.completedUnits).toEqual(['step']);
    const outputs = record.result?.messages.filter(({ type }) => type === 'unit-output');
    expect(outputs?.map((message) => (message as { data: unknown }).data)).toEqual([1, 2, 3]);
  });

  it('fails the run when its condition is not true or false', async () => {
    const { record } = await run({ units, flow: { type: 'loop', do: 'step', until: 'state.n' } }, { count });
    expect(record.error).toContain('The condition state.n is a number');
  });
});

describe('a loop with a gate', () => {
  const withGate = {
    units: [...units, gateUnit('check')],
    flow: { type: 'loop', do: { type: 'sequential', order: ['step', 'check'] }, maxIterations: 3 },
  };

  it('opens it in every pass, under a new id, and continues from there', async () => {
    const test = await run(withGate, { count });
    expect(test.called).toHaveLength(1);
    await test.approve('check');
    expect(test.called).toHaveLength(2);
    await test.approve('check');
    const record = await test.approve('check');
    expect(record.status).toBe('completed');
    expect(test.called).toHaveLength(3);
    const { messages } = await test.engine.runs.messages(test.address);
    const gates = messages.flatMap((message) => (message.type === 'hitl-request' ? [message.gateId] : []));
    expect(new Set(gates).size).toBe(3);
  });

  it('continues in the pass in which it failed when the run is resumed', async () => {
    let isBroken = true;
    const passes: unknown[] = [];
    const test = await run(
      {
        units: [{ id: 'step', uses: 'mends', with: { pass: '${{ iteration }}' } }],
        flow: { type: 'loop', do: 'step', maxIterations: 4 },
      },
      {
        mends: ({ input }) => {
          const { pass } = input as { pass: number };
          passes.push(pass);
          if (pass === 2 && isBroken) throw refusal('broken');
        },
      },
    );
    expect(test.record.status).toBe('failed');
    isBroken = false;
    expect((await test.resume()).status).toBe('completed');
    expect(passes).toEqual([0, 1, 2, 2, 3]);
  });

  it('is rewound into an earlier pass', async () => {
    const test = await run({ units, flow: { type: 'loop', do: 'step', maxIterations: 3 } }, { count });
    const [first] = await test.engine.runs.snapshots(test.address);
    const record = await test.resume(first!.snapshotId);
    expect(record.result?.state['n']).toBe(3);
    expect(test.called).toHaveLength(5);
  });
});
