import type { Execution, RunState } from './state/state.js';

/** What somebody outside has to do, or the run will not go on. */
export type Command =
  | { readonly type: 'execute-unit'; readonly execution: Execution }
  | { readonly type: 'await-timer'; readonly timerId: number; readonly dueAt: number }
  | { readonly type: 'await-decision'; readonly gateId: number }
  | { readonly type: 'await-resume'; readonly pauseId: number };

/** The outstanding commands, in the order in which they came up. Reads the state; evaluates nothing. */
export function pending(state: RunState): readonly Command[] {
  if (state.phase !== 'live') return [];
  const commands: Command[] = [];
  for (const execution of inOrder(state.executions)) {
    if (!execution[1].held) commands.push({ type: 'execute-unit', execution: execution[1] });
  }
  for (const [timerId, timer] of inOrder(state.timers)) {
    commands.push({ type: 'await-timer', timerId, dueAt: timer.dueAt });
  }
  for (const [gateId] of inOrder(state.gates)) commands.push({ type: 'await-decision', gateId });
  for (const [pauseId] of inOrder(state.pauses)) commands.push({ type: 'await-resume', pauseId });
  return commands;
}

function inOrder<T>(waits: {
  readonly size: number;
  entries(): Iterable<[number, T]>;
}): Iterable<[number, T]> {
  return waits.size < 2 ? waits.entries() : [...waits.entries()].sort(([a], [b]) => a - b);
}
