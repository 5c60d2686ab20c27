import { bound, gate, remote } from '../../support/workflow-documents.js';
import { REFUSING_UNIT } from './ledger-units.js';

/** The items of every foreach. */
export const ITEMS = ['one', 'two', 'three'] as const;

/** A workflow of the crash tests, and what its driver may do to its runs. */
export interface CrashWorkflow {
  readonly id: string;
  readonly yaml: string;
  /** Bindings for units that answer at `endpoint`. */
  bindings(endpoint: string): Readonly<Record<string, unknown>>;
  /** All of them, gates included: what a completed run has completed. */
  readonly unitIds: readonly string[];
  readonly remoteIds: readonly string[];
  /** One after another, each once: what a unit sees of the ones before it is known. */
  readonly isSequence: boolean;
  /** How often a unit is executed where that is not once. */
  readonly executions: Readonly<Record<string, number>>;
  /** How often a driver goes back to an older checkpoint. */
  readonly rewinds: number;
  /** Relative to the others. */
  readonly weight: number;
}

type Unit = { readonly id: string; readonly uses: string };

const sequence = (order: readonly unknown[]) => ({ type: 'sequential', order });
const PATIENT = { retry: { maxAttempts: 20, backoff: 'fixed', baseMs: 15, jitter: false } };

function workflow(
  id: string,
  units: readonly Unit[],
  more: Partial<CrashWorkflow> & { readonly flow?: object } = {},
): CrashWorkflow {
  const { flow = sequence(units.map((unit) => unit.id)), ...rest } = more;
  const remoteIds = units.filter(({ uses }) => uses.startsWith('acme.')).map((unit) => unit.id);
  return {
    id,
    yaml: JSON.stringify({
      apiVersion: 'flowgate/v1',
      kind: 'Workflow',
      metadata: { id },
      spec: { policy: PATIENT, units, flow },
    }),
    bindings: (endpoint) =>
      Object.assign({}, ...remoteIds.map((unitId) => bound(unitId, endpoint))) as object,
    unitIds: units.map((unit) => unit.id),
    remoteIds,
    isSequence: more.flow === undefined,
    executions: {},
    rewinds: 0,
    weight: 1,
    ...rest,
  } as CrashWorkflow;
}

const lenient = { onReject: 'continue' };
const counter = {
  id: 'count',
  uses: 'builtin.set',
  config: { values: { count: '${{ has(state.count) ? state.count + 1 : 1 }}' } },
};

/** Sequential, gated, paused and rewound runs; parallel and foreach ones with gates inside; a long log. */
export const CRASH_WORKFLOWS: readonly CrashWorkflow[] = [
  workflow('sequential', [remote('a'), remote('b'), remote('c'), remote('d'), remote('e')], { weight: 3 }),
  workflow('gated', [remote('a'), gate('first', lenient), remote('b'), gate('second'), remote('c')]),
  workflow('paused', [remote('a', { pause: 'after' }), remote('b', { pause: 'before' }), remote('c')]),
  workflow('rewound', [remote('a'), remote('b'), gate('agree', lenient), remote('c'), remote('d')], {
    rewinds: 2,
    weight: 2,
  }),
  workflow('refused', [remote('a'), remote(REFUSING_UNIT), remote('b')], {
    executions: { [REFUSING_UNIT]: 2 },
  }),
  workflow(
    'parallel-gates',
    [
      remote('a'),
      gate('left', lenient),
      remote('b'),
      remote('c'),
      gate('right', lenient),
      remote('d'),
      remote('e'),
      remote('last'),
    ],
    {
      flow: sequence([
        { type: 'parallel', units: [sequence(['a', 'left', 'b']), sequence(['c', 'right', 'd']), 'e'] },
        'last',
      ]),
      rewinds: 1,
    },
  ),
  workflow('foreach-gates', [remote('a'), gate('each', lenient), remote('b'), remote('last')], {
    executions: { a: ITEMS.length, b: ITEMS.length },
    flow: sequence([
      {
        type: 'foreach',
        items: 'input.items',
        maxConcurrency: 2,
        do: sequence(['a', 'each', 'b']),
        collect: 'collected',
      },
      'last',
    ]),
  }),
  workflow('long', [remote('a'), counter, gate('enough', lenient), remote('b'), remote('c')], {
    flow: sequence(['a', { type: 'loop', unit: 'count', maxIterations: 150 }, 'enough', 'b', 'c']),
    rewinds: 1,
    weight: 0.5,
  }),
];
