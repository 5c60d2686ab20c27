// One replica of an engine on PostgreSQL, without HTTP. Arguments: the database, the pid of its server, how many units may be in
// flight, and the folder of a build (default: dist).
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { contend } from '../support/contender.ts';
import { cpuMicrosOf } from '../support/cpu-time.ts';
import { fourAtOnce, SLOW_UNIT_MS, startThree, threeUnits } from '../support/workflows.ts';

const [url = '', pid = '', inFlight = '', build = 'dist'] = process.argv.slice(2);

const load = (file: string) => import(pathToFileURL(resolve(build, file)).href);
const { createEngine } = await load('engine/index.js');
const { postgres } = await load('postgres.js');
const engine = createEngine({ ...postgres({ url }), maxExecutionsInFlight: Number(inFlight) });
await engine.open();
engine.registerUnit('bench.unit', () => ({ ok: true }));
engine.registerUnit('bench.slow', async () => {
  await delay(SLOW_UNIT_MS);
  return { ok: true };
});
await engine.workflows.register({ yaml: threeUnits.replaceAll('UNIT', 'bench.unit') });
await engine.workflows.register({ yaml: fourAtOnce.replaceAll('UNIT', 'bench.slow') });

contend(
  {
    run: () => engine.runs.start({ workflowId: 'three', ...startThree }),
    slow: () => engine.runs.start({ workflowId: 'four', ...startThree }),
  },
  () => engine.close(),
  async () => (await engine.health()).memoryBehind,
  () => cpuMicrosOf([Number(pid)]) ?? 0,
);
