// Finds Chromium, or installs Debian's: the browser tests need a real one, and `npm ci` downloads none.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installFromDebian } from '../debian/install.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const WHAT_TO_DO =
  'The browser tests need Chromium: install the package "chromium", or set CHROMIUM_PATH to the program.';

/** The path of the program. Throws a sentence that says what to do. */
export function chromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== '') return given;
  const found = onPath();
  if (found !== null) return found;
  const fault = installFromDebian(['chromium'], 'Chromium');
  if (fault !== null) throw new Error(`${WHAT_TO_DO} Now ${fault}.`);
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
