import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BESIDE = new URL('./document-worker.js', import.meta.url);

/**
 * The file that both threads run. Null where there is none: a host that put everything into one file, or our own
 * sources before they are compiled. Documents are then compiled on the event loop, within the same bounds.
 */
export function workerFile(given: URL | undefined): URL | null {
  const url = given ?? BESIDE;
  return url.protocol === 'file:' && existsSync(fileURLToPath(url)) ? url : null;
}
