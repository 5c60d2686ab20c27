import type { JsonValue } from '../../json.js';
import { approximateChars } from '../../json-size.js';
import type { Location } from '../../log/event-base.js';
import type { Wait } from '../wait.js';

/** Where in its flows a call stood: what a compensation knows of it. */
export interface DoneIn {
  readonly index?: number;
  readonly itemKey?: string;
  readonly iteration?: number;
}

/** What a unit has done and another unit can undo. It is kept whatever becomes of the scope in which it was done. */
export interface Debt extends Location {
  readonly unitId: string;
  readonly input: JsonValue;
  /** Null where it is unknown. */
  readonly output: JsonValue;
  readonly in: DoneIn;
  /** What the key of its call was derived from. */
  readonly key: number;
  /** Seq of the event with which it came to be. */
  readonly seq: number;
  /**
   * `owed`: it was done. `unknown`: it may have been done. `done`, `failed`: so its compensation ended, the latter after its last
   * attempt. `again`: it failed, and somebody asked for it to be tried again.
   */
  readonly status: 'owed' | 'unknown' | 'done' | 'failed' | 'again';
  /** Whether it is known that it was done. */
  readonly known: boolean;
  /** Why its compensation failed, as it is from the last attempt on; null: it did not. */
  readonly error: string | null;
  /** What undoes it was called: it may be gone, whatever the status. Absent: it was not. */
  readonly isTried?: true;
  /** The run went back to before it, and did not come back to it: it was done, and is in nothing that the run has done. Absent: it is. */
  readonly isLeftBehind?: true;
}

/** Whether the wait is for a call that undoes another one. */
export function isCompensation(wait: Wait): boolean {
  return (wait as Wait & { readonly compensates?: number }).compensates !== undefined;
}

export function charsOfDebt({ input, output }: Debt): number {
  return approximateChars(input) + approximateChars(output);
}
