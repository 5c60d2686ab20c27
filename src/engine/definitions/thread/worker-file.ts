import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BESIDE = new URL('./document-worker.js', import.meta.url);

/**
 * The file that the threads for documents run. Null where there is none: a host that put everything into one file, or our own
 * sources before they are compiled. Documents are then compiled on the event loop, within the same bounds.
 */
export function workerFile(given: URL | undefined): URL | null {
  return fileAt(given ?? BESIDE);
}

/** The file that another thread runs, next to that one; null where there is none. */
export function workerBeside(worker: URL | null, path: string): URL | null {
  return worker === null ? null : fileAt(new URL(path, worker));
}

function fileAt(url: URL): URL | null {
  return url.protocol === 'file:' && existsSync(fileURLToPath(url)) ? url : null;
}
