// Finds the shells in which completion is played, or installs Debian's: bash is everywhere, and npm ci brings none.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installFromDebian } from '../debian/install.mjs';

/**
 * The path of a shell's program; null: it is not here, and may not be installed. In continuous integration that is an error
 * which says what to do.
 */
export function shellProgram(name) {
  const found = onPath(name);
  if (found !== null) return found;
  const fault = installFromDebian([name], name);
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
