// `sync: true` runs over HTTP against a bare endpoint of the same framework that answers a record of the same size,
// in turns, in one run. Not measured: remote units, a network, a store on disk.
import { CALLERS, post, startRuns } from './load.ts';
import { median, startService } from './service.ts';
import { threeUnits } from './workflows.ts';

const ROUNDS = 5;
const SECONDS = 3;

export async function benchHttp(store: 'memory' | 'sqlite', dataDir: string) {
  const flowgate = await startService('dist/main.js', {
    FLOWGATE_STORE: store,
    FLOWGATE_DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
  });
  await post(`${flowgate.url}/workflows/from-yaml`, { yaml: threeUnits.replaceAll('UNIT', 'builtin.mock') });
  const record = await post(`${flowgate.url}/workflows/three/runs`, { sync: true });
  const bare = await startService('bench/bare-service.ts', { BENCH_RECORD: JSON.stringify(record) });
  const rounds: { flowgate: number; bare: number }[] = [];
  try {
    await startRuns(bare.url, 2);
    await startRuns(flowgate.url, 4);
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({
        bare: await startRuns(bare.url, SECONDS),
        flowgate: await startRuns(flowgate.url, SECONDS),
      });
    }
  } finally {
    await Promise.all([bare.stop(), flowgate.stop()]);
  }
  return {
    store,
    callers: CALLERS,
    recordBytes: JSON.stringify(record).length,
    barePerSecond: Math.round(median(rounds.map((round) => round.bare))),
    flowgatePerSecond: Math.round(median(rounds.map((round) => round.flowgate))),
    ratio: Number(median(rounds.map((round) => round.flowgate / round.bare)).toFixed(2)),
  };
}
