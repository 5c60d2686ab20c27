// Finds Chromium, or installs Debian's: the browser tests need a real one, and `npm ci` downloads none.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const INSTALL_WITHIN_MS = 300_000;
const WHAT_TO_DO =
  'The browser tests need Chromium: install the package "chromium", or set CHROMIUM_PATH to the program.';

/** The path of the program. Throws a sentence that says what to do. */
export function chromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== '') return given;
  const found = onPath();
  if (found !== null) return found;
  installFromDebian();
  const installed = onPath();
  if (installed === null) throw new Error(WHAT_TO_DO);
  return installed;
}

function onPath() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of NAMES) {
      const file = join(folder, name);
      if (isProgram(file)) return file;
    }
  }
  return null;
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where there is apt-get and we may use it: on the machines of continuous integration. */
function installFromDebian() {
  if (process.platform !== 'linux' || process.getuid() !== 0) throw new Error(WHAT_TO_DO);
  process.stdout.write('No Chromium here: installing it with apt-get\n');
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { error, status, stderr } = spawnSync('apt-get', step, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: INSTALL_WITHIN_MS,
    });
    if (error === undefined && status === 0) continue;
    throw new Error(`${WHAT_TO_DO}\napt-get ${step[0]} failed: ${error?.message ?? stderr.slice(-1_000)}`);
  }
}
