import type { Engine, UnitHandler } from '../../src/engine/index.js';
import { inSequence, workflowYaml } from './engine.js';

/** A run whose log is recorded: its workflow, and what people do to it. */
export interface Scenario {
  readonly name: string;
  readonly yaml: string;
  readonly input: Readonly<Record<string, number | string>>;
  /** Called once the run stopped for the first time. */
  steer(run: SteeredRun): Promise<void>;
}

export interface SteeredRun {
  readonly engine: Engine;
  readonly address: { readonly workflowId: string; readonly runId: string };
  /** The unit `mended` works from now on. */
  mend(): void;
}

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const gate = (id: string, config: object = {}) => ({
  id,
  uses: 'builtin.approval',
  config: { title: id, ...config },
});
const noOne = (): Promise<void> => Promise.resolve();

/**
 * Units whose answers depend on nothing but their request, so that a run ends the same whenever it is played.
 * `mended` fails until `isMended` says otherwise.
 */
export function scenarioUnits(isMended: () => boolean): Readonly<Record<string, UnitHandler>> {
  return {
    work: ({ input, context }) => ({
      content: `${context.unitId} of ${JSON.stringify(input)}`,
      tokenUsage: { totalTokens: 3, estimatedCost: 0.5 },
    }),
    count: ({ state }) => ({ content: 'counted', state: { count: Number(state['count'] ?? 0) + 1 } }),
    route: () => ({ content: 'routed', metadata: { route: 'right' } }),
    orchestrate: ({ state }) => ({
      content: 'orchestrated',
      metadata: {
        delegations:
          state['output.ann'] === undefined
            ? [{ targetUnitId: 'ann', task: 'dig' }, { targetUnitId: 'bob' }]
            : [],
      },
    }),
    shaky: ({ context }) => {
      if (context.attempt < 3) throw new Error(`attempt ${context.attempt} failed`);
      return 'steady';
    },
    refuse: () => {
      throw Object.assign(new Error('never'), { retryable: false });
    },
    mended: () => {
      if (!isMended()) throw Object.assign(new Error('refused'), { retryable: false });
      return 'mended';
    },
  };
}

/** One for each flow type, and one for each way in which a run stops and goes on. */
export const SCENARIOS: readonly Scenario[] = [
  played('sequential', {
    units: [
      work('a', { with: { task: 'for ${{ input.who }}' } }),
      work('skipped', { if: 'input.n > 5' }),
      { id: 'note', uses: 'builtin.set', config: { values: { noted: '${{ outputs.a }}' } } },
      work('b'),
    ],
    flow: { type: 'sequential', order: ['a', 'skipped', 'note', 'b'] },
  }),
  played('parallel', {
    units: [work('a'), work('b'), work('sum')],
    flow: { type: 'parallel', units: ['a', 'b'], reducer: 'sum' },
  }),
  played('parallel-best-effort', {
    units: [work('a'), { id: 'bad', uses: 'refuse' }],
    flow: { type: 'parallel', units: ['a', 'bad'], failureStrategy: 'best-effort' },
  }),
  played('router', {
    units: [{ id: 'r', uses: 'route' }, work('left'), work('right')],
    flow: { type: 'router', routerUnit: 'r', routes: { left: 'left', right: 'right' } },
  }),
  played('switch', {
    units: [work('a'), work('b')],
    flow: { type: 'switch', cases: [{ if: 'input.n > 5', do: 'a' }], default: 'b' },
  }),
  played('loop', {
    units: [{ id: 'c', uses: 'count' }],
    flow: { type: 'loop', unit: 'c', until: 'state.count >= 3' },
  }),
  played('foreach', {
    units: [work('each', { with: { task: '${{ item }} at ${{ index }}' } })],
    flow: { type: 'foreach', items: '["x", "y", "z"]', do: 'each', maxConcurrency: 2, collect: 'all' },
  }),
  played('dag', {
    units: ['plan', 'a', 'b', 'c', 'sum'].map((id) => work(id)),
    flow: {
      type: 'dag',
      planner: 'plan',
      executors: ['a', 'b', 'c'],
      dependencies: { c: ['a', 'b'] },
      aggregator: 'sum',
    },
  }),
  played('delegation', {
    units: [{ id: 'boss', uses: 'orchestrate' }, work('ann'), work('bob')],
    flow: { type: 'delegation', orchestrator: 'boss', specialists: ['ann', 'bob'] },
  }),
  {
    name: 'gate',
    yaml: inSequence('gate', [
      work('a'),
      gate('agree', { payload: { total: '${{ input.n }}' } }),
      gate('doubt', { onReject: 'continue' }),
      work('b'),
    ]),
    input: { n: 1 },
    async steer({ engine, address }) {
      await engine.gates.respond({ ...address, approved: true, responder: 'ann', comment: 'fine' });
      await engine.gates.respond({ ...address, approved: true, responder: 'bob' });
    },
  },
  {
    name: 'gates-in-branches',
    yaml: workflowYaml('gates-in-branches', {
      units: [gate('one'), gate('two'), work('a')],
      flow: {
        type: 'sequential',
        order: [{ type: 'parallel', units: ['one', 'two'] }, 'a'],
      },
    }),
    input: { n: 1 },
    async steer({ engine, address }) {
      const { messages } = await engine.runs.messages(address);
      for (const message of messages) {
        if (message.type !== 'hitl-request') continue;
        const gateId = Number(message['gateId']);
        await engine.gates.respond({ ...address, gateId, approved: true, responder: 'ann' });
      }
    },
  },
  {
    name: 'pause',
    yaml: inSequence('pause', [work('a', { pause: 'before' }), work('b', { pause: 'after' }), work('c')]),
    input: { n: 1 },
    async steer({ engine, address }) {
      await engine.runs.resume(address);
      await engine.runs.resume(address);
    },
  },
  {
    name: 'retry',
    yaml: inSequence('retry', [{ id: 's', uses: 'shaky' }, work('b')]),
    input: { n: 1 },
    steer: noOne,
  },
  {
    name: 'failed-and-resumed',
    yaml: inSequence('failed-and-resumed', [work('a'), { id: 'm', uses: 'mended' }, work('b')]),
    input: { n: 1 },
    async steer({ engine, address, mend }) {
      mend();
      await engine.runs.resume(address);
    },
  },
  {
    name: 'rewound',
    yaml: inSequence('rewound', [work('a'), work('b'), work('c')]),
    input: { n: 1 },
    async steer({ engine, address }) {
      const [first] = await engine.runs.snapshots(address);
      await engine.runs.resume({ ...address, snapshotId: first?.snapshotId });
    },
  },
];

function played(name: string, spec: object): Scenario {
  return { name, yaml: workflowYaml(name, spec), input: { n: 1, who: 'Ada' }, steer: noOne };
}
