import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, SilentDiskError, StoreError } from '../../errors/service-errors.js';
import type { FlowgateConfig } from './settings.js';
import { about, resultOfDisk, type NamedFolder } from '../named-folder.js';

/** What is wrong and what to do, by the code of the system's error. */
const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder: make it, or name another one',
  ENOTDIR: 'that is no folder: name one',
  EACCES: 'this process may not read it: give its user the right to read and to enter the folder',
  EPERM: 'this process may not read it: give its user the right to read and to enter the folder',
  ELOOP: 'its links lead in a circle: put them right',
  ENAMETOOLONG: 'the path is too long: name a shorter one',
};

/**
 * Checks, before the service starts, the folders that it only reads; otherwise a fault would show only at the first
 * call of a unit. Throws one `ConfigError` that names every fault; a `SilentDiskError` for a disk that does not
 * respond. The store creates and tries the data folder.
 */
export async function refuseUnusableFolders(
  config: Pick<FlowgateConfig, 'secretsDir' | 'workflowsDir'>,
  maxWaitMs?: number,
): Promise<void> {
  const looks = [
    faultIn('FLOWGATE_SECRETS_DIR', config.secretsDir, faultOfSecrets),
    faultIn('FLOWGATE_WORKFLOWS_DIR', config.workflowsDir, faultOfFolder),
  ];
  const faults = (await Promise.all(looks)).flatMap((fault) => fault ?? []);
  if (faults.length > 0) throw new ConfigError(faults);

  async function faultIn(
    variable: string,
    path: string | null,
    look: (path: string) => Promise<string | null>,
  ): Promise<{ readonly variable: string; readonly message: string } | null> {
    if (path === null) return null;
    const folder: NamedFolder = { variable, path };
    const fault = await resultOfDisk(folder, look(path), maxWaitMs);
    return fault === null ? null : { variable, message: `${about(folder)}: ${fault}.` };
  }
}

async function faultOfFolder(path: string): Promise<string | null> {
  try {
    if (!(await stat(path)).isDirectory()) return SENTENCES['ENOTDIR'] ?? null;
    await access(path, constants.R_OK | constants.X_OK);
    // A mount whose other end is gone fails only here.
    await readdir(path);
    return null;
  } catch (error) {
    return sentenceOf(error);
  }
}

/** As `faultOfFolder`. It also refuses pipes, because opening one in place of a secret would block forever. */
async function faultOfSecrets(path: string): Promise<string | null> {
  const fault = await faultOfFolder(path);
  if (fault !== null) return fault;
  for (const entry of await entriesOf(path)) {
    // An entry that cannot be examined, such as a broken link, is ignored until a unit needs it.
    const found = await stat(join(path, entry)).catch(() => null);
    if (found === null || found.isFile() || found.isDirectory()) continue;
    return `${JSON.stringify(entry)} in it is no file: move it away`;
  }
  return null;
}

/**
 * The entries of the folder and of its namespaces' folders. Names that begin with a dot belong to orchestrators, and
 * are skipped.
 */
async function entriesOf(path: string): Promise<readonly string[]> {
  const top = await readdir(path, { withFileTypes: true });
  const inside = await Promise.all(
    top
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(async ({ name }) =>
        (await readdir(join(path, name)).catch(() => [])).map((file) => join(name, file)),
      ),
  );
  return [...top.map(({ name }) => name), ...inside.flat()];
}

/** The store's error about its folder, with the setting that names it. */
export function aboutDataFolder(error: unknown, path: string): unknown {
  if (!(error instanceof StoreError)) return error;
  const message = `${about({ variable: 'FLOWGATE_DATA_DIR', path })}: ${error.message}.`;
  return error instanceof SilentDiskError
    ? new SilentDiskError(message)
    : new StoreError(message, { cause: error, permanent: error.permanent });
}

function sentenceOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return (
    SENTENCES[code] ?? `it cannot be read (${code}): check the disk that it is on, or name another folder`
  );
}
