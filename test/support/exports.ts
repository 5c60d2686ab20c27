import { createHash } from 'node:crypto';
import type { Engine } from '../../src/engine/index.js';

type Line = Record<string, unknown>;

/** What the run's export is, as one text. */
export async function exportOf(
  engine: Engine,
  address: { readonly workflowId: string; readonly runId: string; readonly namespace?: string },
): Promise<string> {
  let text = '';
  for await (const line of engine.runs.export(address)) text += line;
  return text;
}

/** The lines before the last, read. */
export function linesOf(text: string): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** An export of these lines, with a checksum that fits them. */
export function withSum(lines: readonly unknown[], lastSeq = lines.length - 1): string {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ lastSeq, sha256 })}\n`;
}

/** The same export, but for what is changed of its lines. */
export function changed(text: string, change: (lines: Line[]) => unknown): string {
  const lines = linesOf(text);
  const others = change(lines);
  return withSum(Array.isArray(others) ? (others as unknown[]) : lines);
}
