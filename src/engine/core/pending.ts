import type { RunEvent } from './log/event.js';
import { eventKind } from './log/event-kinds.js';
import type { RunState } from './state/state.js';
import { isSetAside } from './state/status.js';
import { byId, type Wait } from './state/wait.js';
import { kindOf, type WaitCommand } from './waits/kinds.js';

const NOTHING: readonly never[] = [];

/** What somebody outside has to do, or the run will not go on. */
export type Command = WaitCommand;

/** The outstanding commands, in the order in which they came up. Reads the state; evaluates nothing. */
export function pending(state: RunState): readonly Command[] {
  return commandsOf(state, byId(state.waits.values()));
}

/**
 * What these events, which led to the state, add to the commands: those of the waits that they opened or changed and
 * that are still open. Costs as much as the events do, however much else is pending, unless the run was set aside before.
 * `mayHaveDropped`: other waits may have closed, or come back, with them; then only `pending` says what is left.
 */
export function pendingAfter(
  state: RunState,
  events: readonly RunEvent[],
): { readonly commands: readonly Command[]; readonly mayHaveDropped: boolean } {
  let touched: Wait[] | null = null;
  let mayHaveDropped = false;
  let wasAside = false;
  for (const event of events) {
    const { sweeps, touches } = eventKind(event.type);
    mayHaveDropped ||= sweeps(event);
    wasAside ||= event.type === 'resumed' && event.wasAside === true;
    for (const id of touches(event)) {
      const wait = state.waits.get(id);
      if (wait === undefined) continue;
      if (touched === null) touched = [wait];
      else touched.push(wait);
    }
  }
  // What was asked for before was not done meanwhile.
  if (wasAside) return { commands: pending(state), mayHaveDropped };
  if (touched === null) return { commands: NOTHING, mayHaveDropped };
  const waits = touched.length > 1 ? byId(new Set(touched)) : touched;
  return { commands: commandsOf(state, waits), mayHaveDropped };
}

/** Of a run that is set aside nothing is asked but to resume it. */
function commandsOf(state: RunState, waits: readonly Wait[]): readonly Command[] {
  if (state.phase !== 'live') return NOTHING;
  const isAside = isSetAside(state);
  let commands: Command[] | null = null;
  for (const wait of waits) {
    if (isAside && wait.standing !== 'aside') continue;
    const command = kindOf(wait).asks(wait);
    if (command === null) continue;
    // A list of one is a quarter of one that something is pushed to.
    if (commands === null) commands = [command];
    else commands.push(command);
  }
  return commands ?? NOTHING;
}
