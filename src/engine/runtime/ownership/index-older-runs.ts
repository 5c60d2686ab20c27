import { messageOf } from '../../../errors/flowgate-error.js';
import { openGatesOf } from '../../core/waits/gate.js';
import type { EngineLogger } from '../../ports/logger.js';
import { loadState, type Loading } from '../mailbox/loading/load-state.js';

const PAGE = 200;

/**
 * Indexes what versions before the present schema did not store next to the log: which gates are open. It runs before
 * the service serves, so that no list misses one; after a crash the next start continues from there. Returns the runs.
 */
export async function indexOlderRuns(loading: Loading, logger: EngineLogger): Promise<readonly string[]> {
  const { store } = loading;
  const indexed: string[] = [];
  for (;;) {
    const runIds = await store.listUnindexed({ limit: PAGE });
    if (runIds.length === 0) break;
    for (const runId of runIds)
      await store.indexRun({ runId, openGates: await gatesOf(loading, logger, runId) });
    indexed.push(...runIds);
  }
  if (indexed.length > 0) logger.info('Runs of an older version were indexed', { runs: indexed.length });
  return indexed;
}

async function gatesOf(loading: Loading, logger: EngineLogger, runId: string) {
  try {
    const loaded = await loadState(loading, { runId, atSeq: null });
    if (loaded === null) return [];
    return openGatesOf(loaded.state).map(({ gateId, unitId, openedAt }) => ({ gateId, unitId, openedAt }));
  } catch (error) {
    logger.error('A run of an older version cannot be read; its gates are in no list', {
      runId,
      error: messageOf(error),
    });
    return [];
  }
}
