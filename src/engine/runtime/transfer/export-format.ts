import type { ExportedDefinition } from '../../definitions/exported-definition.js';

export const EXPORT_FORMAT = 'flowgate-run/1';

/** The longest export that can be imported, in bytes. */
export const MAX_IMPORT_BYTES = 16 * 1024 * 1024;

/**
 * The first line of an export. After it come the events of the run's log, one a line, as they were stored; then one line
 * with the seq of the last and the SHA-256 of every byte before that line.
 */
export interface ExportHeader extends ExportedDefinition {
  readonly format: typeof EXPORT_FORMAT;
  readonly runId: string;
  readonly workflowId: string;
  /** The hash of the definition that the run is pinned to. */
  readonly hash: string;
}

export function headerLine({ format, runId, workflowId, yaml, hash, uses }: ExportHeader): string {
  return `${JSON.stringify({ format, runId, workflowId, yaml, hash, uses })}\n`;
}

export interface ExportEnd {
  readonly lastSeq: number;
  /** In hex. */
  readonly sha256: string;
}

export function endLine({ lastSeq, sha256 }: ExportEnd): string {
  return `${JSON.stringify({ lastSeq, sha256 })}\n`;
}

const END_LINE = /^\{"lastSeq":([1-9]\d{0,14}),"sha256":"([0-9a-f]{64})"\}\n$/;

/** Null for a line that is not, to the byte, such a line. */
export function readEndLine(line: string): ExportEnd | null {
  const [, lastSeq = '', sha256 = ''] = END_LINE.exec(line) ?? [];
  return sha256 === '' ? null : { lastSeq: Number(lastSeq), sha256 };
}
