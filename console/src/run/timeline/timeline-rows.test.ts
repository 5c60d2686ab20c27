import type { RunEvent } from '../../../../clients/typescript/src/types/events.js';
import { wholeOf } from '../../../../src/engine/runtime/events/shown-event.js';
import { compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { document } from '../../../../test/support/workflow-documents.js';
import { RunFold } from '../log/fold-events.js';
import { timelineRows, type TimelineRow } from './timeline-rows.js';

const NOTHING = { closed: new Set<string>(), opened: new Set<string>() };

function pictureOf(units: readonly object[], flow: object, input = {}) {
  const run = new SimulatedRun(compileText(document('w', units, { flow })), {}, input);
  run.finish(() => 0);
  const fold = new RunFold();
  fold.take(
    run.log.flatMap(
      (event) => (wholeOf({ runId: 'r', workflowId: 'w' }, event, 'log') as RunEvent | null) ?? [],
    ),
  );
  return fold.picture;
}

function lines(rows: readonly TimelineRow[]): readonly string[] {
  return rows.map((row) => {
    const indent = '  '.repeat(row.depth);
    if (row.kind !== 'call') return `${indent}${row.kind} ${row.label}`;
    return `${indent}${row.execution.unitId}${row.undoes === null ? '' : ` of ${row.undoes.unitId}`}`;
  });
}

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });

describe('the rows of a timeline', () => {
  it('put what ran in a pass below it, and name the pass by its item', () => {
    const each = { type: 'foreach', items: 'input.orders', as: 'order', itemKey: 'order', do: 'pay' };
    const picture = pictureOf(
      [work('check'), work('pay')],
      { type: 'sequential', order: ['check', each] },
      { orders: ['A7', 'B8'] },
    );
    expect(lines(timelineRows(picture, NOTHING))).toEqual([
      'check',
      'scope A7',
      '  pay',
      'scope B8',
      '  pay',
    ]);
    const closed = new Set(['>/spec/flow/order/1#0']);
    expect(lines(timelineRows(picture, { ...NOTHING, closed }))).toEqual([
      'check',
      'scope A7',
      'scope B8',
      '  pay',
    ]);
  });

  it('fold passes beyond twenty, until they are opened', () => {
    const orders = Array.from({ length: 30 }, (_, index) => `o${index}`);
    const picture = pictureOf(
      [work('pay')],
      { type: 'foreach', items: 'input.orders', do: 'pay' },
      { orders },
    );
    const rows = timelineRows(picture, NOTHING);
    expect(rows).toHaveLength(41);
    expect(rows.at(-1)).toMatchObject({ kind: 'more', label: '10 more' });
    const opened = new Set([rows.at(-1)?.key ?? '']);
    expect(timelineRows(picture, { ...NOTHING, opened })).toHaveLength(60);
  });

  it('show what was undone in a section of its own, each with what it undoes', () => {
    const units = [work('book', { compensate: 'unbook' }), work('unbook'), { id: 'fails', uses: 'fail' }];
    const picture = pictureOf(units, { type: 'sequential', order: ['book', 'fails'] });
    expect(lines(timelineRows(picture, NOTHING))).toEqual([
      'book',
      'fails',
      'section Undo',
      '  unbook of book',
    ]);
  });
});
