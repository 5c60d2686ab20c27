import { StreamableFile } from '@nestjs/common';
import { jsonChunks } from './json-chunks.js';
import { inSlices } from './long-response.js';

/** Text before and after the JSON. */
export interface TextAround {
  readonly before?: string;
  readonly after?: string;
}

/** The text that `JSON.stringify` makes of a JSON value, as UTF-8, written in slices like a long response. */
export async function jsonBytes(value: unknown, around: TextAround = {}): Promise<Buffer> {
  const chunks: Buffer[] = [Buffer.from(around.before ?? '')];
  for await (const chunk of inSlices(jsonChunks(value))) chunks.push(Buffer.from(chunk));
  chunks.push(Buffer.from(around.after ?? ''));
  return Buffer.concat(chunks);
}

/** A response whose text already exists. A host's adapter sends it as a file; ours writes the bytes as they are. */
export class JsonBytes extends StreamableFile {
  constructor(readonly bytes: Uint8Array) {
    super(bytes, { type: 'application/json; charset=utf-8', length: bytes.length });
  }
}
