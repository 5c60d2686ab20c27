import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../command-errors.js';
import { reasonOf, STDIN } from './read-text.js';

/** The file names of documents in a folder, as for `FLOWGATE_WORKFLOWS_DIR`. */
export const DOCUMENT = /\.ya?ml$/;
/** A folder with more files is not meant as a folder of workflows. */
const MAX_FILES = 10_000;

/**
 * The documents that files, folders and `-` stand for, each once. A folder stands for its `*.yaml` and `*.yml` in the
 * order of their names, without its subfolders. Throws a `UsageError` for a file that does not exist.
 */
export async function workflowFiles(given: readonly string[]): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const path of given) {
    for (const file of await filesAt(path)) files.add(file);
    if (files.size > MAX_FILES)
      throw new UsageError(`These are more than ${MAX_FILES} files: take fewer at once.`);
  }
  return [...files];
}

async function filesAt(path: string): Promise<readonly string[]> {
  if (path === STDIN) return [path];
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    (error: unknown) => refuse(path, error),
  );
  if (!isFolder) return [path];
  const names = await readdir(path).catch((error: unknown) => refuse(path, error));
  const documents = names.filter((name) => DOCUMENT.test(name)).sort();
  if (documents.length === 0) throw new UsageError(`${path} holds no *.yaml or *.yml: name another folder.`);
  return documents.map((name) => join(path, name));
}

function refuse(path: string, error: unknown): never {
  throw new UsageError(`${path} cannot be read: ${reasonOf(error)}.`);
}
