import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that the package ships, with the tag by which callers can check whether they have it. */
export interface PublishedFile {
  readonly bytes: Buffer;
  readonly etag: string;
}

export function readPublished(file: URL): PublishedFile {
  const bytes = readFileSync(file);
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

/** Whether the caller has the file, by `If-None-Match`. A proxy that compresses may have made our tag a weak one. */
export function isKnown(etag: string, asked: string | undefined): boolean {
  return (asked ?? '').split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));
}
