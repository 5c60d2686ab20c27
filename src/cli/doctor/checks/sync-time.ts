import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const WRITES = 7;
const PAGE = Buffer.alloc(4_096);

/** How long each of a few writes of a page took until the disk had it. The file that they go to is removed. */
export async function syncMs(folder: string): Promise<readonly number[]> {
  const path = join(folder, `.flowgate-doctor-${randomUUID()}`);
  const file = await open(path, 'wx', 0o600);
  try {
    const times: number[] = [];
    while (times.length < WRITES) {
      const begun = performance.now();
      await file.write(PAGE);
      await file.sync();
      times.push(performance.now() - begun);
    }
    return times;
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
