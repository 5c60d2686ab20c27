import {
  APPROVE,
  gate,
  HOUR_MS,
  REJECT,
  RESUME,
  sequence,
  unit,
  WAIT_FOR_THE_RETRY,
  work,
  type Situation,
} from './situation.ts';

/** The first attempt fails, and the next is due half an hour to an hour later. */
const RETRIED_LATER = {
  policyOverrides: { retry: { maxAttempts: 3, backoff: 'fixed', baseMs: HOUR_MS, maxMs: HOUR_MS } },
};

/** Runs that wait for a person, for a time or for nothing, in a plain sequence. */
export const WAITING: readonly Situation[] = [
  {
    name: 'open-gate',
    is: 'It stands at an open gate whose title and payload were evaluated.',
    spec: sequence(
      work('a', { with: { task: 'for ${{ input.who }}' } }),
      gate('agree', { title: 'Agree to ${{ outputs.a }}?', payload: { who: '${{ input.who }}' } }),
      work('b', { with: { agreed: '${{ outputs.agree.approved }}' } }),
    ),
    left: 'paused',
    after: [APPROVE],
  },
  {
    name: 'open-gate-to-be-rejected',
    is: 'It stands at an open gate; a rejection fails it, and a resume asks again.',
    spec: sequence(work('a'), gate('agree'), work('b')),
    left: 'paused',
    after: [REJECT, RESUME, APPROVE],
  },
  {
    name: 'pause-before',
    is: 'It is paused before a unit.',
    spec: sequence(work('a'), work('b', { pause: 'before' }), work('c')),
    left: 'paused',
    after: [RESUME],
  },
  {
    name: 'pause-after',
    is: 'It is paused after a unit, for the second time.',
    spec: sequence(work('a', { pause: 'after' }), work('b', { pause: 'after' }), work('c')),
    before: [RESUME],
    left: 'paused',
    after: [RESUME],
  },
  {
    name: 'pending-retry',
    is: 'An attempt failed; the next is due within the hour, and not before.',
    spec: sequence(work('a'), unit('f', 'flaky', RETRIED_LATER), work('b')),
    left: 'running',
    after: WAIT_FOR_THE_RETRY,
  },
  {
    name: 'completed',
    is: 'It is completed, with a skipped unit, a failed branch, collected outputs and usage.',
    spec: {
      units: [
        work('a'),
        work('skipped', { if: 'input.n > 5' }),
        unit('note', 'builtin.set', { config: { values: { noted: '${{ outputs.a }}' } } }),
        unit('counted', 'count'),
        unit('bad', 'never'),
        work('each', { with: { item: '${{ item }}' } }),
      ],
      flow: {
        type: 'sequential',
        order: [
          'a',
          'skipped',
          'note',
          { type: 'parallel', units: ['counted', 'bad'], failureStrategy: 'best-effort' },
          { type: 'foreach', items: '["x", "y"]', do: 'each', collect: 'all' },
        ],
      },
    },
    left: 'completed',
    after: [],
  },
  {
    name: 'failed-for-good',
    is: 'It failed by its own document, and will again.',
    spec: sequence(work('a'), unit('stop', 'builtin.fail', { config: { message: 'No ${{ input.who }}' } })),
    left: 'failed',
    after: [RESUME],
  },
  {
    name: 'input-with-reserved-keys',
    is: 'Its input holds keys of the shared state that the engine writes itself.',
    spec: sequence(
      work('a', { pause: 'after' }),
      work('b', { if: 'state["hitl.approved"] == "yes, says the input"' }),
      gate('agree', { onReject: 'continue' }),
      work('c', { if: 'state["hitl.approved"] == true' }),
      work('d', { with: { ghost: '${{ state["output.ghost"] }}' } }),
    ),
    input: {
      'hitl.approved': 'yes, says the input',
      'hitl.responder': 'nobody',
      'output.ghost': 'no unit said this',
      'errors.ghost': 'nor did this fail',
    },
    left: 'paused',
    after: [RESUME, REJECT],
  },
  {
    name: 'long-log',
    is: 'Its log is long enough for a stored full state, and goes on after it.',
    spec: {
      units: [
        unit('pass', 'count', { with: { read: '${{ input.text }}' } }),
        gate('agree'),
        work('end', { with: { count: '${{ state.count }}' } }),
      ],
      flow: {
        type: 'sequential',
        order: [
          { type: 'loop', unit: 'pass', maxIterations: 20, until: 'state.count >= 18' },
          'agree',
          'end',
        ],
      },
    },
    input: { text: 'A long text, again and again. '.repeat(150) },
    left: 'paused',
    after: [{ do: 'resume', to: ['pass', 1] }, { do: 'resume', to: ['pass', 16] }, APPROVE],
  },
];
