import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';

/** Where units stand that are started with the workflows. */
const FOLDER = 'units';
/** More files are not meant as units: each would be a process. */
const MAX_SOURCES = 50;
const OF_TESTS = /(?:[._-]test|Test)$/;

/** Node before 22.18 takes types away only where it is told to. */
const STRIPPING = process.features.typescript === false ? ['--experimental-strip-types'] : [];
const NODE = [process.execPath, '--disable-warning=ExperimentalWarning'];
const PYTHON = process.platform === 'win32' ? 'python' : 'python3';
/** How a file is run, by its ending. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  '.ts': [...NODE, ...STRIPPING],
  '.mts': [...NODE, ...STRIPPING],
  '.js': NODE,
  '.mjs': NODE,
  '.py': [PYTHON],
  '.java': ['java'],
};

/** The sources of the folder, without tests. */
export async function unitSources(): Promise<readonly string[]> {
  const names = await readdir(FOLDER).catch(() => []);
  return names
    .toSorted()
    .filter((file) => extname(file) in COMMANDS && !OF_TESTS.test(nameOf(file)))
    .slice(0, MAX_SOURCES)
    .map((file) => join(FOLDER, file));
}

/** The name of the unit that a source is, which is what `uses` names; null: it is there for units to import. */
export function unitOf(source: string): string | null {
  const name = nameOf(source);
  return name.startsWith('_') ? null : name;
}

export function commandFor(source: string): readonly [string, ...string[]] {
  const [program = source, ...options] = COMMANDS[extname(source)] ?? [];
  return [program, ...options, source];
}

function nameOf(file: string): string {
  return basename(file, extname(file));
}
