import { cutOf, factsOfCall, type Logs, type ValuePlace } from '../inspector/facts-of-call.js';
import type { Execution } from '../log/picture.js';
import { isSame } from '../log/same-value.js';

/** A value of the same call in two runs. */
export interface ValuePair {
  /** Of this pair alone. */
  readonly key: string;
  /** What differs where the two do. */
  readonly difference: 'input' | 'error' | 'output';
  readonly left: ValuePlace;
  readonly right: ValuePlace;
}

/** A call, and the log that it is in. */
type CallOfLog = readonly [Logs, Execution];

/** What both calls were given, and what they came to where they came to the same end. */
export function valuePairs([ofLeft, left]: CallOfLog, [ofRight, right]: CallOfLog): readonly ValuePair[] {
  const [one, other] = [factsOfCall(ofLeft, left), factsOfCall(ofRight, right)];
  const given = isGiven(left) && isGiven(right) ? pairOf('input', one.given, other.given) : [];
  if (one.ended === null || other.ended === null || left.state !== right.state) return given;
  const [ended, otherEnded] = [one.ended.event, other.ended.event];
  const fields = FIELDS_OF_END[left.state] ?? [];
  return [
    ...given,
    ...fields.flatMap(({ difference, field }) =>
      pairOf(difference, { event: ended, field }, { event: otherEnded, field }),
    ),
  ];
}

/** What the event that ended a call says of what it came to. */
const FIELDS_OF_END: Readonly<
  Partial<Record<Execution['state'], readonly Pick<ValuePair & ValuePlace, 'difference' | 'field'>[]>>
> = {
  completed: [
    { difference: 'output', field: 'output' },
    { difference: 'output', field: 'patch' },
    { difference: 'output', field: 'values' },
  ],
  failed: [{ difference: 'error', field: 'error' }],
};

function isGiven({ kind }: Execution): boolean {
  return kind === 'unit' || kind === 'child' || kind === 'gate';
}

function pairOf(
  difference: ValuePair['difference'],
  left: ValuePlace | null,
  right: ValuePlace | null,
): readonly ValuePair[] {
  if (left === null || right === null) return [];
  return [{ key: `${placeKey(left)} ${placeKey(right)}`, difference, left, right }];
}

function placeKey({ event: { runId, seq }, field }: ValuePlace): string {
  return `${runId}/${seq}/${field}`;
}

/** Null: it is as far as the logs tell, and the rest was left out. */
export function sameness({ left, right }: ValuePair): boolean | null {
  if (!isSame(left.event.data[left.field], right.event.data[right.field])) return false;
  const [cut, otherCut] = [cutBy(left), cutBy(right)];
  if (cut.size !== otherCut.size) return false;
  for (const [pointer, { bytes, head }] of cut) {
    const other = otherCut.get(pointer);
    if (other?.bytes !== bytes) return false;
    // Of an object its keys may only be in another order.
    if (head.startsWith('"') && head !== other.head) return false;
  }
  return cut.size === 0 ? true : null;
}

/** What was left out, by where it is in the value. */
function cutBy(place: ValuePlace) {
  return new Map(cutOf(place).map((one) => [one.pointer.slice(place.field.length + 1), one]));
}

/** How much both values take that were left out. */
export function bytesLeftOut({ left, right }: ValuePair): number {
  return [...cutOf(left), ...cutOf(right)].reduce((sum, { bytes }) => sum + bytes, 0);
}
