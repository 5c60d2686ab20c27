import {
  APPROVE,
  gate,
  HOUR_MS,
  once,
  RESUME,
  sequence,
  unit,
  WAIT_FOR_THE_RETRY,
  work,
  type Situation,
} from './situation.ts';

/** Runs that failed and can be resumed, and those whose unit is bound to an address. */
export const FAILED: readonly Situation[] = [
  {
    name: 'failed-with-unknown-outcome',
    is: 'Its unit failed and may have done its work: resumed, it is called under the key that it had.',
    spec: sequence(work('a'), unit('u', 'breaks', { ...once, with: { task: 'pay' } }), work('b')),
    left: 'failed',
    after: [RESUME],
  },
  {
    name: 'failed-with-a-refusal',
    is: 'Its unit refused: resumed, it is called under a new key.',
    spec: sequence(work('a'), unit('r', 'refuses', once), work('b')),
    left: 'failed',
    after: [RESUME],
  },
  {
    name: 'failed-branches',
    is: 'Two of three branches failed, one with a gate open inside; resumed, those alone are taken up again.',
    spec: {
      units: [work('a'), unit('u', 'breaks', once), gate('ask'), unit('r', 'refuses'), work('sum')],
      flow: {
        type: 'parallel',
        units: ['a', 'u', { type: 'parallel', units: ['ask', 'r'] }],
        failureStrategy: 'collect-errors',
        reducer: 'sum',
      },
    },
    left: 'failed',
    after: [RESUME, APPROVE],
  },
  {
    name: 'failed-remote',
    is: 'Its remote unit could not be reached; it is registered with another address before it is resumed.',
    spec: sequence(work('a'), unit('r', 'acme.failed', once), work('b')),
    remote: 'acme.failed',
    isRegisteredAgain: true,
    left: 'failed',
    after: [RESUME],
  },
  {
    name: 'pending-retry-remote',
    is: 'Its remote unit could not be reached; it is registered with another address before the next attempt.',
    spec: sequence(
      unit('r', 'acme.retried', {
        policyOverrides: { retry: { maxAttempts: 2, baseMs: HOUR_MS, maxMs: HOUR_MS, jitter: true } },
      }),
      work('b'),
    ),
    remote: 'acme.retried',
    isRegisteredAgain: true,
    left: 'running',
    after: WAIT_FOR_THE_RETRY,
  },
  {
    name: 'remote-as-bound',
    is: 'It stands at a gate before its remote unit, which is called with the headers that the folder holds.',
    spec: sequence(gate('ask'), unit('r', 'acme.bound')),
    remote: 'acme.bound',
    isCalledAsBound: true,
    left: 'paused',
    after: [APPROVE],
  },
];
