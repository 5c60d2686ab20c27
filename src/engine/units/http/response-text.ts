import { promisify, TextDecoder } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { ResponseTooLargeError } from './response-collector.js';

type Decompress = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** The body's content coding is unknown to us, or the body breaks it. */
export class ContentEncodingError extends Error {
  override readonly name = 'ContentEncodingError';
}

/**
 * A body's text in its charset (UTF-8 when none or an unknown one is named), without a byte order mark.
 * We ask for no compression; a server that compresses all the same is read, up to `maxBytes` of content.
 */
export async function responseText(
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
): Promise<string> {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  const plain = coding === '' || coding === 'identity' ? body : await decompress(body, coding, maxBytes);
  return decoderFor(headers['content-type'] ?? '').decode(plain);
}

async function decompress(body: Buffer, coding: string, maxBytes: number): Promise<Buffer> {
  if (body.length === 0) return body;
  const expand = DECOMPRESS.get(coding);
  if (expand === undefined) throw new ContentEncodingError();
  try {
    return await expand(body, { maxOutputLength: maxBytes });
  } catch (error) {
    const tooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    throw tooLarge ? new ResponseTooLargeError() : new ContentEncodingError();
  }
}

const UTF_8 = new TextDecoder();

function decoderFor(contentType: string): TextDecoder {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  if (label === undefined || /^utf-?8$/i.test(label)) return UTF_8;
  try {
    return new TextDecoder(label);
  } catch {
    return UTF_8;
  }
}
