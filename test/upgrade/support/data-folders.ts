import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Manifest } from './manifest.ts';

/** With what the encrypted folder was written: the bytes 0 to 31. */
export const ENCRYPTION_KEY: Uint8Array = Uint8Array.from({ length: 32 }, (_, index) => index);

/** The data folders of each release. */
export const FOLDERS = ['plain', 'encrypted'] as const;

const ROOT = 'test/fixtures/data-folders';
const FILES = ['runs.db', 'runs.db-wal'];

export function fixtureFolder(release: string): string {
  return join(ROOT, release);
}

/** Oldest first. */
export function releases(): readonly string[] {
  return readdirSync(ROOT).sort();
}

export function readManifest(release: string): Manifest {
  return JSON.parse(readFileSync(join(fixtureFolder(release), 'manifest.json'), 'utf8')) as Manifest;
}

/** From a data folder that nobody has open. */
export function packFolder(folder: string, packed: string): void {
  mkdirSync(packed, { recursive: true });
  for (const file of FILES) {
    writeFileSync(join(packed, `${file}.gz`), gzipSync(readFileSync(join(folder, file)), { level: 9 }));
  }
}

/** Into a folder that is there. */
export function unpackFolder(packed: string, folder: string): void {
  for (const file of FILES) {
    writeFileSync(join(folder, file), gunzipSync(readFileSync(join(packed, `${file}.gz`))));
  }
}
