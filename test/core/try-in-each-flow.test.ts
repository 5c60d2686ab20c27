import { pending } from '../../src/engine/core/pending.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import { encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({
  id,
  uses: 'work',
  policyOverrides: { retry: { maxAttempts: 1 } },
  ...more,
});
const UNITS = [
  work('where'),
  work('book', { compensate: 'undo' }),
  work('go'),
  work('undo'),
  work('tell'),
  work('close'),
  work('other'),
  work('next'),
];

const order = (...flows: readonly unknown[]) => ({ type: 'sequential', order: flows });

/** Each flow that can hold another one; a delegation holds units alone. */
const FLOWS: Readonly<Record<string, (inner: unknown) => unknown>> = {
  sequential: (inner) => order(inner),
  parallel: (inner) => ({ type: 'parallel', units: [inner] }),
  router: (inner) => ({ type: 'router', routerUnit: 'where', routes: { here: inner } }),
  switch: (inner) => ({ type: 'switch', cases: [{ if: 'true', do: inner }] }),
  loop: (inner) => ({ type: 'loop', do: inner, maxIterations: 1, until: 'true' }),
  foreach: (inner) => ({ type: 'foreach', items: '["one"]', do: inner }),
  dag: (inner) => ({ type: 'dag', executors: [inner], dependencies: {} }),
  try: (inner) => ({ type: 'try', do: inner, timeout: 'P1D' }),
  race: (inner) => ({ type: 'race', units: [inner] }),
};

const beside = (flow: unknown) => ({ type: 'parallel', units: [flow, 'other'] });
const against = (flow: unknown) => ({ type: 'race', units: [flow, 'other'], compensate: true });

interface WayOut {
  readonly around?: (flow: unknown) => unknown;
  readonly catches?: false;
  /** What happens while `go` is being called. */
  happens(run: Driven): void;
  /** What is called from then on. */
  readonly follows: readonly string[];
  readonly status: string;
  readonly error: string | null;
}

const WAYS_OUT: Readonly<Record<string, WayOut>> = {
  'it succeeds': {
    happens: (run) => run.answer('go'),
    follows: ['close', 'next'],
    status: 'completed',
    error: null,
  },
  'its failure is caught': {
    happens: (run) => run.fail('go'),
    follows: ['undo', 'tell', 'close', 'next'],
    status: 'completed',
    error: null,
  },
  'its failure is not caught': {
    catches: false,
    happens: (run) => run.fail('go'),
    follows: ['undo', 'close'],
    status: 'failed',
    error: 'Unit go failed after 1 attempt(s): no',
  },
  'its time is over': {
    happens: (run) => run.send({ type: 'timer-due', at: 90_000 }),
    follows: ['undo', 'tell', 'close', 'next'],
    status: 'completed',
    error: null,
  },
  'the run is cancelled': {
    happens: (run) => run.send({ type: 'cancel', at: 2_000, by: ANN, graceMs: 0 }),
    follows: ['close', 'undo'],
    status: 'failed',
    error: 'Cancelled by ann',
  },
  'a branch next to it fails': {
    around: beside,
    happens: (run) => run.fail('other'),
    follows: ['close', 'undo'],
    status: 'failed',
    error: 'Unit other failed after 1 attempt(s): no',
  },
  'it loses a race': {
    around: against,
    happens: (run) => run.answer('other'),
    follows: ['close', 'undo', 'next'],
    status: 'completed',
    error: null,
  },
};

class Driven {
  private readonly run: SimulatedRun;

  constructor(flow: unknown) {
    const text = JSON.stringify(flow);
    const units = UNITS.filter(({ id }) => id === 'undo' || text.includes(`"${id}"`));
    this.run = new SimulatedRun(compileText(document('w', units, { flow })));
  }

  get open(): readonly string[] {
    return pending(this.run.state).flatMap((command) =>
      command.type === 'execute-unit' ? [command.execution.unitId] : [],
    );
  }

  get called(): readonly string[] {
    return this.run.log.flatMap((event) => (event.type === 'unit-scheduled' ? [event.unitId] : []));
  }

  get outcome() {
    const { state } = this.run;
    expect(encodeState(this.run.fold())).toEqual(encodeState(state));
    return [statusOf(state), state.error, state.phase === 'completed' ? state.scopes.size : 1];
  }

  send(signal: Parameters<SimulatedRun['send']>[0]): void {
    this.run.send(signal);
  }

  answer(unitId: string): void {
    const metadata = unitId === 'where' ? { route: 'here' } : null;
    const rest = { output: unitId, patch: null, usage: null, metadata };
    this.send({ type: 'unit-finished', at: 2_000, ...this.callOf(unitId), ...rest });
  }

  fail(unitId: string): void {
    const rest = { error: 'no', retryable: false, outcome: 'refused', retryAfterMs: null } as const;
    this.send({ type: 'unit-attempt-failed', at: 2_000, ...this.callOf(unitId), ...rest });
  }

  private callOf(unitId: string) {
    for (const command of pending(this.run.state)) {
      if (command.type !== 'execute-unit' || command.execution.unitId !== unitId) continue;
      return { executionId: command.execution.id, attempt: command.execution.attempt };
    }
    throw new Error(`${unitId} is not being called; ${this.open.join()} are.`);
  }
}

const tried = (body: unknown, catches: boolean) => ({
  type: 'try',
  do: body,
  timeout: 'PT1M',
  compensate: true,
  ...(catches ? { catch: 'tell' } : {}),
  finally: 'close',
});

const PLACES: Readonly<Record<string, (flow: (inner: unknown) => unknown, catches: boolean) => unknown>> = {
  'a try in a': (flow, catches) => flow(tried(order('book', 'go'), catches)),
  'a try around a': (flow, catches) => tried(flow(order('book', 'go')), catches),
};

const CASES = Object.keys(PLACES).flatMap((place) =>
  Object.keys(FLOWS).flatMap((type) => Object.keys(WAYS_OUT).map((way) => [place, type, way] as const)),
);

describe('what is undone, told and closed', () => {
  it.each(CASES)('by %s %s, where %s', (place, type, way) => {
    const { around = (flow: unknown) => flow, catches = true, happens, follows, ...end } = WAYS_OUT[way]!;
    const run = new Driven(order(around(PLACES[place]!(FLOWS[type]!, catches)), 'next'));
    if (type === 'router') run.answer('where');
    run.answer('book');
    const before = run.called;
    expect(run.open).toContain('go');
    happens(run);
    for (const unitId of follows) {
      // One after the other: what follows is not called before.
      if (unitId !== 'next') expect(run.open.filter((open) => open !== 'other')).toEqual([unitId]);
      run.answer(unitId);
    }
    expect(run.called.slice(before.length)).toEqual(follows);
    expect(run.open).toEqual([]);
    expect(run.outcome).toEqual([end.status, end.error, 1]);
  });
});
