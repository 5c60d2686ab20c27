import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENT } from '../input/workflow-files.js';
import { unitSources } from './unit-files.js';

const FOLDERS = ['workflows', '.'] as const;
/** Enough to see what kind of document it is: others stand in such a folder, too. */
const IS_WORKFLOW = /(?:^|[\s{,])["']?kind["']?\s*:\s*["']?Workflow\b/;
const MAX_LOOKED_AT = 1_000_000;

/** The documents that are registered: those that are named, or the workflows in `workflows`, or else in this folder. */
export async function devDocuments(named: readonly string[]): Promise<readonly string[]> {
  if (named.length > 0) return named;
  for (const folder of FOLDERS) {
    const names = await readdir(folder).catch(() => []);
    const files = names.filter((name) => DOCUMENT.test(name)).map((name) => join(folder, name));
    const areWorkflows = await Promise.all(files.map(isWorkflow));
    const found = files.filter((_, index) => areWorkflows[index] === true);
    if (found.length > 0) return found.toSorted();
  }
  return [];
}

async function isWorkflow(file: string): Promise<boolean> {
  try {
    const { size } = await stat(file);
    return size <= MAX_LOOKED_AT && IS_WORKFLOW.test(await readFile(file, 'utf8'));
  } catch {
    return false;
  }
}

/** The file of bindings next to a document. */
export function bindingsFileOf(document: string): string {
  return document.replace(DOCUMENT, '.bindings.json');
}

/**
 * What has changed since it was asked last. Files are looked at rather than watched: editors replace files, mounted folders
 * tell nothing, and these are a handful.
 */
export class WatchedFiles {
  #marks = new Map<string, string>();

  /** The paths that are new, changed or gone. `documents`: what is registered, with what belongs to it. */
  async changed(documents: readonly string[]): Promise<ReadonlySet<string>> {
    const paths = [...documents.flatMap((file) => [file, bindingsFileOf(file)]), ...(await unitSources())];
    const marks = new Map(await Promise.all(paths.map(async (path) => [path, await markOf(path)] as const)));
    const all = new Set([...marks.keys(), ...this.#marks.keys()]);
    const changed = [...all].filter((path) => marks.get(path) !== this.#marks.get(path));
    this.#marks = marks;
    return new Set(changed);
  }
}

/** What changes with each save; empty: there is no such file. */
export async function markOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? '' : `${found.mtimeNs} ${found.size} ${found.ino}`;
}
