import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, openSync, closeSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '../../src/errors/service-errors.js';
import { createDataFolder, dataFolder } from '../../src/storage/sqlite/folder/data-folder.js';
import { temporaryFolder } from '../support/data-folder.js';
import { linesOf, startChild } from '../storage/support/child.js';

const FILES = ['runs.db', 'memory.db', 'owner.lock.db', 'calls.log', 'last-position.txt'] as const;
/** Threads of Node that work on files. */
const POOL = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
const isLinux = process.platform === 'linux';

/** What a process of its own says of the folder; fails when it says nothing in time. */
async function opened(path: string): Promise<{ readonly code: string | null; readonly message?: string }> {
  const child = startChild('try-to-open.mjs', [path]);
  const lines = await Promise.race([linesOf(child, 1), once(AbortSignal.timeout(15_000), 'abort')]);
  child.kill('SIGKILL');
  return JSON.parse(String(lines[0]));
}

describe('a data folder where none can be', () => {
  const virtual = isLinux ? ['/proc/flowgate', '/proc/self/a/b', '/sys/flowgate', '/dev/null/flowgate'] : [];

  it.each(virtual)('%s is refused at once, with a sentence', async (path) => {
    expect(await opened(path)).toEqual({
      code: 'store',
      message: expect.stringMatching(/^The data folder cannot be created: .* name another/),
    });
  });

  it.each(isLinux ? ['/proc/self', '/proc/sys/kernel'] : [])(
    '%s, which is there, is refused too',
    async (path) => {
      expect(await opened(path)).toEqual({ code: 'store', message: expect.stringContaining('write access') });
    },
  );
});

describe('a data folder with a pipe in the place of a file', () => {
  it.each(isLinux ? FILES : [])('is refused for %s, and waits for nobody to write into it', async (name) => {
    const folder = await temporaryFolder();
    execFileSync('mkfifo', [join(folder.path, name)]);
    await expect(createDataFolder(dataFolder(folder.path))).rejects.toThrow(
      `${name} in the data folder is no file`,
    );
    expect(await opened(folder.path)).toEqual({
      code: 'store',
      message: `${name} in the data folder is no file: move it away, or name another folder`,
    });
    await folder.remove();
  });
});

describe('a data folder on a file system that does not respond', () => {
  it('is refused in time, with a sentence', async () => {
    const folder = await temporaryFolder();
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Each of these blocks a thread of Node until somebody writes: no file operation is done in the meantime.
    const stuck = Array.from({ length: POOL }, () => open(pipe, 'r'));
    const refused = createDataFolder(dataFolder(join(folder.path, 'data')), 50);
    await expect(refused).rejects.toThrow(StoreError);
    await expect(refused).rejects.toThrow('does not answer: check the disk or the network');
    const writer = openSync(pipe, constants.O_RDWR);
    for (const handle of await Promise.all(stuck)) await handle.close();
    closeSync(writer);
    await expect(createDataFolder(dataFolder(join(folder.path, 'data')))).resolves.toBeUndefined();
    expect((await stat(join(folder.path, 'data'))).isDirectory()).toBe(true);
    await folder.remove();
  });
});
