import type { RunFilter } from '../../../../engine/ports/store/run-filter.js';
import { rangeOf } from '../../../../engine/ports/access/workflow-patterns.js';
import { boundsOfPrefix, type Driver } from './run-drivers.js';

type Value = string | number | null;

/**
 * The conditions of a filter that an index leaves open, for a SELECT in which `d` is the driver and `r` the run's row: one
 * text for all filters, so that there are few statements however filters are combined. `?7` to `?24`; null: the condition
 * does not apply. The terms that need no row come first. No status is part of another's name.
 */
export const CONDITIONS = `
    (?7 IS NULL OR (d.run_id >= ?7 AND d.run_id < ?8))
    AND ${[17, 19, 21].map((at) => labelCondition(`?${at}`, `?${at + 1}`)).join('\n    AND ')}
    AND r.namespace = ?1
    AND (?9 IS NULL OR r.workflow_id = ?9)
    AND (?24 IS NULL OR EXISTS (
      SELECT 1 FROM json_each(?24) AS p
      WHERE r.workflow_id >= p.value ->> 'least' AND r.workflow_id < p.value ->> 'beyond'))
    AND (?10 IS NULL OR instr(?10, r.status) > 0)
    AND (?11 IS NULL OR r.gates > 0)
    AND (?12 IS NULL OR (r.gates > 0 AND EXISTS (
      SELECT 1 FROM open_gates WHERE open_gates.run_id = r.run_id AND open_gates.unit_id = ?12)))
    AND (?13 IS NULL OR r.is_cancelled = ?13)
    AND (?14 IS NULL OR r.origin = ?14)
    AND (?15 IS NULL OR r.forked_from = ?15)
    AND (?16 IS NULL OR r.definition_hash = ?16)
    AND (?23 IS NULL OR r.parent_run_id = ?23)`;

function labelCondition(name: string, value: string): string {
  return `(${name} IS NULL OR EXISTS (
      SELECT 1 FROM run_labels AS l WHERE l.run_id = d.run_id AND l.name = ${name} AND l.value = ${value}))`;
}

/** The values of `?7` to `?24`, without what the driver answers. */
export function conditionValues(filter: RunFilter, { answers }: Driver): readonly Value[] {
  const left = <Key extends keyof RunFilter>(key: Key): RunFilter[Key] | null =>
    answers.includes(key) ? null : filter[key];
  const prefix = left('idPrefix');
  const shown = left('workflows');
  const isCancelled = left('isCancelled');
  return [
    ...(prefix === null ? [null, null] : boundsOfPrefix(prefix)),
    left('workflowId'),
    left('statuses')?.join() ?? null,
    left('hasOpenGate') === null ? null : 1,
    left('gateUnit'),
    isCancelled === null ? null : Number(isCancelled),
    left('origin'),
    left('forkedFrom'),
    left('definitionHash'),
    ...[0, 1, 2].flatMap((index) => {
      const label = filter.labels[index];
      return label === undefined || answers.includes(`label ${index}`)
        ? [null, null]
        : [label.name, label.value];
    }),
    left('parentRunId'),
    shown === null ? null : JSON.stringify(shown.map(rangeOf)),
  ];
}
