import { sourceNeeded } from '../../core/fold-log.js';
import { decodeEvents } from '../../core/log/event-codec.js';
import type { RunState } from '../../core/state/state.js';
import type { LoadedRun, RunStore } from '../../ports/run-store.js';

/** A part of a run's log from its start on; `atSeq` null: all of it. */
export interface LogPart {
  readonly runId: string;
  readonly atSeq: number | null;
}

/** A fork of a fork of a fork, so many times over, and no further: each is folded from all logs before it. */
export const MAX_GENERATIONS = 1_000;

/** What reading one more log takes, in characters of one that is being read anyway. */
const CHARS_OF_A_LOG = 16 * 1024;

/** About how many characters of logs were read for a state: what a fork of it has to read each time, before its own. */
export function charsBehind(source: {
  readonly state: Pick<RunState, 'logChars'>;
  readonly storedLogChars: number;
  readonly sourceChars: number;
}): number {
  return source.state.logChars - source.storedLogChars + source.sourceChars + CHARS_OF_A_LOG;
}

/** The part of another run's log that has to be folded before this one; null: nothing has. `hasState`: a stored state is used. */
export async function sourceOf(
  store: Pick<RunStore, 'readEvents'>,
  runId: string,
  { events }: Pick<LoadedRun, 'events'>,
  hasState: boolean,
): Promise<LogPart | null> {
  if (hasState) return null;
  const isAll = events[0]?.seq === 1 && events.length > 1;
  const first = isAll ? events.slice(0, 2) : await store.readEvents({ runId, afterSeq: 0, limit: 2 });
  return sourceNeeded(decodeEvents(first, runId));
}
