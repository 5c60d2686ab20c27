// The engine alone, without HTTP. Arguments: `memory` or `sqlite`, the folder of a build (default: dist), and `pure` for units that
// are registered as pure.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contend } from '../support/contender.ts';
import { startThree, threeUnits } from '../support/workflows.ts';

const [store = 'memory', build = 'dist', kind = 'plain'] = process.argv.slice(2);

const load = (file: string) => import(pathToFileURL(resolve(build, file)).href);
const folder = await mkdtemp(join(tmpdir(), 'flowgate-bench-'));
const { createEngine } = await load('engine/index.js');
const { SqliteMemoryIndex, SqliteRunStore } = await load('index.js');
const onDisk = () => ({ store: new SqliteRunStore({ folder }), memory: new SqliteMemoryIndex({ folder }) });
const engine = createEngine(store === 'sqlite' ? onDisk() : {});
await engine.open();
engine.registerUnit('bench.unit', () => ({ ok: true }), { pure: kind === 'pure' });
const yaml = threeUnits.replaceAll('UNIT', 'bench.unit');
// Builds of before the engine was parted into facets have the methods at its top.
await (engine.workflows?.register ? engine.workflows.register({ yaml }) : engine.register({ yaml }));
const request = { workflowId: 'three', ...startThree };
const run = engine.runs ? () => engine.runs.start(request) : () => engine.start(request);

contend(
  { run },
  async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  },
  async () => (await engine.health()).memoryBehind,
);
