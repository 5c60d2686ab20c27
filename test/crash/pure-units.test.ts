import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('support/pure-host.mjs', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flowgate-pure-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

/** What the process printed; null: it was killed. */
function lived(order: 'start' | 'sync' | 'look'): Promise<string | null> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [HOST, folder, order], { timeout: 30_000 }, (error, stdout, stderr) => {
      if (error?.signal === 'SIGKILL') resolve(null);
      else if (error !== null) reject(new Error(stderr));
      else resolve(stdout);
    });
  });
}

describe('a pure unit that kills its process', () => {
  it('has its run set aside after three deaths', async () => {
    expect(await lived('start')).toBeNull();
    let deaths = 1;
    let output = await lived('look');
    for (; output === null && deaths < 6; deaths += 1) output = await lived('look');
    expect(deaths).toBe(3);
    expect(JSON.parse(output ?? '{}')).toEqual({ statuses: ['paused'], reasons: ['crash-limit'] });
  }, 120_000);

  it('leaves nothing of a run whose start was waited for and not stored yet', async () => {
    expect(await lived('sync')).toBeNull();
    expect(JSON.parse((await lived('look')) ?? '{}')).toEqual({ statuses: [], reasons: [] });
  }, 60_000);
});
