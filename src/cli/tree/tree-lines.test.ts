import type { LogEvent } from './log-event.js';
import { RunTree } from './run-tree.js';
import { takeEvent } from './step-folds.js';
import { treeLines } from './tree-lines.js';
import { widthOf } from '../terminal/display-width.js';

type Told = readonly [type: string, where: string, data?: object];

/** A tree of what was told, an event each 100 ms; `where`: `scope|path`. */
function treeOf(...told: readonly Told[]): RunTree {
  const tree = new RunTree();
  take(tree, ...told);
  return tree;
}

function take(tree: RunTree, ...told: readonly Told[]): void {
  for (const [type, where, data = {}] of told) {
    const [scope = '', path = ''] = where.split('|');
    const seq = tree.lastSeq + 1;
    const event = { workflowId: 'orders', seq, at: seq * 100, type, data, scope, path };
    takeEvent(tree, event as LogEvent);
  }
}

const call = (unitId: string, where: string, more: object = {}): Told => [
  'unit-scheduled',
  where,
  { unitId, ...more },
];
const done = (executionId: number, more: object = {}): Told => [
  'unit-finished',
  '|',
  { executionId, attempt: 1, ...more },
];
const failed = (executionId: number, error: string, attempt = 1): Told => [
  'unit-failed',
  '|',
  { executionId, attempt, error },
];

function shown(
  tree: RunTree,
  { width = 80, height = 24, now = tree.lastSeq * 100, hasHead = true } = {},
): string {
  return treeLines(tree, { width, height, now, hasHead })
    .map(({ text }) => text)
    .join('\n');
}

const USED_UP =
  'Unit search was not called: the run has used 5 of 5 tokens, its budget. Resume the run with a higher one: ';
const PASS = '>/spec/flow/order/0';
/** A foreach of so many items, of which each is called, and the first ones have ended; every `fails`th failed. */
function foreach(count: number, ends: number, fails = 25): readonly Told[] {
  const items = Array.from({ length: count }, (_, index) => `item-${index}`);
  const told: Told[] = [
    ['run-started', '|'],
    ['items-opened', '|/spec/flow/order/0', { kind: 'passes', items }],
  ];
  for (const [index, key] of items.slice(0, ends + 2).entries()) {
    const scope = `${PASS}#${index}`;
    told.push(['pass-opened', `${scope}|`, { key }], call('row', `${scope}|/spec/flow/order/0/do`));
    const id = told.length;
    if (index >= ends) continue;
    const hasFailed = index % fails === fails - 1;
    told.push(hasFailed ? failed(id, 'HTTP 500') : done(id, { usage: { tokens: 10, cost: 0.01 } }));
    told.push(['branch-closed', `${scope}|`, { error: hasFailed ? 'HTTP 500' : null }]);
  }
  return told;
}

