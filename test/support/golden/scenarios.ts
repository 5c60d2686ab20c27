import type { JsonObject } from '../../../src/engine/index.js';
import { workflowYaml } from '../engine.js';
import type { Step } from './history.js';
import { BEGINNING } from './player.js';

/** A run whose log is recorded: its workflow, those that it calls, and what people do to it. */
export interface Scenario {
  readonly name: string;
  /** The run's own first. */
  readonly documents: readonly string[];
  readonly input: JsonObject;
  readonly steps: readonly Step[];
  /** In ms. */
  readonly lasts: number;
}

const MINUTE = 60_000;

const unit = (id: string, more: object = {}, ...answers: readonly object[]): object => ({
  id,
  uses: 'scripted',
  config: { answers },
  ...more,
});
const gate = (id: string, config: object = {}): object => ({ id, uses: 'builtin.approval', config });
const wait = (id: string, duration: string): object => ({ id, uses: 'builtin.wait', config: { duration } });
const child = (id: string, workflowId: string, more: object = {}): object => ({
  id,
  uses: 'builtin.workflow',
  config: { workflowId },
  ...more,
});
const set = (id: string, values: object): object => ({ id, uses: 'builtin.set', config: { values } });
const inOrder = (...order: readonly unknown[]): object => ({ type: 'sequential', order });
const refused = (error: string) => ({ error, retryable: false });
/** An answer that is different after the first minute. */
const failsAtFirst = { ...refused('not yet'), before: BEGINNING + MINUTE };

function scenario(
  name: string,
  spec: object,
  {
    steps = [],
    others = {},
    lasts = 10 * MINUTE,
  }: Partial<Pick<Scenario, 'steps' | 'lasts'>> & {
    readonly others?: Readonly<Record<string, object>>;
  } = {},
): Scenario {
  const documents = [[name, spec] as const, ...Object.entries(others)];
  return {
    name,
    documents: documents.map(([id, one]) => workflowYaml(id, one)),
    input: { n: 1, who: 'Ada' },
    steps,
    lasts,
  };
}

const WITH_CLEAN_UP = {
  units: [
    unit('reserve'),
    unit('ship', {}, { answers: 'when-told', content: 'turned back' }),
    unit('release'),
    unit('tell', {}, refused('nobody listens')),
    set('note', { noted: 'cancelled' }),
  ],
  flow: inOrder('reserve', 'ship'),
  onCancel: ['release', 'tell', 'note'],
};

const ASKING = {
  units: [unit('prepare'), gate('ask'), unit('finish')],
  flow: inOrder('prepare', 'ask', 'finish'),
};

/** The gate opens while another branch is at work: the run pauses when that ends, and moves again when the gate is decided. */
const ASKING_BESIDE_WORK = {
  units: [unit('quick'), gate('ask'), unit('finish')],
  flow: inOrder({ type: 'parallel', units: ['ask', 'quick'] }, 'finish'),
};

