// Finds the shells in which completion is played, or installs Debian's: bash is everywhere, and npm ci brings none.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const INSTALL_WITHIN_MS = 300_000;

/**
 * The path of a shell's program; null: it is not here, and may not be installed. In continuous integration that is an error
 * which says what to do.
 */
export function shellProgram(name) {
  const found = onPath(name);
  if (found !== null) return found;
  const fault = installFromDebian(name);
  const installed = fault === null ? onPath(name) : null;
  if (installed !== null) return installed;
  if ((process.env.CI ?? '') === '') return null;
  throw new Error(`There is no ${name}: install the package "${name}"${fault === null ? '' : `; ${fault}`}`);
}

function onPath(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // It may be in another folder.
    }
  }
  return null;
}

/** Where there is apt-get and we may use it: on the machines of continuous integration. The fault, or null. */
function installFromDebian(name) {
  if (process.platform !== 'linux' || process.getuid() !== 0)
    return 'it is not installed without the rights to do so';
  process.stderr.write(`No ${name} here: installing it with apt-get\n`);
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const { error, status, stderr } = spawnSync('apt-get', step, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: INSTALL_WITHIN_MS,
    });
    if (error === undefined && status === 0) continue;
    return `apt-get ${step[0]} said: ${error?.message ?? stderr.slice(-300)}`;
  }
  return null;
}
