import { APPROVE, approve, gate, sequence, unit, work, type Situation } from './situation.ts';

const body = (...order: readonly unknown[]) => ({ type: 'sequential', order });

/** Runs in the middle of each flow type. */
export const BRANCHES: readonly Situation[] = [
  {
    name: 'middle-of-a-loop',
    is: 'It stands at the gate of the second of three passes of a loop.',
    spec: {
      units: [unit('pass', 'count'), gate('ask'), work('end')],
      flow: body(
        { type: 'loop', do: body('pass', 'ask'), maxIterations: 5, until: 'state.count >= 3' },
        'end',
      ),
    },
    before: [APPROVE],
    left: 'paused',
    after: [APPROVE, APPROVE],
  },
  {
    name: 'middle-of-a-foreach',
    is: 'Of four passes of a foreach one is done, two stand at their gates, and one has not begun.',
    spec: {
      units: [work('each', { with: { item: '${{ item }} at ${{ index }}' } }), gate('ask'), work('end')],
      flow: body(
        {
          type: 'foreach',
          items: 'input.items',
          do: body('ask', 'each'),
          maxConcurrency: 2,
          collect: 'all',
        },
        'end',
      ),
    },
    input: { items: ['w', 'x', 'y', 'z'] },
    before: [approve('ask', 1)],
    left: 'paused',
    after: [approve('ask', 0), approve('ask', 2), APPROVE],
  },
  {
    name: 'middle-of-a-dag',
    is: 'Of the executors of a dag two are done, one stands at its gate, and two wait for others.',
    spec: {
      units: [
        ...['plan', 'a', 'b', 'c', 'd', 'sum'].map((id) => work(id)),
        gate('ask', { payload: '${{ outputs.a }}' }),
      ],
      flow: {
        type: 'dag',
        planner: 'plan',
        executors: ['a', 'ask', 'b', 'c', 'd'],
        dependencies: { ask: ['a'], c: ['ask', 'b'], d: ['c'] },
        aggregator: 'sum',
      },
    },
    left: 'paused',
    after: [APPROVE],
  },
  {
    name: 'middle-of-a-delegation',
    is: 'In a round of three delegations the first is done and the second stands at a gate.',
    spec: {
      units: [unit('boss', 'orchestrate'), work('ann'), gate('ask'), work('cat'), work('end')],
      flow: body({ type: 'delegation', orchestrator: 'boss', specialists: ['ann', 'ask', 'cat'] }, 'end'),
    },
    left: 'paused',
    after: [APPROVE],
  },
  {
    name: 'inside-a-route',
    is: 'A router chose a switch, and the switch a gate.',
    spec: {
      units: [unit('way', 'route'), work('other'), gate('ask'), work('end')],
      flow: body(
        {
          type: 'router',
          routerUnit: 'way',
          routes: {
            asked: { type: 'switch', cases: [{ if: 'input.n > 5', do: 'other' }], default: 'ask' },
            other: 'other',
          },
        },
        'end',
      ),
    },
    left: 'paused',
    after: [APPROVE],
  },
  {
    name: 'gates-in-branches',
    is: 'Of three gates in parallel branches one is decided, and its branch is done.',
    spec: {
      units: [gate('one'), gate('two'), gate('three'), work('a'), work('b'), work('sum')],
      flow: {
        type: 'parallel',
        units: [body('one', 'a'), body('two', 'b'), 'three'],
        reducer: 'sum',
      },
    },
    before: [approve('one')],
    left: 'paused',
    // The decision that names no gate is refused, and the refusal names the gates that are open.
    after: [APPROVE, approve('one'), approve('three'), APPROVE],
  },
  {
    name: 'dropped-gate',
    is: 'A failing unit took the gate beside it along, inside a best-effort branch; two other gates stay open.',
    spec: {
      units: [unit('bad', 'never'), gate('dropped'), gate('one'), gate('two'), work('sum')],
      flow: {
        type: 'parallel',
        units: [{ type: 'parallel', units: ['bad', 'dropped'], failureStrategy: 'fail-fast' }, 'one', 'two'],
        failureStrategy: 'best-effort',
        reducer: 'sum',
      },
    },
    left: 'paused',
    after: [APPROVE, approve('dropped'), approve('two'), APPROVE],
  },
];

/** Runs that are answered by their keys. */
export const KEYED: readonly Situation[] = [
  {
    name: 'used-keys',
    is: 'Its start, a resume and a decision were keyed; it stands at the next gate.',
    spec: sequence(work('a', { pause: 'before' }), gate('first'), gate('second'), work('b')),
    startKey: 'started',
    isRegisteredAgain: true,
    before: [
      { do: 'resume', idempotencyKey: 'resumed' },
      { do: 'decide', approved: true, idempotencyKey: 'decided' },
      { do: 'resume', idempotencyKey: 'found nothing' },
    ],
    left: 'paused',
    after: [
      { do: 'start-again', input: { n: 1, who: 'Ada' }, idempotencyKey: 'started' },
      { do: 'start-again', input: { n: 2, who: 'Ada' }, idempotencyKey: 'started' },
      { do: 'resume', idempotencyKey: 'resumed' },
      { do: 'resume', idempotencyKey: 'found nothing' },
      { do: 'decide', approved: true, idempotencyKey: 'decided' },
      { do: 'decide', approved: false, idempotencyKey: 'decided' },
      { do: 'decide', approved: true, idempotencyKey: 'decided later' },
      { do: 'decide', approved: true, idempotencyKey: 'decided' },
    ],
  },
];
