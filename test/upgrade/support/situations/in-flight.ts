import { APPROVE, gate, RESUME, rewindTo, sequence, unit, WATCH, work, type Situation } from './situation.ts';

/** Its process is killed in its call, and so are the two that recover it; the third of those pauses it. */
export const KEEPS_KILLING: Situation = {
  name: 'recovery-limit',
  is: 'Every process that called its unit died of it, so that it is paused before a further call.',
  spec: sequence(work('a'), unit('h', 'hangs'), work('b')),
  left: 'paused',
  after: [RESUME],
};

/** Runs whose process was killed while units had not answered. */
export const IN_FLIGHT: readonly Situation[] = [
  {
    name: 'in-flight',
    is: 'Its unit had not answered when the process was killed.',
    spec: sequence(work('a'), unit('h', 'hangs', { with: { task: 'for ${{ input.who }}' } }), work('b')),
    left: 'running',
    after: [WATCH],
  },
  {
    name: 'in-flight-again',
    is: 'Its unit failed once, and had not answered the second attempt when the process was killed.',
    spec: sequence(
      unit('h', 'fails-and-hangs', {
        policyOverrides: { retry: { maxAttempts: 2, baseMs: 5_000, jitter: false } },
      }),
      work('b'),
    ),
    before: [{ do: 'wait', until: 'the-retry' }],
    left: 'running',
    after: [WATCH],
  },
  {
    name: 'in-flight-in-branches',
    is: 'Of four branches one is done, two had not answered, and one waits for a place.',
    spec: {
      units: [work('a'), unit('h', 'hangs'), unit('i', 'hangs'), work('b'), work('sum')],
      flow: { type: 'parallel', units: ['a', 'h', 'i', 'b'], maxConcurrency: 2, reducer: 'sum' },
    },
    left: 'running',
    after: [WATCH],
  },
  {
    name: 'in-flight-in-a-dag',
    is: 'Of the executors of a dag one is done, one had not answered, one stands at a gate, and one waits.',
    spec: {
      units: [work('a'), unit('h', 'hangs'), gate('ask'), work('d'), work('sum')],
      flow: {
        type: 'dag',
        executors: ['a', 'h', 'ask', 'd'],
        dependencies: { h: ['a'], d: ['h', 'ask'] },
        aggregator: 'sum',
      },
    },
    left: 'running',
    after: [WATCH, APPROVE],
  },
  {
    name: 'in-flight-after-a-rewind',
    is: 'It was rewound, and the unit behind the checkpoint had not answered when the process was killed.',
    spec: sequence(work('a', { pause: 'after' }), unit('h', 'hangs'), work('b')),
    before: [RESUME, rewindTo('a'), RESUME],
    left: 'running',
    after: [WATCH],
  },
];
