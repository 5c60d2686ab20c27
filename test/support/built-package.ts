import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Built next to, never into, `dist`; each Jest worker has its own, for they build at the same time. */
const FOLDER = `.tmp/built-package-${process.env['JEST_WORKER_ID'] ?? '0'}`;

/**
 * The package as it would be published, with the repository's packages as what is installed next to it: a folder to link
 * to by its name. Types are checked elsewhere, and declarations are not made.
 */
export function builtPackage(): string {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const part of ['package.json', 'schemas']) cpSync(part, join(FOLDER, part), { recursive: true });
  const quick = ['--noCheck', '--sourceMap', 'false', '--declaration', 'false'];
  const flags = ['-p', 'tsconfig.build.json', '--outDir', join(FOLDER, 'dist'), ...quick];
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...flags], { stdio: 'pipe' });
  return resolve(FOLDER);
}
