import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../command-errors.js';
import { reasonOf } from '../input/read-text.js';

/** What a folder's settings stand in; Git may keep it, so that a team shares it. */
export const FOLDER_FILE = '.flowgate.json';
/** Three settings and room for their spelling. */
const MAX_BYTES = 16 * 1024;
/** No path of a system is deeper. */
const MAX_FOLDERS = 2_048;

export interface FolderFile {
  readonly path: string;
  readonly text: string;
}

/** The file of the folder, or of the nearest one above it; null: none has one. Throws a `UsageError` for one that cannot be read. */
export function folderFile(from: string): FolderFile | null {
  let folder = resolve(from);
  for (let looked = 0; looked < MAX_FOLDERS; looked += 1) {
    const path = join(folder, FOLDER_FILE);
    const text = textAt(path);
    if (text !== null) return { path, text };
    const above = dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
  return null;
}

/** Null: there is no such file. A pipe under that name is not waited for. */
function textAt(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A folder above that may not be entered has nothing for whoever may not enter it.
    if (['ENOENT', 'ENOTDIR'].includes(code) || !existsSync(path)) return null;
    throw new UsageError(`${path} cannot be read: ${reasonOf(error)}.`);
  }
  try {
    const { size } = regularFile(file, path);
    if (size > MAX_BYTES) throw tooLarge(path);
    // The file may grow meanwhile.
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    const length = readSync(file, bytes, 0, bytes.length, 0);
    if (length > MAX_BYTES) throw tooLarge(path);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof TypeError) throw new UsageError(`${path} is not in UTF-8: save it as UTF-8.`);
    throw new UsageError(`${path} cannot be read: ${reasonOf(error)}.`);
  } finally {
    closeSync(file);
  }
}

function regularFile(file: number, path: string): { readonly size: number } {
  const found = fstatSync(file);
  if (!found.isFile()) throw new UsageError(`${path} is no file: move it away.`);
  return found;
}

function tooLarge(path: string): UsageError {
  return new UsageError(`${path} is larger than ${MAX_BYTES} bytes: it holds server, output and namespace.`);
}
