import { UnwoundError } from '../../../../errors/run-errors.js';
import { seqOfSnapshot } from '../../../core/log/snapshot-id.js';
import type { RunState } from '../../../core/state/state.js';
import { isRunClosing } from '../../../core/state/status.js';
import { restsOnUndone, undoneBefore } from '../../../core/state/debts/way-back.js';
import type { RunAddress, RunReader } from '../../reading/run-reader.js';

type Reader = Pick<RunReader, 'newestSnapshots' | 'fold'>;

/** So many checkpoints are looked at for one that is allowed; each of them is folded. */
const MOST_TRIES = 20;

/**
 * Throws an `UnwoundError`, with the last checkpoint that is allowed, where what the base state rests on was undone since: neither a
 * rewind nor a fork goes back to there. `now`: reads the state of the run as it is.
 */
export async function assertWayBack(
  reader: Reader,
  address: RunAddress,
  baseState: RunState,
  now: () => Promise<RunState>,
): Promise<void> {
  if (baseState.debts.size === 0) return;
  const state = await now();
  if (!restsOnUndone(baseState, state)) return;
  const snapshotId = await lastWayBack(reader, address, state, undoneBefore(baseState, state));
  throw new UnwoundError(address.runId, snapshotId, 'went');
}

/**
 * The id of the newest checkpoint that does not rest on what was undone, and at which the run had not begun to close; null: none was
 * found. `beforeSeq`: it is before that event; null: anywhere.
 */
export async function lastWayBack(
  reader: Reader,
  address: RunAddress,
  now: RunState,
  beforeSeq: number | null = undoneBefore(now, now),
): Promise<string | null> {
  let end = beforeSeq;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { snapshots, next } = await reader.newestSnapshots(address, { beforeSeq: end, limit: 1 });
    const [newest] = snapshots;
    const seq = newest === undefined ? null : seqOfSnapshot(address.runId, newest.snapshotId);
    if (newest === undefined || seq === null) {
      if (next === null) return null;
      end = next;
      continue;
    }
    const { state } = await reader.fold(address.runId, seq);
    if (!restsOnUndone(state, now) && !isRunClosing(state) && state.cancelling === null)
      return newest.snapshotId;
    end = Math.min(seq, undoneBefore(state, now) ?? seq);
  }
  return null;
}
