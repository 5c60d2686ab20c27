import type { JsonValue } from '../../../../clients/typescript/src/types/json.js';
import { flowKey, type Execution, type PartState, type RunPicture } from './picture.js';

/** How a call of one run compares with the same call of another: the same location, the same time that it was come to. */
export interface ComparedCall {
  readonly unitId: string;
  readonly path: string;
  readonly scope: string;
  /** Null: only the other run came there. */
  readonly left: Execution | null;
  readonly right: Execution | null;
  readonly differs: readonly Difference[];
}

export type Difference = 'only left' | 'only right' | 'input' | 'output' | 'state' | 'decision' | 'error';

export interface Comparison {
  readonly calls: readonly ComparedCall[];
  /** Index of the first that differs, which is where the runs part; null: none does. */
  readonly partsAt: number | null;
}

const DEEPEST = 100;

/** Compares two runs, call by call, in the order in which the first one made them. */
export function compareRuns(left: RunPicture, right: RunPicture): Comparison {
  const ofLeft = byOccurrence(left);
  const ofRight = byOccurrence(right);
  const calls: ComparedCall[] = [];
  for (const [key, execution] of ofLeft) calls.push(compared(execution, ofRight.get(key) ?? null));
  for (const [key, execution] of ofRight) if (!ofLeft.has(key)) calls.push(compared(null, execution));
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

function compared(left: Execution | null, right: Execution | null): ComparedCall {
  const { unitId = '', path = '', scope = '' } = left ?? right ?? {};
  return { unitId, path, scope, left, right, differs: differencesOf(left, right) };
}

function differencesOf(left: Execution | null, right: Execution | null): readonly Difference[] {
  if (left === null) return ['only right'];
  if (right === null) return ['only left'];
  const differs: Difference[] = [];
  if (!isSame(left.input, right.input)) differs.push('input');
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

export function isSame(left: JsonValue | undefined, right: JsonValue | undefined, depth = 0): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right) || depth > DEEPEST) return false;
  const [ofLeft, ofRight] = [Object.entries(left), Object.entries(right)];
  if (ofLeft.length !== ofRight.length) return false;
  const values = new Map<string, JsonValue>(ofRight);
  return ofLeft.every(
    ([key, value]) => values.has(key) && isSame(value as JsonValue, values.get(key), depth + 1),
  );
}
