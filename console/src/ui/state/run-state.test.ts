import { stateOfRun } from './run-state.js';

it.each([
  ['completed', false, null, 'completed'],
  ['failed', false, null, 'failed'],
  ['failed', true, null, 'cancelled'],
  ['paused', false, 'gate', 'gate'],
  ['paused', false, 'resume', 'paused'],
  ['running', false, 'unit', 'running'],
  ['running', false, 'gate', 'running'],
  ['running', false, 'time', 'waiting'],
  ['running', false, 'child', 'waiting'],
  ['pending', false, null, 'pending'],
] as const)(
  'a run that is %s (cancelled: %s) and waits for %s is shown as %s',
  (status, cancelled, waitingFor, shown) => {
    expect(stateOfRun({ status, cancelled, waitingFor })).toBe(shown);
  },
);
