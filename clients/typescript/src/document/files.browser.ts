import type { FileReading } from './file-reading.js';

/** There are no files here: a source is always the text itself. */
export function readNamedFile(): Promise<FileReading> {
  return Promise.resolve({ kind: 'none', because: null });
}