/** One for each flow type, for each kind of wait, and for each way in which a run stops, continues and ends. */
export const SCENARIOS: readonly Scenario[] = [
  scenario('sequential', {
    units: [
      unit('a', { with: { task: 'for ${{ input.who }}' } }, { tokens: 3, cost: 0.5 }),
      unit('skipped', { if: 'input.n > 5' }),
      set('note', { noted: '${{ outputs.a }}' }),
      unit('b', {}, { state: { seen: true } }),
    ],
    flow: inOrder('a', 'skipped', 'note', 'b'),
  }),
  scenario('parallel', {
    units: [unit('a'), unit('b'), unit('c'), unit('sum')],
    flow: { type: 'parallel', units: ['a', inOrder('b', 'c')], reducer: 'sum', maxConcurrency: 2 },
  }),
  scenario('parallel-fail-fast', {
    units: [unit('a', {}, { answers: 'never' }), unit('b', {}, refused('no'))],
    flow: { type: 'parallel', units: ['a', 'b'] },
  }),
  scenario('parallel-best-effort', {
    units: [
      unit('a'),
      unit('bad', {}, refused('no')),
      { id: 'stop', uses: 'builtin.fail', config: { message: 'void' } },
    ],
    flow: {
      type: 'parallel',
      units: ['a', 'bad', { type: 'parallel', units: [inOrder('a', 'stop'), 'a'] }],
      failureStrategy: 'best-effort',
    },
  }),
  scenario(
    'parallel-collect-errors',
    {
      units: [unit('a'), unit('b', {}, failsAtFirst, {})],
      flow: { type: 'parallel', units: ['a', 'b'], failureStrategy: 'collect-errors' },
    },
    { steps: [{ at: 2 * MINUTE, do: 'resume' }] },
  ),
  scenario('router', {
    units: [unit('r', {}, { metadata: { route: 'right' } }), unit('left'), unit('right')],
    flow: { type: 'router', routerUnit: 'r', routes: { left: 'left', right: 'right' } },
  }),
  scenario('switch', {
    units: [unit('a'), unit('b')],
    flow: { type: 'switch', cases: [{ if: 'input.n > 5', do: 'a' }], default: 'b' },
  }),
  scenario('loop', {
    units: [
      unit('a', { with: { pass: '${{ iteration }}' } }),
      set('count', { count: '${{ iteration + 1 }}' }),
    ],
    flow: { type: 'loop', do: inOrder('a', 'count'), until: 'state.count >= 3' },
  }),
  scenario('foreach', {
    units: [unit('each', { with: { task: '${{ item }} at ${{ index }}' } })],
    flow: { type: 'foreach', items: '["x", "y", "z"]', do: 'each', maxConcurrency: 2, collect: 'all' },
  }),
  scenario('dag', {
    units: ['plan', 'a', 'b', 'c', 'sum'].map((id) => unit(id)),
    flow: {
      type: 'dag',
      planner: 'plan',
      executors: ['a', 'b', 'c'],
      dependencies: { c: ['a', 'b'] },
      aggregator: 'sum',
    },
  }),
  scenario('delegation', {
    units: [
      unit(
        'boss',
        {},
        { when: 'output.ann' },
        {
          metadata: { delegations: [{ targetUnitId: 'ann', task: 'dig' }, { targetUnitId: 'bob' }] },
        },
      ),
      unit('ann'),
      unit('bob'),
    ],
    flow: { type: 'delegation', orchestrator: 'boss', specialists: ['ann', 'bob'] },
  }),
  scenario(
    'gate',
    {
      units: [
        unit('a'),
        gate('agree', { payload: { total: '${{ input.n }}' } }),
        gate('doubt', { onReject: 'continue' }),
        unit('b'),
      ],
      flow: inOrder('a', 'agree', 'doubt', 'b'),
    },
    {
      steps: [
        { at: MINUTE, do: 'approve', unitId: 'agree', comment: 'fine' },
        { at: 2 * MINUTE, do: 'approve', unitId: 'doubt', approved: false },
      ],
    },
  ),
  scenario(
    'gates-in-branches',
    {
      units: [gate('one'), gate('two'), unit('a')],
      flow: inOrder({ type: 'parallel', units: ['one', 'two'] }, 'a'),
    },
    {
      steps: [
        { at: MINUTE, do: 'approve', unitId: 'two' },
        { at: 2 * MINUTE, do: 'approve', unitId: 'one' },
      ],
    },
  ),
  scenario('retry', {
    units: [unit('a', {}, { attempts: 2, error: 'shaky' }), unit('b')],
    flow: inOrder('a', 'b'),
  }),
  scenario(
    'failed-and-resumed',
    { units: [unit('a'), unit('b', {}, failsAtFirst), unit('c')], flow: inOrder('a', 'b', 'c') },
    { steps: [{ at: 2 * MINUTE, do: 'resume' }] },
  ),
  scenario(
    'rewound',
    { units: [unit('a'), unit('b'), unit('c')], flow: inOrder('a', 'b', 'c') },
    { steps: [{ at: MINUTE, do: 'rewind', checkpoint: 0 }] },
  ),
  scenario('timer', { units: [unit('a'), wait('rest', 'PT5M'), unit('b')], flow: inOrder('a', 'rest', 'b') }),
  scenario(
    'timer-overtaken',
    {
      units: [wait('rest', 'PT5M'), gate('ask'), unit('late'), unit('after')],
      flow: inOrder(
        {
          type: 'parallel',
          units: [{ type: 'parallel', units: [inOrder('rest', 'late'), 'ask'] }],
          failureStrategy: 'best-effort',
        },
        'after',
      ),
    },
    { steps: [{ at: MINUTE, do: 'approve', unitId: 'ask', approved: false }] },
  ),
  scenario(
    'pause-before-and-after',
    {
      units: [unit('a', { pause: 'before' }), unit('b', { pause: 'after' }), unit('c')],
      flow: inOrder('a', 'b', 'c'),
    },
    {
      steps: [
        { at: MINUTE, do: 'resume' },
        { at: 2 * MINUTE, do: 'resume' },
      ],
    },
  ),
  scenario(
    'pause-requested',
    {
      units: [
        unit('a', {}, { answers: 'when-told', before: BEGINNING + 90_000 }),
        unit('b'),
        wait('rest', 'PT5M'),
      ],
      flow: inOrder({ type: 'parallel', units: ['a', 'rest'] }, 'b'),
    },
    {
      steps: [
        { at: MINUTE, do: 'pause' },
        { at: 2 * MINUTE, do: 'resume' },
      ],
    },
  ),
  scenario(
    'cancel-at-rest',
    {
      units: [unit('a'), gate('ask'), wait('rest', 'PT5M')],
      flow: inOrder('a', { type: 'parallel', units: ['ask', 'rest'] }),
    },
    {
      steps: [
        { at: MINUTE, do: 'cancel' },
        { at: 2 * MINUTE, do: 'cancel', key: 'again' },
      ],
    },
  ),
  scenario('cancel-with-clean-up', WITH_CLEAN_UP, { steps: [{ at: MINUTE, do: 'cancel' }] }),
  scenario(
    'cancel-when-the-grace-is-over',
    {
      units: [unit('a', {}, { answers: 'never' }), unit('b'), unit('undo')],
      flow: { type: 'parallel', units: ['a', inOrder('b')] },
      onCancel: ['undo'],
    },
    { steps: [{ at: MINUTE, do: 'cancel' }] },
  ),
  scenario(
    'cancel-of-a-failed-run',
    {
      units: [unit('a'), unit('b', {}, refused('no')), unit('undo')],
      flow: inOrder('a', 'b'),
      onCancel: ['undo'],
    },
    { steps: [{ at: MINUTE, do: 'cancel' }] },
  ),
  scenario(
    'death-in-a-call',
    {
      units: [unit('a', {}, { answers: 'never', before: BEGINNING + MINUTE }), unit('b')],
      flow: inOrder('a', 'b'),
    },
    { steps: [{ at: MINUTE, do: 'die' }] },
  ),
  scenario('time-out-of-the-run', {
    policy: { timeout: { workflowMs: 3 * MINUTE } },
    units: [unit('a'), wait('rest', 'PT5M')],
    flow: inOrder('a', 'rest'),
  }),
  scenario('budget-fails', {
    policy: { budget: { maxTokens: 10 } },
    units: [unit('a', {}, { tokens: 12 }), unit('b')],
    flow: inOrder('a', 'b'),
  }),
  scenario(
    'budget-pauses',
    {
      policy: { budget: { maxTokens: 10, maxCost: 2, onExceed: 'pause' } },
      units: [unit('a', {}, { tokens: 12, cost: 0.25 }), unit('b', {}, { tokens: 5, cost: 0.25 })],
      flow: inOrder('a', 'b'),
    },
    { steps: [{ at: MINUTE, do: 'resume', budget: { maxTokens: 100 } }] },
  ),
  scenario(
    'child',
    {
      units: [unit('a'), child('sub', 'child-inner', { with: { n: '${{ input.n + 1 }}' } }), unit('b')],
      flow: inOrder('a', 'sub', 'b'),
    },
    {
      others: {
        'child-inner': {
          units: [unit('x', {}, { tokens: 4 }), wait('rest', 'PT1M')],
          flow: inOrder('x', 'rest'),
        },
      },
    },
  ),
  scenario('gate-beside-work', ASKING_BESIDE_WORK, { steps: [{ at: MINUTE, do: 'approve', unitId: 'ask' }] }),
  scenario(
    'child-at-a-gate',
    { units: [child('sub', 'child-asks'), unit('b')], flow: inOrder('sub', 'b') },
    { others: { 'child-asks': ASKING }, steps: [{ at: MINUTE, do: 'approve', unitId: 'ask' }] },
  ),
  scenario(
    'child-failed-and-resumed',
    { units: [child('sub', 'child-fails'), unit('b')], flow: inOrder('sub', 'b') },
    {
      others: { 'child-fails': { units: [unit('x'), unit('y', {}, failsAtFirst)], flow: inOrder('x', 'y') } },
      steps: [{ at: 2 * MINUTE, do: 'resume' }],
    },
  ),
  scenario(
    'child-waited-for-again',
    { units: [child('sub', 'child-mends'), unit('b')], flow: inOrder('sub', 'b') },
    {
      others: {
        'child-mends': {
          units: [unit('x'), unit('y', {}, failsAtFirst), wait('rest', 'PT5M')],
          flow: inOrder('x', 'y', 'rest'),
        },
      },
      steps: [
        { at: 2 * MINUTE, do: 'resume', child: 'child-mends' },
        { at: 3 * MINUTE, do: 'resume' },
        { at: 4 * MINUTE, do: 'pause' },
        { at: 5 * MINUTE, do: 'resume' },
      ],
    },
  ),
  scenario(
    'child-resumed-alone-in-a-paused-family',
    { units: [child('sub', 'child-between'), unit('b')], flow: inOrder('sub', 'b') },
    {
      others: {
        'child-between': { units: [child('below', 'child-below')], flow: inOrder('below') },
        'child-below': {
          units: [unit('x'), wait('rest', 'PT10M'), unit('y')],
          flow: inOrder('x', 'rest', 'y'),
        },
      },
      steps: [
        { at: MINUTE, do: 'pause' },
        { at: 2 * MINUTE, do: 'resume', child: 'child-below' },
        { at: 3 * MINUTE, do: 'pause' },
        { at: 4 * MINUTE, do: 'resume' },
      ],
    },
  ),
  scenario(
    'children-and-their-budget',
    {
      policy: { budget: { maxTokens: 10, onExceed: 'pause' } },
      units: [child('sub', 'child-spends'), child('more', 'child-spends'), unit('b')],
      flow: inOrder('sub', 'more', 'b'),
    },
    {
      others: {
        'child-spends': {
          units: [unit('x', {}, { tokens: 12, cost: 0.25 }), gate('ask'), unit('y', {}, { tokens: 3 })],
          flow: inOrder('x', 'ask', 'y'),
        },
      },
      steps: [
        { at: MINUTE, do: 'approve', unitId: 'ask' },
        { at: 2 * MINUTE, do: 'resume', budget: { maxTokens: 100 } },
        { at: 3 * MINUTE, do: 'approve', unitId: 'ask' },
      ],
    },
  ),
  scenario(
    'child-tried-again-within-the-budget',
    {
      policy: { budget: { maxTokens: 10 } },
      units: [child('sub', 'child-spends-and-fails'), unit('b')],
      flow: inOrder('sub', 'b'),
    },
    {
      others: {
        'child-spends-and-fails': {
          units: [unit('x', {}, { tokens: 12 }), unit('y', {}, failsAtFirst)],
          flow: inOrder('x', 'y'),
        },
      },
      steps: [
        { at: 2 * MINUTE, do: 'resume' },
        { at: 4 * MINUTE, do: 'resume', budget: { maxTokens: 100 } },
      ],
    },
  ),
  scenario('child-of-no-workflow', { units: [child('sub', 'nobody-has-it')], flow: 'sub' }),
  scenario(
    'child-paused-with-its-parent',
    { units: [child('sub', 'child-rests'), unit('b')], flow: inOrder('sub', 'b') },
    {
      others: { 'child-rests': { units: [wait('rest', 'PT5M'), unit('x')], flow: inOrder('rest', 'x') } },
      steps: [
        { at: MINUTE, do: 'pause' },
        { at: 2 * MINUTE, do: 'resume' },
      ],
    },
  ),
  scenario(
    'child-cancelled-with-its-parent',
    {
      units: [child('sub', 'child-cleans'), unit('b'), unit('undo')],
      flow: inOrder('sub', 'b'),
      onCancel: ['undo'],
    },
    { others: { 'child-cleans': WITH_CLEAN_UP }, steps: [{ at: MINUTE, do: 'cancel' }] },
  ),
  scenario(
    'fork',
    {
      units: [
        unit('prepare', { with: { task: 'for ${{ input.who }}' } }, { tokens: 3, cost: 0.5 }),
        unit('stamp', { pause: 'before' }),
        gate('ask', { payload: '${{ has(state.tone) ? state.tone : "plain" }}' }),
        unit('finish'),
      ],
      flow: inOrder({ type: 'parallel', units: ['prepare', 'stamp'] }, 'ask', 'finish'),
    },
    {
      steps: [
        { at: MINUTE, do: 'resume' },
        { at: 2 * MINUTE, do: 'approve', unitId: 'ask' },
        // As it was, after the gate; with other words, before it; and from an event at which another branch is at a pause.
        { at: 3 * MINUTE, do: 'fork', unitId: 'finish', key: 'behind' },
        { at: 4 * MINUTE, do: 'fork', unitId: 'ask', state: { tone: 'kind' }, key: 'before' },
        { at: 5 * MINUTE, do: 'fork', unitId: 'prepare', unitInput: { task: 'mine' }, key: 'given' },
        { at: 6 * MINUTE, do: 'fork', key: 'anew' },
      ],
    },
  ),
  scenario(
    'import',
    { units: [unit('a'), gate('ask'), unit('b')], flow: inOrder('a', 'ask', 'b') },
    {
      steps: [
        { at: MINUTE, do: 'import', as: '01976ff2-a600-7000-8000-0000000000a0' },
        { at: 2 * MINUTE, do: 'approve', unitId: 'ask' },
        { at: 3 * MINUTE, do: 'import', as: '01976ff2-a600-7000-8000-0000000000b0' },
      ],
    },
  ),
  scenario('try', {
    units: [
      unit('reserve'),
      unit('charge', {}, refused('no money')),
      set('note', { said: '${{ error.unitId }}: ${{ error.code }}' }),
      unit('alert', {}, refused('nobody listens')),
      unit('close'),
      unit('next'),
    ],
    flow: inOrder(
      {
        type: 'try',
        do: inOrder(
          'reserve',
          { type: 'try', do: 'charge', catch: 'note', rethrow: true, finally: 'close' },
          'next',
        ),
        catch: 'close',
      },
      { type: 'try', do: 'alert', ignore: true },
      'next',
    ),
  }),
  scenario('try-in-time', {
    units: [gate('ask'), unit('late'), unit('undo'), unit('tell', {}, { answers: 'never' }), unit('next')],
    flow: inOrder(
      {
        type: 'try',
        timeout: 'PT3M',
        do: {
          type: 'parallel',
          units: [{ type: 'try', do: inOrder('ask', 'late'), finally: 'undo' }, 'tell'],
        },
        catch: { type: 'switch', cases: [{ if: 'error.code == "timeout"', do: 'undo' }] },
      },
      'next',
    ),
  }),
  scenario(
    'try-cancelled',
    {
      units: [unit('reserve'), gate('ask'), unit('release'), unit('undo')],
      flow: { type: 'try', do: inOrder('reserve', 'ask'), finally: 'release' },
      onCancel: ['undo'],
    },
    { steps: [{ at: MINUTE, do: 'cancel' }] },
  ),
  scenario(
    'race',
    {
      units: [gate('ask'), wait('rest', 'PT2M'), unit('remind'), unit('tidy'), unit('next')],
      flow: inOrder(
        {
          type: 'race',
          winner: 'how',
          units: [
            'ask',
            {
              type: 'try',
              do: { type: 'loop', do: inOrder('rest', 'remind'), maxIterations: 9 },
              finally: 'tidy',
            },
          ],
        },
        'next',
      ),
    },
    { steps: [{ at: 3 * MINUTE, do: 'approve', unitId: 'ask' }] },
  ),
  scenario('gate-in-time', {
    units: [
      gate('agree', { timeout: 'PT2M', onTimeout: 'approve' }),
      gate('doubt', { timeout: 'PT2M', onReject: 'continue' }),
      gate('must', { timeout: 'PT2M', onTimeout: 'fail' }),
      unit('tell', { with: { code: '${{ error.code }}' } }),
    ],
    flow: inOrder('agree', 'doubt', { type: 'try', do: 'must', catch: 'tell' }),
  }),
  scenario('foreach-that-outlives-failures', {
    units: [
      unit('row', { with: { id: '${{ item }}' }, if: 'item != "skipped"' }),
      { id: 'check', uses: 'builtin.fail', if: 'item == "bad"', config: { message: 'it is ${{ item }}' } },
      unit('next'),
    ],
    flow: inOrder(
      {
        type: 'foreach',
        items: '["a", "bad", "c"]',
        do: inOrder('row', 'check'),
        failureStrategy: 'best-effort',
        failures: 'bad',
        itemKey: 'item',
        collect: 'rows',
      },
      'next',
    ),
  }),
  scenario('output', {
    output: { said: '${{ outputs.a }}', by: '${{ input.who }}' },
    units: [unit('a')],
    flow: 'a',
  }),
  scenario('compensation-in-a-try', {
    units: [
      unit('reserve', { compensate: { unit: 'release', with: { id: '${{ done.output }}' } } }),
      unit('charge', { compensate: 'refund' }),
      unit('ship', {}, refused('no truck')),
      unit('release'),
      unit('refund', {}, refused('no bank')),
      unit('tell'),
    ],
    flow: { type: 'try', do: inOrder('reserve', 'charge', 'ship'), compensate: true, catch: 'tell' },
  }),
  scenario('compensation-of-a-failed-run', {
    units: [
      unit('reserve', { compensate: { unit: 'release', with: { n: '${{ done.index }}' } } }),
      unit('charge', { compensate: { unit: 'refund', with: { id: '${{ done.output.id }}' } } }),
      unit('ship', {}, refused('no truck')),
      unit('release'),
      unit('refund'),
    ],
    flow: inOrder({ type: 'foreach', items: '[1, 2]', do: 'reserve', maxConcurrency: 2 }, 'charge', 'ship'),
  }),
  scenario(
    'compensation-of-a-cancelled-run',
    {
      units: [
        unit('reserve', { compensate: 'release' }),
        unit(
          'charge',
          { compensate: { unit: 'refund', onUnknown: true, with: { known: '${{ done.known }}' } } },
          { answers: 'never' },
        ),
        unit('release'),
        unit('refund'),
        unit('undo'),
      ],
      flow: inOrder('reserve', 'charge'),
      onCancel: ['undo'],
    },
    { steps: [{ at: MINUTE, do: 'cancel' }] },
  ),
  scenario(
    'vars-and-times',
    {
      vars: {
        due: '${{ timestamp(run.createdAt) + duration("PT5M") }}',
        all: { n: '${{ input.n + 1.0 }}', due: '${{ vars.due }}' },
      },
      units: [
        set('began', { began: '${{ now }}' }),
        unit('work', { with: { all: '${{ vars.all }}' } }),
        gate('agree', { title: 'Before ${{ vars.due }}?' }),
        unit('late', { if: 'now > timestamp(vars.due)' }),
        set('ended', { took: '${{ now - timestamp(state.began) }}', hour: '${{ now.getHours("+01:00") }}' }),
      ],
      output: { of: '${{ vars.all.n }}', at: '${{ now }}' },
      flow: { type: 'sequential' },
    },
    { steps: [{ at: 6 * MINUTE, do: 'approve', unitId: 'agree' }] },
  ),
  scenario(
    'compensation-tried-again',
    {
      units: [
        unit('reserve', { compensate: 'release' }),
        unit('charge', { compensate: 'refund' }),
        unit('ship', {}, refused('no truck')),
        unit('release'),
        unit('refund', {}, failsAtFirst),
      ],
      flow: inOrder('reserve', 'charge', 'ship'),
    },
    {
      steps: [
        { at: 30_000, do: 'compensate', key: 'too-early' },
        { at: 2 * MINUTE, do: 'compensate', key: 'in-time' },
      ],
    },
  ),
  scenario(
    'compensation-tried-again-after-the-end',
    {
      units: [
        unit('reserve', { compensate: 'release' }),
        unit('ship', {}, refused('no truck')),
        unit('release', {}, failsAtFirst),
        unit('next'),
      ],
      flow: inOrder({ type: 'try', do: inOrder('reserve', 'ship'), compensate: true, ignore: true }, 'next'),
      output: { next: '${{ outputs.next }}' },
    },
    { steps: [{ at: 2 * MINUTE, do: 'compensate', key: 'again' }] },
  ),
  scenario(
    'gate-after-a-failure',
    {
      units: [gate('ask', { payload: { n: 1 } }), unit('b', {}, failsAtFirst), unit('c')],
      flow: inOrder({ type: 'parallel', units: ['ask', 'b'] }, 'c'),
    },
    {
      steps: [
        { at: 2 * MINUTE, do: 'resume' },
        { at: 3 * MINUTE, do: 'approve', unitId: 'ask' },
      ],
    },
  ),
  scenario(
    'compensation-tried-again-of-a-cancelled-run',
    {
      units: [unit('reserve', { compensate: 'release' }), gate('ask'), unit('release', {}, failsAtFirst)],
      flow: inOrder('reserve', 'ask'),
    },
    {
      steps: [
        { at: 20_000, do: 'cancel' },
        { at: 2 * MINUTE, do: 'compensate', key: 'again' },
      ],
    },
  ),
  scenario('compensation-in-a-race', {
    units: [
      unit('reserve', { compensate: 'release' }),
      unit('order', { compensate: 'release' }),
      unit('late', {}, { answers: 'never' }),
      wait('rest', 'PT1M'),
      unit('release'),
      unit('next'),
    ],
    flow: inOrder(
      {
        type: 'race',
        units: [inOrder('reserve', 'late'), inOrder('order', 'rest')],
        winner: 'how',
        compensate: true,
      },
      'next',
    ),
  }),
];
