import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataChecks, REAL_DISK, type Disk } from './data-checks.js';

const GIB = 1024 ** 3;
const SOUND = { type: 0xef53, bsize: 4_096, bavail: (20 * GIB) / 4_096, files: 1_000_000, ffree: 900_000 };

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'flowgate-doctor-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A disk of this file system, with writes of so many ms. */
function disk(more: Partial<typeof SOUND> = {}, times: readonly number[] = [3, 2, 400]): Disk {
  return { statfs: async () => ({ ...SOUND, ...more }), syncMs: async () => times };
}

describe('the check of the data folder', () => {
  it('finds a sound one, by the median of its writes', async () => {
    expect(await dataChecks(folder, disk())).toEqual([
      { check: 'data', status: 'ok', message: `${folder}: 20 GiB free`, advice: null },
      { check: 'disk', status: 'ok', message: 'A write takes 3.0 ms until the disk has it', advice: null },
    ]);
  });

  it('looks where the folder would be made, and makes nothing', async () => {
    const missing = join(folder, 'a/b');
    const [data] = await dataChecks(missing, disk());
    expect(data?.message).toBe(`${missing} (to be made in ${folder}): 20 GiB free`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [{ bavail: 1_000 }, [3], 'data', 'only 3 MiB are free', 'FLOWGATE_RETENTION_DAYS'],
    [{ ffree: 12 }, [3], 'data', 'only 12 more files fit', 'take another one'],
    [{ type: 0x01021994 }, [3], 'disk', 'is in memory (tmpfs)', 'FLOWGATE_DATA_DIR'],
    [{ type: 0x6969 }, [3], 'disk', 'is on NFS', 'FLOWGATE_STORE=postgres'],
    [{}, [80, 90, 100], 'disk', 'A write takes 90 ms', 'Take another disk'],
  ])('finds %j, %j', async (more, times, check, message, advice) => {
    const found = await dataChecks(folder, disk(more, times));
    const findings = found.filter(({ status }) => status === 'finding');
    expect(findings).toEqual([
      expect.objectContaining({
        check,
        message: expect.stringContaining(message),
        advice: expect.stringContaining(advice),
      }),
    ]);
  });

  it('notes a disk that cannot have kept what it acknowledged', async () => {
    const [, sync] = await dataChecks(folder, disk({}, [0.001, 0.001, 0.002]));
    expect(sync).toMatchObject({ status: 'note', message: expect.stringContaining('after a power cut') });
  });

  it('finds what is no folder, and one that everybody may write', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await dataChecks(file, disk())).toEqual([
      expect.objectContaining({ status: 'finding', message: `${file} is no folder.` }),
    ]);
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect((await dataChecks(open, disk()))[0]).toMatchObject({
      message: `${open} may be written by everybody on this machine.`,
      advice: `Run chmod o-w ${open}.`,
    });
  });

  it('writes to the real disk, and leaves nothing there', async () => {
    const checks = await dataChecks(folder, REAL_DISK);
    expect(checks.map(({ check }) => check)).toEqual(['data', 'disk']);
    expect(readdirSync(folder)).toEqual([]);
  });
});
