import { sourceNeeded } from '../../../core/fold-log.js';
import { decodeEvents } from '../../../core/log/event-codec.js';
import type { RunState } from '../../../core/state/state.js';
import type { LoadedRun, RunLog } from '../../../ports/store/run-log.js';

/** A run's log from its start up to `atSeq`; null: all of it. */
export interface LogPart {
  readonly runId: string;
  readonly atSeq: number | null;
}

/** The longest chain of forks of forks: a fork is folded after all logs of the chain before it. */
export const MAX_GENERATIONS = 1_000;

/** The cost of reading one more log, expressed in characters of a log that is being read anyway. */
const CHARS_OF_A_LOG = 16 * 1024;

/** About how many characters of logs a fork of this state has to read before its own log, each time it is loaded. */
export function charsOfSourceLogs(source: {
  readonly state: Pick<RunState, 'logChars'>;
  readonly storedLogChars: number;
  readonly sourceChars: number;
}): number {
  return source.state.logChars - source.storedLogChars + source.sourceChars + CHARS_OF_A_LOG;
}

/** The part of another run's log that has to be folded before this one, if any. `hasState`: a stored state is used. */
export async function sourceOf(
  store: Pick<RunLog, 'readEvents'>,
  runId: string,
  { events }: Pick<LoadedRun, 'events'>,
  hasState: boolean,
): Promise<LogPart | null> {
  if (hasState) return null;
  const isAll = events[0]?.seq === 1 && events.length > 1;
  const first = isAll ? events.slice(0, 2) : await store.readEvents({ runId, afterSeq: 0, limit: 2 });
  return sourceNeeded(decodeEvents(first, runId));
}
