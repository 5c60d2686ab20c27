import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('support/pure-host.mjs', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flowgate-pure-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

type Order = 'start' | 'sync' | 'look';

/** What the process printed; null: it was killed. */
function lived(units: string, order: Order): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const given = [HOST, folder, units, order];
    execFile(process.execPath, given, { timeout: 30_000 }, (error, stdout, stderr) => {
      if (error?.signal === 'SIGKILL') resolve(null);
      else if (error !== null) reject(new Error(stderr));
      else resolve(stdout);
    });
  });
}

/** How often processes died of a run of these units until one outlived it, and what that one saw. */
async function deathsOf(units: string) {
  expect(await lived(units, 'start')).toBeNull();
  let deaths = 1;
  let output = await lived(units, 'look');
  for (; output === null && deaths < 6; deaths += 1) output = await lived(units, 'look');
  return { deaths, ...(JSON.parse(output ?? '{}') as { statuses?: string[]; reasons?: string[] }) };
}

describe('a pure unit that kills its process', () => {
  it.each(['kills', 'harmless,kills', 'harmless,harmless,kills', 'builtin.mock,kills'])(
    'has its run set aside after three deaths, and is named: %s',
    async (units) => {
      const name = `kills-${units.split(',').length - 1}`;
      const seen = await deathsOf(units);
      expect(seen).toEqual({ deaths: 3, statuses: ['paused'], reasons: [`recovery-limit ${name}`] });
    },
    120_000,
  );

  it('has the unit before it, which is not pure, called once more, and no oftener', async () => {
    const seen = await deathsOf('work,kills');
    expect(seen).toEqual({ deaths: 3, statuses: ['paused'], reasons: ['recovery-limit kills-1'] });
    expect(readFileSync(join(folder, 'calls.txt'), 'utf8')).toBe('called\n'.repeat(2));
  }, 120_000);

  it('has its run set aside where that is the child of another', async () => {
    const { deaths, reasons } = await deathsOf('builtin.workflow');
    expect(deaths).toBeLessThanOrEqual(4);
    expect(reasons).toEqual(['recovery-limit kills-1']);
  }, 120_000);

  it('leaves nothing of a run whose start was waited for and not stored yet', async () => {
    expect(await lived('harmless,kills', 'sync')).toBeNull();
    const seen = await lived('harmless,kills', 'look');
    expect(JSON.parse(seen ?? '{}')).toEqual({ statuses: [], reasons: [] });
  }, 60_000);
});
