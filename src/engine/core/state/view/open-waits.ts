import type { NodePath } from '../../log/event-base.js';
import type { WaitingFor } from '../../../vocabulary.js';
import { itemAround } from '../../turn/named-item.js';
import type { Child } from '../../waits/child.js';
import type { Pause } from '../../waits/pause.js';
import type { RunState } from '../state.js';
import { isOver } from '../status.js';
import type { Wait } from '../wait.js';

/** As many as a record lists. */
const MOST_WAITS = 20;

/** Something that a run waits for. */
export interface OpenWait {
  readonly for: WaitingFor;
  /** Seq of the event with which it began: the `gateId` of a gate, the `executionId` of a call, the `pauseId` of a pause. */
  readonly id: number;
  /** Null: all of the run. */
  readonly unitId: string | null;
  /** Where it stands in the document: a JSON pointer. */
  readonly path: NodePath;
  /** Epoch ms at which it ends by itself, or is tried again; absent: it does not. */
  readonly dueAt?: number;
  /** The run that is waited for (`child`). */
  readonly childRunId?: string;
  /** Why somebody has to resume it (`resume`). */
  readonly reason?: Pause['reason'];
  /** The item of the pass that it belongs to, of a foreach with `itemKey`, and its place. */
  readonly index?: number;
  readonly itemKey?: string;
}

/**
 * What the run waits for, at most 20: first what a person has to act upon, then the rest, each in the order in which it began.
 * None of a run that is over.
 */
export function openWaitsOf(state: RunState): readonly OpenWait[] {
  if (isOver(state)) return [];
  const found: Wait[] = [];
  state.waits.forEach((wait) => {
    if (FOR.has(wait.kind)) found.push(wait);
  });
  found.sort((a, b) => Number(isForPeople(b)) - Number(isForPeople(a)) || a.id - b.id);
  return found.slice(0, MOST_WAITS).map((wait) => shownWait(state, wait));
}

/** The deadline of a try ends what is waited for: nothing waits for it. */
const FOR: ReadonlyMap<string, WaitingFor> = new Map([
  ['gate', 'gate'],
  ['pause', 'resume'],
  ['child', 'child'],
  ['timer', 'time'],
  ['execution', 'unit'],
]);

function isForPeople({ kind }: Wait): boolean {
  return kind === 'gate' || kind === 'pause';
}

function shownWait(state: RunState, wait: Wait): OpenWait {
  const { id, kind, path, unitId, dueAt, scope } = wait;
  const item = itemAround(state, scope);
  return {
    for: FOR.get(kind) ?? 'unit',
    id,
    unitId: unitId === '' ? null : unitId,
    path,
    ...(dueAt === null ? {} : { dueAt }),
    ...(kind === 'child' ? { childRunId: (wait as Child).childRunId } : {}),
    ...(kind === 'pause' ? { reason: (wait as Pause).reason } : {}),
    ...(item === undefined ? {} : { index: item.index, itemKey: item.key }),
  };
}
