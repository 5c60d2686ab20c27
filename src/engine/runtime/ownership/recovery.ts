import { messageOf } from '../../../errors/flowgate-error.js';
import type { RunRow } from '../../ports/run-store.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { RunShell } from '../mailbox/run-shell.js';

const PAGE = 500;
const LOADED_AT_ONCE = 16;

/**
 * Takes up what the last process left: runs with executions in flight are loaded and called again, runs that
 * wait for a time are woken then. Runs that wait for people cost nothing. Resolves with how many it took up.
 */
export async function recoverRuns(live: LiveRuns, shell: RunShell): Promise<number> {
  let recovered = 0;
  for (let afterRunId: string | null = null; ;) {
    const rows: readonly RunRow[] = await shell.store.listUnfinished({ afterRunId, limit: PAGE });
    const last = rows.at(-1);
    if (last === undefined) break;
    afterRunId = last.runId;
    const inFlight = rows.filter(({ openExecutions }) => openExecutions > 0);
    for (const { runId, wakeAt } of rows) if (wakeAt !== null) shell.driver.wake({ runId, at: wakeAt });
    for (let i = 0; i < inFlight.length; i += LOADED_AT_ONCE) {
      await Promise.all(
        inFlight.slice(i, i + LOADED_AT_ONCE).map(({ runId }) => recoverRun(live, shell, runId)),
      );
    }
    recovered += rows.length;
    if (recovered > 0) shell.logger.info('Recovering runs', { recovered });
    if (shell.isClosing()) break;
  }
  return recovered;
}

/** One run that cannot be recovered must not keep the others, or the service, from starting. */
async function recoverRun(live: LiveRuns, shell: RunShell, runId: string): Promise<void> {
  try {
    const run = await live.acquire(runId, shell);
    if (run === null) return;
    const missing = run.dispatcher.missingUnits();
    if (missing.length === 0) {
      await run.deliver({ type: 'recover', at: shell.clock.now() });
      return;
    }
    shell.putOffRecovery(missing, runId);
    if (run.isIdle) shell.retire(run);
  } catch (error) {
    shell.logger.error('A run cannot be recovered; it stays as it is', {
      runId,
      error: messageOf(error),
    });
  }
}
