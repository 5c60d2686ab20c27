import type { RunEvent } from './log/event.js';
import { eventKind } from './log/event-kinds.js';
import type { RunState } from './state/state.js';
import { isSuspended } from './state/status.js';
import { byId, type Wait } from './state/wait.js';
import { executionOf, type Execution } from './waits/execution.js';
import { kindOf, type WaitCommand } from './waits/kinds.js';

const NOTHING: readonly never[] = [];

/** What has to be done outside of the core for the run to continue. */
export type Command = WaitCommand;

/** How what is pending changed with a turn. */
export interface PendingChange {
  /** The commands that came up or changed, in the order in which they came up; all pending ones, where `isWhole`. */
  readonly commands: readonly Command[];
  /** `commands` is complete: anything else that the shell works on is no longer pending. */
  readonly isWhole: boolean;
  /** The waits that the events name and of which nothing is pending any more. */
  readonly released: readonly number[];
  /** Other waits may have been released as well: `isPending` says which. */
  readonly mayHaveReleasedOthers: boolean;
}

/** The outstanding commands, in the order in which they came up. Reads the state; evaluates nothing. */
export function pending(state: RunState): readonly Command[] {
  return isAnyPending(state) ? commandsOf(state, byId(state.waits.values())) : NOTHING;
}

/** Whether `pending` has a command of the wait of that id. */
export function isPending(state: RunState, id: number): boolean {
  const wait = isAnyPending(state) ? state.waits.get(id) : undefined;
  return wait !== undefined && commandOf(state, wait) !== null;
}

/** The execution of that id, if `pending` has the command to call it. */
export function pendingExecution(state: RunState, id: number): Execution | undefined {
  return isPending(state, id) ? executionOf(state, id) : undefined;
}

/**
 * Tells how the pending commands changed with these events, which led to the state: a shell that has applied every change so
 * far works on exactly what `pending` has. It costs as much as the events do, however much else is pending, except for the
 * few events after which commands may be pending that they do not name (`EventKind.restates`).
 */
export function pendingAfter(state: RunState, events: readonly RunEvent[]): PendingChange {
  let open: Wait[] | null = null;
  let released: number[] | null = null;
  let mayHaveReleasedOthers = false;
  for (const event of events) {
    const { sweeps, touches, restates } = eventKind(event.type);
    if (restates(event)) return wholeOf(state);
    mayHaveReleasedOthers ||= sweeps(event);
    for (const id of touches(event)) {
      const wait = isAnyPending(state) ? state.waits.get(id) : undefined;
      if (wait !== undefined && commandOf(state, wait) !== null) open = withOne(open, wait);
      else released = withOne(released, id);
    }
  }
  return {
    commands: open === null ? NOTHING : commandsOf(state, open.length > 1 ? byId(new Set(open)) : open),
    isWhole: false,
    released: released ?? NOTHING,
    mayHaveReleasedOthers,
  };
}

/** The change after which anything may be pending: for a shell that worked on something else, or on nothing so far. */
export function wholeOf(state: RunState): PendingChange {
  return { commands: pending(state), isWhole: true, released: NOTHING, mayHaveReleasedOthers: true };
}

/** Nothing of a run that is over is pending, whatever its state still shows. */
function isAnyPending(state: RunState): boolean {
  return state.phase === 'live';
}

function commandsOf(state: RunState, waits: readonly Wait[]): readonly Command[] {
  let commands: Command[] | null = null;
  for (const wait of waits) {
    const command = commandOf(state, wait);
    if (command !== null) commands = withOne(commands, command);
  }
  return commands ?? NOTHING;
}

/** A literal of one item takes a quarter of the memory of a list that the item is pushed to. */
function withOne<T>(list: T[] | null, item: T): T[] {
  if (list === null) return [item];
  list.push(item);
  return list;
}

/** A suspended run requires nothing but to be resumed. */
function commandOf(state: RunState, wait: Wait): Command | null {
  return isSuspended(state) && wait.standing !== 'aside' ? null : kindOf(wait).requiredCommands(wait);
}
