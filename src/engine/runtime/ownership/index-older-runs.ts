import { messageOf } from '../../../errors/flowgate-error.js';
import { openGatesOf } from '../../core/waits/gate.js';
import type { EngineLogger } from '../../ports/logger.js';
import { loadState, type Loading } from '../mailbox/load-state.js';

const PAGE = 200;

/**
 * Enters what a version before the present schema did not keep beside the log: which gates are open. Done before the
 * service serves, so that no list misses one; a start that dies on the way goes on from there. Answers which runs.
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
