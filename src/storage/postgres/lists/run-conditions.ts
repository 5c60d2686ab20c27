import type { RunFilter } from '../../../engine/ports/store/run-filter.js';
import type { SqlValue } from '../database/database.js';
import { escaped } from '../database/escaped.js';
import { idsThatBeginWith } from './run-ids.js';
import type { Walk } from './run-walks.js';
import { rangesOf } from './workflows-shown.js';

/**
 * The conditions of a filter that a walk leaves open, for a SELECT in which `d` is the entry of the walk and `r` the run's row:
 * one text for all filters, so that there are few statements however filters are combined. `first`: the number of the first of
 * `CONDITION_VALUES` values; null: the condition does not apply. What is looked up in another table is the value of a subquery, and
 * no EXISTS: of that PostgreSQL may make one look at all labels there are.
 */
export function conditionsSql(first: number): string {
  const value = (index: number): string => `$${first + index}`;
  return `
      r.namespace = ${value(0)}::text
      AND (${value(1)}::uuid IS NULL OR d.run_id BETWEEN ${value(1)}::uuid AND ${value(2)}::uuid)
      AND (${value(3)}::text IS NULL OR r.workflow_id = ${value(3)}::text)
      AND (${value(18)}::text[] IS NULL OR (
        SELECT true FROM unnest(${value(18)}::text[], ${value(19)}::text[]) AS p (least, beyond)
        WHERE r.workflow_id >= p.least COLLATE "C" AND r.workflow_id < p.beyond COLLATE "C" LIMIT 1))
      AND (${value(4)}::text[] IS NULL OR r.status = ANY (${value(4)}::text[]))
      AND (${value(5)}::boolean IS NULL OR r.gates > 0)
      AND (${value(6)}::text IS NULL OR (r.gates > 0 AND (
        SELECT true FROM @.open_gates AS g
        WHERE g.run_id = d.run_id AND g.unit_id = ${value(6)}::text LIMIT 1)))
      AND (${value(7)}::boolean IS NULL OR r.is_cancelled = ${value(7)}::boolean)
      AND (${value(8)}::text IS NULL OR r.origin = ${value(8)}::text)
      AND (${value(9)}::uuid IS NULL OR r.forked_from = ${value(9)}::uuid)
      AND (${value(10)}::text IS NULL OR r.definition_hash = ${value(10)}::text)
      AND (${value(17)}::uuid IS NULL OR r.parent_run_id = ${value(17)}::uuid)
      AND ${[11, 13, 15].map((index) => labelCondition(value(index), value(index + 1))).join('\n      AND ')}`;
}

/** How many values the text takes. */
export const CONDITION_VALUES = 20;

/** A run has one label of a name at most. */
function labelCondition(name: string, value: string): string {
  return `(${name}::text IS NULL OR (
        SELECT l.value FROM @.run_labels AS l WHERE l.run_id = d.run_id AND l.name = ${name}::text) = ${value}::text)`;
}

/** The values of the conditions, without what the walk answers. `forkedFrom` and `parentRunId` are ids of runs, if
 * they are not null. */
export function conditionValues(
  namespace: string,
  filter: RunFilter,
  { answers }: Pick<Walk, 'answers'>,
): readonly SqlValue[] {
  const left = <Key extends keyof RunFilter>(key: Key): RunFilter[Key] | null =>
    answers.includes(key) ? null : filter[key];
  const text = (key: 'workflowId' | 'gateUnit' | 'definitionHash'): string | null => {
    const wanted = left(key);
    return wanted === null ? null : escaped(wanted);
  };
  const prefix = left('idPrefix');
  const shown = left('workflows');
  return [
    escaped(namespace),
    ...((prefix === null ? null : idsThatBeginWith(prefix)) ?? [null, null]),
    text('workflowId'),
    left('statuses'),
    left('hasOpenGate'),
    text('gateUnit'),
    left('isCancelled'),
    left('origin'),
    left('forkedFrom'),
    text('definitionHash'),
    ...[0, 1, 2].flatMap((index) => {
      const label = filter.labels[index];
      return label === undefined || answers.includes(`label ${index}`)
        ? [null, null]
        : [escaped(label.name), escaped(label.value)];
    }),
    left('parentRunId'),
    ...(shown === null ? [null, null] : rangesOf(shown)),
  ];
}

/** Whether the walk answers the whole filter: what it has is what is wanted. */
export function isAnswered(conditions: readonly SqlValue[]): boolean {
  const [, ...others] = conditions;
  return others.every((value) => value === null);
}
