import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder with these files, for one test file; texts are written as they are, anything else as JSON. */
export function folderWith(files: Readonly<Record<string, unknown>>): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'flowgate-cli-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    const text = typeof content === 'string' || content instanceof Buffer;
    writeFileSync(join(path, name), text ? (content as string) : JSON.stringify(content));
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
