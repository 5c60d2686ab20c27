import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../errors/flowgate-error.js';

/** The name of the document in errors, and how it is read. */
export interface DocumentSource {
  readonly label: string;
  /** Rejects with an `Error` that says what to do. */
  readonly read: () => Promise<string>;
}

/** `position` is the document's index in the list of the feature. */
export function documentSource(given: unknown, position: number): DocumentSource {
  const label = `workflows[${position}]`;
  if (given instanceof URL) return fileSource(given.href, () => fileURLToPath(given));
  if (typeof given === 'string') {
    return isText(given) ? { label, read: async () => given } : fileSource(given, () => resolve(given));
  }
  if (typeof given === 'object' && given !== null) {
    return { label, read: async () => JSON.stringify(given) };
  }
  return {
    label,
    read: () => Promise.reject(new TypeError('it must be a document as text or object, or the path of one')),
  };
}

/** A path has no line break, and a document of one line begins with `{`. */
function isText(given: string): boolean {
  return /[\r\n]/.test(given) || given.trimStart().startsWith('{') || given.trim() === '';
}

function fileSource(label: string, pathOf: () => string): DocumentSource {
  return {
    label,
    read: async () => {
      const path = pathOf();
      try {
        return await readFile(path, 'utf8');
      } catch (error) {
        throw new Error(reasonOf(error, path), { cause: error });
      }
    },
  };
}

function reasonOf(error: unknown, path: string): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (code === 'ENOENT') {
    return `there is no file ${path}: correct the path, which is taken from the folder in which the process runs, or give a file: URL`;
  }
  if (code === 'EISDIR') return `${path} is a folder: name the files in it`;
  return `${path} cannot be read (${messageOf(error)}): correct the path or its permissions`;
}