describe('the tree of a run', () => {
  it('shows units with their attempts and durations, and what waits for somebody', () => {
    const tree = treeOf(
      ['run-started', '|'],
      call('reserve', '|/spec/flow/order/0'),
      done(2, { usage: { tokens: 660, cost: 0.5 } }),
      ['unit-skipped', '|/spec/flow/order/1', { unitId: 'refund' }],
      call('charge', '|/spec/flow/order/2'),
      ['unit-attempt-failed', '|', { executionId: 5, attempt: 1, error: 'HTTP 503', retryAt: 2_600 }],
      ['gate-opened', '|/spec/flow/order/3', { unitId: 'approve', title: 'Send it?' }],
      ['timer-set', '|/spec/flow/order/4', { unitId: 'rest', dueAt: 60_700 }],
      [
        'child-started',
        '|/spec/flow/order/5',
        { unitId: 'bill', childRunId: 'x-f45e4c41', workflowId: 'billing' },
      ],
    );
    expect(shown(tree)).toBe(
      [
        'orders: running (800 ms, 660 tokens, cost 0.5)',
        '  ✓ reserve  100 ms',
        '  – refund   skipped',
        '  ● charge   attempt 1 failed, the next one in 1.7 s: HTTP 503',
        '  ? approve  waits for a decision (gate 7): Send it?',
        '  ● rest     waits, for another 59.8 s',
        '  ● bill     the run f45e4c41 of billing, 0 ms',
      ].join('\n'),
    );
    take(
      tree,
      done(5, { attempt: 2 }),
      ['gate-decided', '|', { gateId: 7, approved: true, responder: 'ann' }],
      [
        'child-ended',
        '|',
        { childId: 9, status: 'failed', error: 'no funds', usage: { tokens: 40, cost: 0 } },
      ],
    );
    const after = shown(tree);
    expect(after).toContain('  ✓ charge   attempt 2, 500 ms');
    expect(after).toContain('  ✓ approve  approved by ann, 400 ms');
    expect(after).toContain('  ✗ bill     failed after 300 ms: no funds');
    expect(after).toContain('700 tokens');
    take(
      tree,
      call('send', '|/spec/flow/order/6'),
      failed(13, 'Unit send failed after 3 attempt(s): HTTP 500', 3),
    );
    expect(shown(tree)).toContain('  ✗ send     failed after 3 attempts, 100 ms: HTTP 500');
  });

  it.each([80, 120])(
    'counts a foreach, names what failed, and shows what is at work, at %i columns',
    (width) => {
      const text = shown(treeOf(...foreach(50, 37, 9)), { width });
      expect(text).toBe(
        [
          'orders: running (15.3 s, 330 tokens, cost 0.33)',
          '  ● each row         37/50  4 failed: item-8, item-17, item-26, item-35',
          ...[8, 17, 26, 35].map(
            (item) => `    ✗ row (item-${item})`.padEnd(21) + 'failed after 100 ms: HTTP 500',
          ),
          '    ● row (item-37)  200 ms',
          '    ● row (item-38)  0 ms',
        ].join('\n'),
      );
    },
  );

  it('forgets the steps of passes that ended well, and names those that have no name by their position', () => {
    const tree = treeOf(
      ['items-opened', '|/spec/flow', { kind: 'passes', items: [1, 2] }],
      call('row', '>/spec/flow#1|/spec/flow/do'),
    );
    expect(shown(tree, { hasHead: false })).toBe('  ● each row    0/2\n    ● row (#1)  0 ms');
    take(tree, done(2), ['branch-closed', '>/spec/flow#1|', { error: null }]);
    expect(tree.steps).toEqual([]);
    expect(shown(tree, { hasHead: false })).toBe('  ● each row  1/2');
  });

  it('shows branches of a parallel where it stands, and counts the passes of a loop', () => {
    const tree = treeOf(
      call('a', '>/spec/flow/order/0#0|/spec/flow/order/0/units/0'),
      call('b', '>/spec/flow/order/0#1|/spec/flow/order/0/units/1'),
      ['branch-closed', '>/spec/flow/order/0#1|', { error: 'late' }],
      call('draft', '|/spec/flow/order/1/do'),
      done(4),
      call('draft', '|/spec/flow/order/1/do'),
    );
    expect(shown(tree, { hasHead: false })).toBe(
      ['  ● a         500 ms', '  – b         cancelled', '  ● draft ×2  0 ms'].join('\n'),
    );
  });

  it('shows what a gate asks and what a unit says as they were written', () => {
    const tree = treeOf(
      call('a', '|/spec/flow/order/0'),
      failed(1, 'send {"budget": {"maxTokens": 5}}: name one of them by gateId'),
      ['gate-opened', '|/spec/flow/order/1', { unitId: 'g', title: 'May I name one of them by gateId?' }],
    );
    const text = shown(tree, { width: 200 });
    expect(text).toContain('send {"budget": {"maxTokens": 5}}: name one of them by gateId');
    expect(text).toContain('May I name one of them by gateId?');
  });

  it('shows a budget in words of the command line, and nothing of a pause that was lifted', () => {
    const tree = treeOf(call('search', '|/spec/flow'), [
      'paused',
      '|/spec/flow',
      {
        unitId: 'search',
        executionId: 1,
        reason: 'budget',
        error: `${USED_UP}{"budget": {"maxTokens": …}}`,
      },
    ]);
    expect(shown(tree, { width: 200 })).toContain(
      `  ‖ search  paused (budget): ${USED_UP}flowgate resume <runId> --max-tokens …`,
    );
    take(tree, ['resumed', '|', { pauseId: 2, executionId: 1 }]);
    expect(shown(tree)).toContain('  ● search  200 ms');
    const before = treeOf([
      'paused',
      '|/spec/flow',
      { unitId: 'a', executionId: null, reason: 'requested', by: { id: 'ann' } },
    ]);
    expect(shown(before)).toContain('  ‖ a  paused by ann');
    take(before, ['resumed', '|', { pauseId: 1, executionId: null }], call('a', '|/spec/flow'));
    expect(shown(before, { hasHead: false })).toBe('  ● a  0 ms');
  });

  it('shows what is undone, and what could not be', () => {
    const tree = treeOf(
      call('reserve', '|/spec/flow/order/0'),
      done(1),
      ['unwinding', '|', { reason: 'failure' }],
      ['compensation-started', '|', { owed: 2 }],
      call('release', '|/spec/units/0/compensate', { compensates: 1 }),
      done(5),
      ['compensation-failed', '|', { executionId: 2, error: 'gone' }],
    );
    expect(shown(tree, { hasHead: false })).toBe(
      [
        '  ✓ reserve       100 ms',
        '  ✗ compensation  1/2 calls undone, 1 failed',
        '    ✓ release     100 ms',
      ].join('\n'),
    );
  });

  it('stands as then after a return to a checkpoint', () => {
    const tree = treeOf(
      call('a', '|/spec/flow/order/0'),
      done(1),
      call('b', '|/spec/flow/order/1'),
      failed(3, 'no'),
      ['run-failed', '|', { error: 'no' }],
    );
    expect(shown(tree)).toMatch(/^orders: failed/);
    take(tree, ['rewound', '|', { toSeq: 2 }], call('b', '|/spec/flow/order/1'));
    expect(shown(tree)).toBe(['orders: running (600 ms)', '  ✓ a  100 ms', '  ● b  0 ms'].join('\n'));
  });

  describe('that is larger than the screen', () => {
    const steps = (count: number, last: Told[] = []): RunTree =>
      treeOf(
        ...Array.from({ length: count }, (_, index): readonly Told[] => [
          call(`unit-${index}`, `|/spec/flow/order/${index}`),
          done(2 * index + 1),
        ]).flat(),
        ...last,
      );

    it('has 30 lines, however large the screen is, and first folds what is over and well', () => {
      const text = shown(steps(100, [call('now', '|/spec/flow/order/100')]), { height: 200 });
      const lines = text.split('\n');
      expect(lines).toHaveLength(30);
      expect(lines[1]).toBe('  … 73 finished');
      expect(lines.at(-2)).toContain('✓ unit-99');
      expect(lines.at(-1)).toContain('● now');
    });

    it('keeps what failed or waits, and leaves out the middle of what is left', () => {
      const calls = Array.from({ length: 60 }, (_, index) =>
        call(`unit-${index}`, `|/spec/flow/order/${index}`),
      );
      const lines = shown(treeOf(...calls), { height: 24 }).split('\n');
      expect(lines).toHaveLength(24);
      expect(lines[12]).toBe('  … 38 more lines');
      expect(lines.at(-1)).toContain('● unit-59');
    });

    it.each([
      [80, 24],
      [120, 24],
      [20, 3],
      [11, 2],
    ])('fits %i columns and %i lines', (width, height) => {
      const long = { unitId: `${'名'.repeat(40)}`, title: 'Send it to everybody? '.repeat(9) };
      const tree = treeOf(...foreach(500, 400), ['gate-opened', '|/spec/flow/order/9', long]);
      const lines = shown(tree, { width, height }).split('\n');
      expect(lines.length).toBeLessThanOrEqual(height);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    });
  });

  it('lets no name, item or error steer the terminal', () => {
    const evil = '\u001b[2J\u009b31m\r\n\u0007evil';
    const tree = treeOf(
      ['items-opened', '|/spec/flow', { kind: 'passes', items: [evil] }],
      ['pass-opened', '>/spec/flow#0|', { key: evil }],
      call(evil, '>/spec/flow#0|/spec/flow/do'),
      failed(3, evil),
      ['branch-closed', '>/spec/flow#0|', { error: evil }],
      ['gate-opened', '|/a', { unitId: evil, title: evil }],
      ['gate-decided', '|', { gateId: 6, approved: true, responder: evil }],
      ['child-started', '|/b', { unitId: evil, childRunId: evil, workflowId: evil }],
      ['paused', '|/c', { unitId: evil, reason: evil, error: evil }],
    );
    expect(shown(tree)).toContain('evil');
    expect(shown(tree)).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
