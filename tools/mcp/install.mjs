// Installs the clients, as pinned, unless they are there: those of npm beside this file, each set of Python's in an
// environment of its own in .tmp.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from '../java/run.mjs';

const WITHIN_MS = 240_000;
const HERE = resolve('tools', 'mcp');
const NEEDS =
  'npm run test:mcp needs python3 (3.11 or newer) with its venv module (Debian: the packages python3 and python3-venv)';

export async function installNpm() {
  const modules = join(HERE, 'node_modules');
  await once(modules, ['package.json', 'package-lock.json'], async () => {
    // None of them has a script that it needs: the Inspector's leaves at once where it is a dependency.
    const flags = [
      'ci',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--loglevel=error',
    ];
    await run('npm', flags, { cwd: HERE, withinMs: WITHIN_MS });
  });
}

/** The python that has what `requirements` names, once that is installed. */
export const pythonOf = (requirements) => join(environmentOf(requirements), 'bin', 'python');
const environmentOf = (requirements) => resolve('.tmp', `mcp-python-${requirements.replace(/\.txt$/, '')}`);

export async function installPython(requirements) {
  const folder = environmentOf(requirements);
  await once(folder, [join('python', requirements)], async () => {
    mkdirSync('.tmp', { recursive: true });
    await run('python3', ['-m', 'venv', folder], { withinMs: WITHIN_MS }).catch((error) => {
      throw new Error(`${error.message}\n${NEEDS}: install it, and start this again.`);
    });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
    const file = join(HERE, 'python', requirements);
    await run(pythonOf(requirements), [...pip, '-r', file], { withinMs: WITHIN_MS });
  });
}

/** What was begun and not finished, or is of other pins, is begun anew. */
async function once(folder, pins, install) {
  const hash = createHash('sha256');
  for (const pin of pins) hash.update(readFileSync(join(HERE, pin)));
  const wanted = hash.digest('hex');
  const mark = join(folder, '.installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  await install();
  writeFileSync(mark, wanted);
}
