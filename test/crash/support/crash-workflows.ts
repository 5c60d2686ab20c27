import { bound, gate, remote } from '../../support/workflow-documents.js';
import { REFUSING_UNIT, TOKENS } from './ledger-units.js';

/** The items of every foreach. */
export const ITEMS = ['one', 'two', 'three'] as const;

/** A workflow of the crash tests, and what its driver may do to its runs. */
export interface CrashWorkflow {
  readonly id: string;
  readonly yaml: string;
  /** Bindings for units that answer at `endpoint`. */
  bindings(endpoint: string): Readonly<Record<string, unknown>>;
  /** All units, gates included, which a completed run has completed. */
  readonly unitIds: readonly string[];
  readonly remoteIds: readonly string[];
  /** Whether the units run sequentially, each once: then it is known what a unit sees of the ones before it. */
  readonly isSequence: boolean;
  /** How often a unit is executed where that is not once. */
  readonly executions: Readonly<Record<string, number>>;
  /** How often a driver goes back to an older checkpoint. */
  readonly rewinds: number;
  /** The units called, in order, when a driver cancels the run, which it does now and then; none: it never does. */
  readonly onCancel: readonly string[];
  /** How often a driver pauses the run at most. */
  readonly pauses: number;
  /** The workflows of which each run starts a child run. */
  readonly children: readonly string[];
  /** How often it is chosen, relative to the others. */
  readonly weight: number;
}

type Unit = { readonly id: string; readonly uses: string };

const sequence = (order: readonly unknown[]) => ({ type: 'sequential', order });
const PATIENT = { retry: { maxAttempts: 20, backoff: 'fixed', baseMs: 15, jitter: false } };

function workflow(
  id: string,
  units: readonly Unit[],
  more: Partial<CrashWorkflow> & { readonly flow?: object; readonly policy?: object } = {},
): CrashWorkflow {
  const { flow = sequence(units.map((unit) => unit.id)), policy = {}, onCancel = [], ...rest } = more;
  const remoteIds = units.filter(({ uses }) => uses.startsWith('acme.')).map((unit) => unit.id);
  const called = [...remoteIds, ...onCancel];
  return {
    id,
    yaml: JSON.stringify({
      apiVersion: 'flowgate/v1',
      kind: 'Workflow',
      metadata: { id },
      spec: {
        policy: { ...PATIENT, ...policy },
        units: [...units, ...onCancel.map((unitId) => remote(unitId))],
        flow,
        ...(onCancel.length === 0 ? {} : { onCancel }),
      },
    }),
    bindings: (endpoint) => Object.assign({}, ...called.map((unitId) => bound(unitId, endpoint))) as object,
    unitIds: units.map((unit) => unit.id),
    remoteIds,
    isSequence: more.flow === undefined,
    executions: {},
    rewinds: 0,
    onCancel,
    pauses: 0,
    children: units.filter(isParent).map(({ config }) => config.workflowId),
    weight: 1,
    ...rest,
  } as CrashWorkflow;
}

type RunOf = Unit & { readonly config: { readonly workflowId: string } };
const isParent = (unit: Unit): unit is RunOf => unit.uses === 'builtin.workflow';
const wait = (id: string, config: object) => ({ id, uses: 'builtin.wait', config });
const runOf = (id: string, workflowId: string): RunOf => ({
  id,
  uses: 'builtin.workflow',
  config: { workflowId },
});
const lenient = { onReject: 'continue' };
const counter = {
  id: 'count',
  uses: 'builtin.set',
  config: { values: { count: '${{ has(state.count) ? state.count + 1 : 1 }}' } },
};

/**
 * Sequential, gated, paused and rewound runs; parallel and foreach ones with gates inside; a long log; runs that wait,
 * are paused on request, are cancelled, use up their budgets, and wait for runs of others.
 */
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
  workflow(
    'timed',
    [
      remote('a'),
      wait('short', { durationMs: 60 }),
      remote('b'),
      wait('longer', { duration: 'PT0.4S' }),
      remote('c'),
    ],
    { pauses: 1 },
  ),
  workflow(
    'timers-at-once',
    [wait('left', { durationMs: 150 }), remote('a'), wait('right', { durationMs: 150 }), remote('b')],
    { flow: { type: 'parallel', units: [sequence(['left', 'a']), sequence(['right', 'b'])] }, pauses: 1 },
  ),
  workflow('stopped', [remote('a'), remote('b'), gate('agree', lenient), remote('c'), remote('d')], {
    pauses: 2,
    weight: 2,
  }),
  workflow('cancelled', [remote('a'), wait('rest', { durationMs: 200 }), remote('b'), remote('c')], {
    onCancel: ['undo', 'tell'],
    pauses: 1,
    weight: 2,
  }),
  workflow('within-a-budget', [remote('a'), remote('b'), remote('c'), remote('d')], {
    policy: { budget: { maxTokens: 2 * TOKENS, onExceed: 'pause' } },
  }),
  workflow(
    'parent',
    [remote('before'), runOf('inner', 'sequential'), runOf('stops', 'paused'), remote('after')],
    {
      pauses: 1,
      weight: 2,
    },
  ),
  workflow('asks-within', [remote('before'), runOf('inner', 'gated'), remote('after')]),
  workflow('cancelled-parent', [runOf('inner', 'timed'), remote('after')], {
    onCancel: ['undo'],
  }),
];
