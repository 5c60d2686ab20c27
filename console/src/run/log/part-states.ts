import type { FlowNode, FlowPart } from '../flow/flow-node.js';
import { type Execution, type FlowFacts, type PartState, type RunPicture } from './picture.js';

/** How a unit or a flow of the document stands, over all instances of it. */
export interface PartSummary {
  /** What matters most of all instances. */
  readonly state: PartState;
  /** How many instances there are of each state; more than one only in passes and loops. */
  readonly counts: ReadonlyMap<PartState, number>;
  readonly total: number;
  /** All of it was inherited by a fork. */
  readonly isInherited: boolean;
}

/** What somebody should see first of many, in this order. */
const BY_WEIGHT: readonly PartState[] = [
  'gate',
  'failed',
  'paused',
  'retrying',
  'running',
  'waiting',
  'completed',
  'lost',
  'cancelled',
  'skipped',
  'pending',
];

/** The state of an execution at an instant: a retry that is due is being called. */
export function stateAt({ state, dueAt }: Execution, now: number): PartState {
  return state === 'retrying' && dueAt !== null && dueAt <= now ? 'running' : state;
}

/** By path, how each unit of the document stands. Units that nothing was heard of are not in it: they are pending. */
export function partStates(picture: RunPicture, now: number): ReadonlyMap<string, PartSummary> {
  // Of a location that was come to often, the last time counts.
  const latest = new Map<string, Map<string, Execution>>();
  for (const execution of picture.executions) {
    if (execution.isSuperseded || execution.compensates !== null) continue;
    const { path, scope } = execution;
    const byScope = latest.get(path);
    if (byScope === undefined) latest.set(path, new Map([[scope, execution]]));
    else byScope.set(scope, execution);
  }
  const states = new Map<string, PartSummary>();
  for (const [path, byScope] of latest) {
    const counts = new Map<PartState, number>();
    let isInherited = true;
    for (const execution of byScope.values()) {
      const state = stateAt(execution, now);
      counts.set(state, (counts.get(state) ?? 0) + 1);
      isInherited &&= execution.isInherited;
    }
    states.set(path, summaryOf(counts, isInherited));
  }
  return states;
}

/** The same with the place at which the run failed, which nothing was called at where an expression, or the document, failed it. */
export function withFailure(
  states: ReadonlyMap<string, PartSummary>,
  path: string | null,
): ReadonlyMap<string, PartSummary> {
  if (path === null || states.has(path)) return states;
  return new Map([...states, [path, summaryOf(new Map([['failed', 1]]), false)]]);
}

function summaryOf(counts: ReadonlyMap<PartState, number>, isInherited: boolean): PartSummary {
  const state = BY_WEIGHT.find((one) => counts.has(one)) ?? 'pending';
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { state, counts, total, isInherited };
}

/** By path, what all instances of each flow came to. */
export function flowFacts({ flows }: RunPicture): ReadonlyMap<string, readonly FlowFacts[]> {
  const byPath = new Map<string, FlowFacts[]>();
  for (const [key, facts] of flows) {
    const path = key.slice(key.lastIndexOf('>') + 1);
    const ofPath = byPath.get(path);
    if (ofPath === undefined) byPath.set(path, [facts]);
    else ofPath.push(facts);
  }
  return byPath;
}

/** The paths of all that something was heard of, and of each flow around it. */
export function begunPaths(states: ReadonlyMap<string, PartSummary>): ReadonlySet<string> {
  const begun = new Set<string>();
  for (const path of states.keys())
    for (let at = path; at !== '' && !begun.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
      begun.add(at);
  return begun;
}

/** Whether a part was surely not taken: something else was chosen, or a race was won, each time. */
export function isUntaken(facts: readonly FlowFacts[], flow: FlowNode, part: FlowPart): boolean {
  if (facts.length === 0) return false;
  if (flow.type === 'switch' || flow.type === 'router') {
    const isChosen = facts.some(({ chosen }) => chosen.length === 0 || chosen.includes(part.choice ?? ''));
    return part.choice !== null && !isChosen;
  }
  if (flow.type === 'try' && part.role === 'catch')
    return facts.every(({ caught, isClosed }) => isClosed && caught === null);
  return false;
}

/** Whether a branch of a race has lost each time that the race was decided. */
export function hasLost(facts: readonly FlowFacts[], flow: FlowNode, index: number): boolean {
  if (flow.type !== 'race') return false;
  const winners = facts.flatMap(({ winner }) => (winner === null ? [] : [winner]));
  return winners.length > 0 && !winners.includes(index);
}
