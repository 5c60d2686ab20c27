import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { EDGE_DEFAULTS } from '../../config/edge-options.js';
import { UsageError } from '../command-errors.js';

/** The largest request body of a service with default settings. */
const MAX_BYTES = EDGE_DEFAULTS.maxBodyBytes;
/** What the command line replaces `-` with; no file has such a name. */
export const STDIN = '\0stdin';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be used',
  EEXIST: 'it is there already',
};

/**
 * Reads a UTF-8 file, or `STDIN`. Throws a `UsageError` for a file that cannot be read or is too large, and the signal's reason: stdin
 * may come late, or never.
 */
export async function readText(path: string, signal?: AbortSignal): Promise<string> {
  const bytes = await readBytes(path, MAX_BYTES, signal);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`${nameOf(path)} is not in UTF-8: save it as UTF-8.`);
  }
}

/** As `readText`, but as bytes, and with the caller's size limit. */
export async function readBytes(
  path: string,
  maxBytes: number = MAX_BYTES,
  signal?: AbortSignal,
): Promise<Buffer> {
  const name = nameOf(path);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    const stream = path === STDIN ? process.stdin : createReadStream(path);
    for await (const chunk of signal === undefined ? stream : addAbortSignal(signal, stream)) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new UsageError(`${name} cannot be read: ${reasonOf(error)}.`);
  }
  if (bytes > maxBytes)
    throw new UsageError(`${name} is larger than ${maxBytes} bytes: no server takes it; make it smaller.`);
  return Buffer.concat(chunks);
}

/** Why a file system call failed, as a clause without its full stop. */
export function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}

export function nameOf(path: string): string {
  return path === STDIN ? 'stdin' : path;
}
