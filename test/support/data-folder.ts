import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder on the machine's disk, and its end. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'flowgate-store-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) };
}
