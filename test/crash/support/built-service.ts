import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = join(ROOT, 'dist/main.js');

let isBuilt = false;

/** The service's entry file; built first when it is missing or older than a source of it, as it is when first asked for. */
export function builtMain(): string {
  isBuilt ||= existsSync(MAIN) && statSync(MAIN).mtimeMs >= newestSource(join(ROOT, 'src'));
  if (!isBuilt) build();
  isBuilt = true;
  return MAIN;
}

/** All of the build: its parts alone leave a dist that other tests cannot start from. */
function build(): void {
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`dist cannot be built, so nothing can be crashed:\n${stdout}${stderr}`);
}

function newestSource(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Math.max(
    ...files
      .filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
      .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs),
  );
}
