// Where we stand, as JSON: `npm run bench`. Ratios are taken within one run on one machine; absolute figures are not
// comparable between machines.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchEngine } from './engine.bench.ts';
import { benchHttp } from './http.bench.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'flowgate-bench-'));
try {
  const engine = await benchEngine();
  const memory = await benchHttp('memory', dataDir);
  const sqlite = await benchHttp('sqlite', dataDir);
  const machine = { node: process.version, cores: availableParallelism(), cpu: cpus()[0]?.model };
  const storeRatio = Number((sqlite.flowgatePerSecond / memory.flowgatePerSecond).toFixed(2));
  console.log(
    JSON.stringify({ machine, engine, http: memory, store: { ...sqlite, ofInMemory: storeRatio } }, null, 2),
  );
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
