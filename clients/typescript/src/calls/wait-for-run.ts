import { FlowgateWaitTimeoutError } from '../errors/wait-timeout-error.js';
import type { RunRecord } from '../types/records.js';
import { sleep, within } from './deadline.js';

/** A running run's record is short: asking costs little. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Asks, ever more rarely, until the run is completed, paused or failed. */
export async function whenStopped(
  read: (signal: AbortSignal) => Promise<RunRecord>,
  bounds: { readonly signal?: AbortSignal | undefined; readonly timeoutMs: number },
): Promise<RunRecord> {
  let record: RunRecord | null = null;
  const onTimeout = (): Error => new FlowgateWaitTimeoutError(bounds.timeoutMs, record);
  return within({ ...bounds, onTimeout }, async (signal) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      record = await read(signal);
      if (record.status !== 'running' && record.status !== 'pending') return record;
      await sleep(pauseMs, signal);
    }
  });
}
