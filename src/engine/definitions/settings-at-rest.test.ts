import { document } from '../../../test/support/workflow-documents.js';
import { ANN, compileText, SimulatedRun } from '../../../test/support/simulated-run.js';
import { decodeState, encodeState } from '../core/state/codec/state-codec.js';
import { pending } from '../core/pending.js';
import { STATE_VERSION, type RunState } from '../core/state/state.js';
import type { Execution } from '../core/waits/execution.js';
import { appendRequest } from '../runtime/mailbox/appending/append-request.js';
import { Sealer } from './sealer.js';
import { SettingsAtRest } from './settings-at-rest.js';

const SECRET = 'lIteral-secret';
const atRest = new SettingsAtRest(new Sealer(new Uint8Array(32).fill(7)));
const withoutKey = new SettingsAtRest(new Sealer(null));

/** A run that calls a unit whose settings hold an expression. */
function calling(): SimulatedRun {
  const headers = { 'x-key': SECRET, 'x-n': '${{ input.n }}' };
  const config = { endpoint: 'http://127.0.0.1:9/', headers };
  const pay = { id: 'pay', uses: 'builtin.http', config, policyOverrides: { retry: { maxAttempts: 1 } } };
  return new SimulatedRun(compileText(document('w', [pay])));
}

function asStored(settings: SettingsAtRest, { state, log }: SimulatedRun) {
  const extra = { idempotency: [], startedFrom: null, isPreempted: false, isForeign: false };
  const storedState = { seq: state.seq, stateVersion: STATE_VERSION, state: encodeState(state) };
  return settings.sealed(appendRequest(state, state, log, { storedState, ...extra }));
}

function execution(state: RunState): Execution {
  const [command] = pending(state);
  if (command?.type !== 'execute-unit') throw new Error('Nothing is to be called.');
  return command.execution;
}

const failing = (run: SimulatedRun) => {
  const { id: executionId, attempt } = execution(run.state);
  const failure = { error: 'no', retryable: true, outcome: 'unknown', retryAfterMs: null } as const;
  run.send({ type: 'unit-attempt-failed', at: 2_000, executionId, attempt, ...failure });
};

describe('the evaluated settings of a call', () => {
  it('are encrypted in the events and in a stored state, and opened for the call', () => {
    const run = calling();
    const stored = asStored(atRest, run);
    expect(JSON.stringify(stored)).not.toContain(SECRET);
    const loaded = execution(decodeState(stored.storedState!.state));
    expect(atRest.opened(loaded)).toEqual(execution(run.state));
    expect(JSON.stringify(run.state.waits)).toContain(SECRET);
  });

  it('are encrypted where a failed call keeps them for its repetition, and are good for that', () => {
    const run = calling();
    const settings = execution(run.state).settings;
    failing(run);
    const stored = asStored(atRest, run);
    expect(JSON.stringify(stored)).not.toContain(SECRET);
    run.state = decodeState(stored.storedState!.state);
    run.send({ type: 'resume', at: 3_000, by: ANN, pauseId: null });
    expect(atRest.opened(execution(run.state)).settings).toEqual(settings);
    expect(JSON.stringify(asStored(atRest, run))).not.toContain(SECRET);
  });

  it('are the same request without a key, and stay as they are for the call', () => {
    const run = calling();
    const stored = asStored(withoutKey, run);
    expect(stored.events).toBe(run.log);
    expect(withoutKey.opened(execution(run.state))).toBe(execution(run.state));
    expect(atRest.opened(execution(run.state))).toBe(execution(run.state));
  });

  it('that were encrypted are refused without the key, by a sentence that names the setting', () => {
    const loaded = execution(decodeState(asStored(atRest, calling()).storedState!.state));
    expect(() => withoutKey.opened(loaded)).toThrow('start with the FLOWGATE_ENCRYPTION_KEY');
  });
});
