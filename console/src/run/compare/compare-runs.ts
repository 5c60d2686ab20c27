import type { Logs } from '../inspector/facts-of-call.js';
import { flowKey, type Execution, type PartState, type RunPicture } from '../log/picture.js';
import { isSame } from '../log/same-value.js';
import { sameness, valuePairs, type ValuePair } from './value-pairs.js';

/** A run as its log tells it, which leaves large values out. */
export interface ReadRun extends Logs {
  readonly picture: RunPicture;
}

/** How a call of one run compares with the same call of another: the same location, the same time that it was come to. */
export interface ComparedCall {
  readonly unitId: string;
  readonly path: string;
  readonly scope: string;
  /** Null: only the other run came there. */
  readonly left: Execution | null;
  readonly right: Execution | null;
  readonly differs: readonly Difference[];
  /** Values that are the same as far as the logs tell them, which left the rest of them out. */
  readonly mayDiffer: readonly ValuePair[];
}

const DIFFERENCES = ['only left', 'only right', 'input', 'state', 'decision', 'error', 'output'] as const;
export type Difference = (typeof DIFFERENCES)[number];

export interface Comparison {
  readonly calls: readonly ComparedCall[];
  /** Index of the first that differs, which is where the runs part; null: none does. */
  readonly partsAt: number | null;
}

/**
 * Compares two runs, call by call, in the order in which the first one made them. `whole` says of values that the logs left out whether
 * they are the same, once they were read: by the keys of their pairs.
 */
export function compareRuns(
  left: ReadRun,
  right: ReadRun,
  whole: ReadonlyMap<string, boolean> = new Map(),
): Comparison {
  const ofLeft = byOccurrence(left.picture);
  const ofRight = byOccurrence(right.picture);
  const calls: ComparedCall[] = [];
  const add = (one: Execution | null, other: Execution | null): void => {
    const { unitId = '', path = '', scope = '' } = one ?? other ?? {};
    const pairs = one === null || other === null ? [] : valuePairs([left, one], [right, other]);
    const found = pairs.map((pair) => ({ pair, isSame: whole.get(pair.key) ?? sameness(pair) }));
    const ofValues = found.flatMap(({ pair, isSame: known }) => (known === false ? [pair.difference] : []));
    const all = new Set<Difference>([...differencesOf(one, other), ...ofValues]);
    const differs = DIFFERENCES.filter((difference) => all.has(difference));
    const mayDiffer = found.flatMap(({ pair, isSame: known }) => (known === null ? [pair] : []));
    calls.push({ unitId, path, scope, left: one, right: other, differs, mayDiffer });
  };
  for (const [key, execution] of ofLeft) add(execution, ofRight.get(key) ?? null);
  for (const [key, execution] of ofRight) if (!ofLeft.has(key)) add(null, execution);
  const first = calls.findIndex(({ differs }) => differs.length > 0);
  return { calls, partsAt: first < 0 ? null : first };
}

/** By location, and how often it was come to before. */
function byOccurrence({ executions }: RunPicture): ReadonlyMap<string, Execution> {
  const times = new Map<string, number>();
  const found = new Map<string, Execution>();
  for (const execution of executions) {
    if (execution.isSuperseded) continue;
    const location = flowKey(execution.scope, execution.path);
    const time = (times.get(location) ?? 0) + 1;
    times.set(location, time);
    found.set(`${location} ${time}`, execution);
  }
  return found;
}

/** What differs but for what they were given. */
function differencesOf(left: Execution | null, right: Execution | null): readonly Difference[] {
  if (left === null) return ['only right'];
  if (right === null) return ['only left'];
  const differs: Difference[] = [];
  if (settled(left.state) !== settled(right.state)) differs.push('state');
  if (left.gate?.approved !== right.gate?.approved) differs.push('decision');
  if (left.error !== right.error) differs.push('error');
  if (!isSame(left.output, right.output) || !isSame(left.written, right.written)) differs.push('output');
  return differs;
}

/** A call that has not ended may still come to anything. */
function settled(state: PartState): string {
  return state === 'retrying' || state === 'waiting' || state === 'running' ? 'open' : state;
}
