import { open, stat } from 'node:fs/promises';
import type { FileReading } from './file-reading.js';

/** Longer names are no paths anywhere. */
const MAX_PATH_CHARS = 4_096;

/** The text of the file that the source names; a folder, a device or a pipe is none. */
export async function readNamedFile(source: string, maxBytes: number): Promise<FileReading> {
  if (source.length > MAX_PATH_CHARS || /[\n\r\0]/.test(source)) return { kind: 'none', because: null };
  let bytes: Uint8Array;
  try {
    const { size } = await stat(source).then((found) => (found.isFile() ? found : Promise.reject(noFile)));
    if (size > maxBytes) return { kind: 'too-large', bytes: size };
    bytes = await readUpTo(source, maxBytes + 1);
  } catch (error) {
    return { kind: 'none', because: (error as NodeJS.ErrnoException).code ?? null };
  }
  if (bytes.byteLength > maxBytes) return { kind: 'too-large', bytes: bytes.byteLength };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'not-utf-8' };
  }
}

/** What `stat` says of a name that is a folder, a device or a pipe. */
const noFile = Object.assign(new Error('no file'), { code: 'EISDIR' });

/** A file may grow while it is read. */
async function readUpTo(path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const chunks: Uint8Array[] = [];
    let left = maxBytes;
    while (left > 0) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(Math.min(left, 65_536)));
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
}
