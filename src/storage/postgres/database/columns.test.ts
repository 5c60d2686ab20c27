import { sampleRow, sampleRunId } from '../../../engine/testing/contract/run-store/support/sample-run.js';
import {
  booleanOf,
  numberOf,
  numberOrNull,
  prefixed,
  ROW_COLUMNS,
  rowOf,
  textOf,
  textOrNull,
} from './columns.js';
import type { Columns } from './database.js';

const RUN = sampleRunId(1);
const row = sampleRow(RUN);

/** The sample as PostgreSQL answers it. */
const COLUMNS: Columns = {
  run_id: RUN,
  namespace: row.namespace,
  workflow_id: row.workflowId,
  definition_hash: row.definitionHash,
  status: row.status,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  ended_at: null,
  open_executions: 0,
  wake_at: null,
  last_seq: 2,
  parent_run_id: null,
  origin: row.origin,
  forked_from: null,
  is_cancelled: false,
  tokens: 0,
  cost: 0,
  active_ms: 0,
  active_since: row.createdAt,
  compensation: null,
};

describe('the columns of a run', () => {
  it('are its row', () => {
    expect(rowOf(COLUMNS)).toEqual(row);
  });

  it('are those that a SELECT names, with and without the alias of the table', () => {
    expect(ROW_COLUMNS.split(', ')).toEqual(Object.keys(COLUMNS));
    expect(prefixed('ended').split(', ')).toEqual(Object.keys(COLUMNS).map((name) => `ended.${name}`));
  });

  it('give back names that were escaped', () => {
    const escaped = { namespace: 'a\u241b0000', workflow_id: '\u241bd83d', definition_hash: 'h\u241b241b' };
    const read = rowOf({ ...COLUMNS, ...escaped });
    expect([read.namespace, read.workflowId, read.definitionHash]).toEqual(['a\0', '\ud83d', 'h\u241b']);
  });

  it('say what became of what the run did, where anything did', () => {
    const compensation = { status: 'failed', done: 2, failed: 1, unknown: 0 };
    const read = rowOf({ ...COLUMNS, compensation: JSON.stringify(compensation) });
    expect(read.compensation).toEqual(compensation);
  });

  it('have no figures where none were kept', () => {
    const none = { tokens: null, cost: null, active_ms: null, active_since: null };
    expect(rowOf({ ...COLUMNS, ...none }).figures).toBeNull();
  });

  it.each([
    ['status', 'asleep', 'column status holds no status'],
    ['origin', 'nowhere', 'column origin holds no origin'],
    ['last_seq', '2', 'column last_seq holds no number'],
    ['namespace', null, 'column namespace holds no text'],
    ['compensation', '{"status":"done","done":1}', 'column compensation holds no compensation'],
    ['is_cancelled', 0, 'column is_cancelled holds no boolean'],
  ])('are refused when %s holds %p', (name, value, message) => {
    expect(() => rowOf({ ...COLUMNS, [name]: value })).toThrow(message);
  });
});

describe('a column', () => {
  it('may be null where that is allowed, and may not be missing', () => {
    expect([textOrNull({ a: null }, 'a'), numberOrNull({ a: null }, 'a')]).toEqual([null, null]);
    expect([textOrNull({ a: 'x' }, 'a'), numberOrNull({ a: 1 }, 'a')]).toEqual(['x', 1]);
    for (const read of [textOf, numberOf, booleanOf, textOrNull, numberOrNull])
      expect(() => read({}, 'a')).toThrow(/^column a holds no /);
  });
});
