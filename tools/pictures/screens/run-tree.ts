import type { LogEvent } from '../../../src/cli/tree/log-event.ts';
import { RunTree } from '../../../src/cli/tree/run-tree.ts';
import { takeEvent } from '../../../src/cli/tree/step-folds.ts';
import { treeLines } from '../../../src/cli/tree/tree-lines.ts';
import { terminal } from './terminal.ts';

type Told = readonly [
  atMs: number,
  type: string,
  where: { readonly scope?: string; readonly path?: string },
  data?: object,
];

const PASSES = '/spec/flow/order/1/units/0';
const CITIES = 50;
const FAILED = new Map([
  [11, { city: 'oslo', error: 'HTTP 503', attempt: 3 }],
  [23, { city: 'rome', error: 'HTTP 400', attempt: 1 }],
]);
const NOW_MS = 42_000;

/** The log of a run in the middle of its work. The command line makes of it what it makes of any other. */
function* eventsOfRun(): Generator<Told> {
  yield [0, 'run-started', {}];
  yield [0, 'unit-scheduled', { path: '/spec/flow/order/0' }, { unitId: 'list' }];
  yield [120, 'unit-finished', {}, { executionId: 2, attempt: 1, usage: { tokens: 30, cost: 0.01 } }];
  const items = Array.from(
    { length: CITIES },
    (_, index) => FAILED.get(index)?.city ?? (index === 39 ? 'turin' : `city-${index}`),
  );
  yield [130, 'items-opened', { path: PASSES }, { kind: 'passes', items }];
  const child = { unitId: 'bill', childRunId: '01a20109-e877-709d-9a6d-eb9df45e4c41', workflowId: 'billing' };
  yield [140, 'child-started', { path: '/spec/flow/order/1/units/1' }, child];
  yield [150, 'timer-set', { path: '/spec/flow/order/1/units/2' }, { unitId: 'rest', dueAt: 3_600_150 }];
  yield [
    160,
    'gate-opened',
    { path: '/spec/flow/order/1/units/3' },
    { unitId: 'approve', title: 'Send it?' },
  ];
  let seq = 7;
  for (const [index, city] of items.slice(0, 40).entries()) {
    const scope = `>${PASSES}#${index}`;
    const beginsAt = 200 + index * 1_000;
    yield [beginsAt, 'pass-opened', { scope }, { key: city }];
    yield [beginsAt, 'unit-scheduled', { scope, path: `${PASSES}/do` }, { unitId: 'row' }];
    seq += 2;
    const executionId = seq;
    if (index === 39) {
      const retryAt = NOW_MS + 1_000;
      yield [
        beginsAt + 800,
        'unit-attempt-failed',
        {},
        { executionId, attempt: 1, error: 'HTTP 503', retryAt },
      ];
      return;
    }
    const failure = FAILED.get(index);
    if (failure === undefined)
      yield [
        beginsAt + 600,
        'unit-finished',
        {},
        { executionId, attempt: 1, usage: { tokens: 15, cost: 0.003 } },
      ];
    else
      yield [
        beginsAt + 600,
        'unit-failed',
        {},
        { executionId, attempt: failure.attempt, error: failure.error },
      ];
    yield [beginsAt + 600, 'branch-closed', { scope }, { error: failure?.error ?? null }];
    seq += 2;
  }
}

function treeOf(told: Iterable<Told>): RunTree {
  const tree = new RunTree();
  let seq = 0;
  for (const [at, type, { scope = '', path = '' }, data = {}] of told) {
    seq += 1;
    const event: LogEvent = { workflowId: 'report', seq, at, type, scope, path, data: { ...data } };
    takeEvent(tree, event);
  }
  return tree;
}

/** A run as `run`, `start --wait` and `watch` draw it: by the very code of the command line. */
export const runTree = terminal({
  name: 'run-tree',
  title: 'A run in a terminal',
  description:
    'A terminal after flowgate run report.yaml: the run with its time, tokens and cost. Below it stand each unit with a mark and its duration, a foreach with 39 of 50 items done and two failed, a child run, a wait, and a gate that waits for a decision.',
  command: 'flowgate run report.yaml',
  lines: treeLines(treeOf(eventsOfRun()), { width: 80, height: 24, now: NOW_MS, hasHead: true }),
});
