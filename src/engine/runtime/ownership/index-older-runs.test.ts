import { inSequence } from '../../../../test/support/engine.js';
import { compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import type { LoadedRun } from '../../ports/store/run-log.js';
import type { RunStore } from '../../ports/store/run-store.js';
import { sampleRow } from '../../testing/contract/run-store/support/sample-run.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { SliceScheduler } from '../mailbox/slice-scheduler.js';
import { indexOlderRuns } from './index-older-runs.js';

const { log } = new SimulatedRun(compileText(inSequence('w', [{ id: 'g', uses: 'builtin.approval' }])));

/** A store with runs of an older version, each of which waits at a gate. */
function olderStore(runIds: readonly string[]) {
  const left = [...runIds];
  const indexed: unknown[] = [];
  const store = {
    listUnindexed: async ({ limit }: { readonly limit: number }) => left.slice(0, limit),
    indexRun: async (request: { readonly runId: string }) => {
      left.splice(left.indexOf(request.runId), 1);
      indexed.push(request);
    },
    load: async ({ runId }: { readonly runId: string }): Promise<LoadedRun | null> => {
      if (runId === 'gone') return null;
      if (runId === 'damaged') throw new Error('it is damaged');
      return { row: sampleRow(runId), storedState: null, events: log };
    },
  };
  return { store: store as unknown as RunStore, indexed, logger: new RecordingLogger() };
}

describe('runs of an older version', () => {
  it('are indexed with the gates that are open, page after page, and returned', async () => {
    const runIds = Array.from({ length: 450 }, (_, index) => `run-${index}`);
    const { store, indexed, logger } = olderStore(runIds);
    expect(await indexOlderRuns({ store, slices: new SliceScheduler() }, logger)).toEqual(runIds);
    expect(indexed).toHaveLength(450);
    expect(indexed[0]).toEqual({
      runId: 'run-0',
      openGates: [{ gateId: 2, unitId: 'g', openedAt: log[1]!.at }],
    });
    expect(logger.said).toEqual([
      { level: 'info', message: 'Runs of an older version were indexed', fields: { runs: 450 } },
    ]);
  });

  it('that cannot be read are logged, and do not affect the others', async () => {
    const { store, indexed, logger } = olderStore(['damaged', 'gone', 'run']);
    expect(await indexOlderRuns({ store, slices: new SliceScheduler() }, logger)).toEqual([
      'damaged',
      'gone',
      'run',
    ]);
    expect(indexed).toEqual([
      { runId: 'damaged', openGates: [] },
      { runId: 'gone', openGates: [] },
      expect.objectContaining({ runId: 'run', openGates: [expect.anything()] }),
    ]);
    expect(logger.said[0]).toEqual({
      level: 'error',
      message: 'A run of an older version cannot be read; its gates are in no list',
      fields: { runId: 'damaged', error: 'it is damaged' },
    });
  });

  it('are not logged where there are none', async () => {
    const { store, logger } = olderStore([]);
    expect(await indexOlderRuns({ store, slices: new SliceScheduler() }, logger)).toEqual([]);
    expect(logger.said).toEqual([]);
  });
});
