import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { changed, exportOf } from '../support/exports.js';
import { workflowYaml } from '../support/engine.js';
import { flowgate } from './support/built-cli.js';
import { folderWith } from './support/folder.js';

const YAML = workflowYaml('w', {
  units: [
    { id: 'a', uses: 'work' },
    { id: 'b', uses: 'work', with: { n: '${{ outputs.a.n }}' } },
    { id: 'c', uses: 'work', if: 'outputs.a.n > 1' },
  ],
  flow: { type: 'sequential' },
});

const folder = folderWith({});
let engine: Engine;
const at = (name: string) => join(folder.path, name);

beforeAll(async () => {
  engine = createEngine();
  await engine.open();
  engine.registerUnit('work', () => ({ n: 1 }));
  await engine.workflows.register({ yaml: YAML });
  const run = await engine.runs.start({ workflowId: 'w', sync: true });
  writeFileSync(at('run.ndjson'), await exportOf(engine, run));
  const [{ snapshotId } = { snapshotId: '' }] = await engine.runs.snapshots(run);
  const fork = await engine.runs.fork({ ...run, from: { snapshotId }, sync: true });
  writeFileSync(at('fork.ndjson'), await exportOf(engine, fork));
}, 60_000);
afterAll(async () => {
  await engine.close();
  folder.remove();
});

describe('flowgate replay', () => {
  it('ends with 0 where the current engine does what was recorded', async () => {
    const { stdout, stderr, code } = await flowgate(['replay', at('run.ndjson')]);
    expect([stdout, stderr, code]).toEqual(['no difference: 7 events, 4 of them compared\n', '', 0]);
  });

  it('shows exactly where a changed outcome makes a difference, and ends with 1', async () => {
    const other = changed(readFileSync(at('run.ndjson'), 'utf8'), (lines) => {
      lines.find(({ type }) => type === 'unit-finished')!['output'] = { n: 2 };
    });
    writeFileSync(at('changed.ndjson'), other);
    const { stdout, code } = await flowgate(['replay', at('changed.ndjson')]);
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        'event 4 at /spec/flow/order/1',
        '  recorded: unit-scheduled {"unitId":"b","input":{"n":1},"settings":null,"key":null,"timeoutMs":120000}',
        '  today:    unit-scheduled {"unitId":"b","input":{"n":2},"settings":null,"key":null,"timeoutMs":120000}',
        'event 6 at /spec/flow/order/2',
        '  recorded: unit-skipped {"unitId":"c"}',
        '  today:    unit-scheduled {"unitId":"c","settings":null,"key":null,"timeoutMs":120000}',
        '2 differences: 7 events, 4 of them compared',
        '',
      ].join('\n'),
    );
    const json = JSON.parse((await flowgate(['replay', '--json', at('changed.ndjson')])).stdout);
    expect(json).toMatchObject({ ok: false, different: 2, differences: [{ seq: 4 }, { seq: 6 }] });
  });

  it('replays a fork with the export of its source next to it, and says so without', async () => {
    const alone = await flowgate(['replay', at('fork.ndjson')]);
    expect([alone.code, alone.stderr]).toEqual([
      1,
      expect.stringContaining('give the export of that run, too'),
    ]);
    const { stdout, code } = await flowgate(['replay', at('fork.ndjson'), '--source', at('run.ndjson')]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^no difference: /)]);
  });

  it('refuses what is no export, and what was changed after it was written', async () => {
    writeFileSync(at('none.ndjson'), 'none');
    const none = await flowgate(['replay', at('none.ndjson')]);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('The export has no end')]);
    writeFileSync(at('torn.ndjson'), readFileSync(at('run.ndjson'), 'utf8').replace('"work"', '"Work"'));
    const torn = await flowgate(['replay', at('torn.ndjson')]);
    expect([torn.code, torn.stderr]).toEqual([
      1,
      expect.stringContaining('was changed after it was written'),
    ]);
    const missing = await flowgate(['replay', at('missing.ndjson')]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('there is no such file')]);
  });
});
