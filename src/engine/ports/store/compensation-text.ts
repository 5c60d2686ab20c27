import { COMPENSATION_STATUSES } from '../../vocabulary.js';
import type { RunRow } from './run-row.js';

type Compensation = NonNullable<RunRow['compensation']>;

const STATUSES: ReadonlySet<string> = new Set(COMPENSATION_STATUSES);

/** What a run's row says of its compensation, as a store may keep it in a column: a JSON text, or null. */
export function compensationText(compensation: RunRow['compensation']): string | null {
  return compensation === null ? null : JSON.stringify(compensation);
}

/** The inverse of `compensationText`. Throws for any other text. */
export function compensationIn(text: string | null): RunRow['compensation'] {
  if (text === null) return null;
  const { status, done, failed, unknown } = JSON.parse(text) as Compensation;
  if (!STATUSES.has(status) || ![done, failed, unknown].every(Number.isInteger))
    throw new Error('column compensation holds no compensation');
  return { status, done, failed, unknown };
}
