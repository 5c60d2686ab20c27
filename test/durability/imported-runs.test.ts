import { randomBytes } from 'node:crypto';
import { replayRun } from '../../src/engine/index.js';
import { DurableEngines } from '../support/durability-engine.js';
import { inSequence } from '../support/engine.js';
import { exportOf, linesOf } from '../support/exports.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

const units = () => ({ work: () => 'done' });
const yaml = inSequence('w', [
  { id: 'a', uses: 'work' },
  { id: 'b', uses: 'builtin.mock', config: { response: 'for ${{ input.who }}' } },
  { id: 'g', uses: 'builtin.approval', config: { title: 'May it?' } },
]);

describe('a run that was imported into a store on a disk', () => {
  it('is as it was after a restart, cannot be moved, and can be forked', async () => {
    const here = await engines.open(engines.folder(), units());
    await here.engine.workflows.register({ yaml });
    const run = await here.engine.runs.start({ workflowId: 'w', input: { who: 'ann' }, sync: true });
    const text = await exportOf(here.engine, run);
    const folder = engines.folder();
    const first = await engines.open(folder, units(), { registry: 'durable' });
    await first.engine.workflows.register({ yaml });
    const imported = await first.engine.runs.import({ ndjson: Buffer.from(text) });
    await first.engine.close();
    const second = await engines.open(folder, units(), { registry: 'durable' });
    await expect(second.engine.runs.get(run)).resolves.toEqual(imported);
    await expect(second.engine.runs.resume(run)).rejects.toMatchObject({ code: 'imported-run' });
    expect(linesOf(await exportOf(second.engine, run)).slice(0, -1)).toEqual(linesOf(text));
    const fork = await second.engine.runs.fork({ ...run, from: { unitId: 'b' }, sync: true });
    expect(fork).toMatchObject({ status: 'paused', result: { completedUnits: ['a', 'b'] } });
  });

  it('keeps what was encrypted encrypted in its export, and seals what was not', async () => {
    const encryptionKey = randomBytes(32);
    const here = await engines.open(engines.folder(), units(), { encryptionKey });
    await here.engine.workflows.register({ yaml });
    const run = await here.engine.runs.start({ workflowId: 'w', input: { who: 'ann' }, sync: true });
    const text = await exportOf(here.engine, run);
    expect(text).toContain('{"sealed":"sealed:v1:');
    expect(linesOf(text)[0]).toMatchObject({ yaml });
    await expect(replayRun({ ndjson: Buffer.from(text) })).resolves.toMatchObject({ different: 0 });
    const open = await engines.open(engines.folder(), units());
    await open.engine.workflows.register({ yaml });
    const other = await open.engine.runs.start({ workflowId: 'w', input: { who: 'bob' }, sync: true });
    const inTheClear = await exportOf(open.engine, other);
    expect(inTheClear).not.toContain('sealed:v1:');
    await here.engine.runs.import({ ndjson: Buffer.from(inTheClear) });
    expect(await exportOf(here.engine, other)).toContain('{"sealed":"sealed:v1:');
  });
});
