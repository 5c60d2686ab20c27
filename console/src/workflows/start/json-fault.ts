import type { JsonObject } from 'flowgate-client/remote';

export type ReadInput =
  { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly fault: string };

/** An input that somebody wrote as JSON; a fault says where. */
export function readInput(text: string): ReadInput {
  if (text.trim() === '') return { ok: true, value: {} };
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ok: true, value: value as JsonObject }
      : { ok: false, fault: 'The input is an object: write it in braces, {"name": …}' };
  } catch (error) {
    return { ok: false, fault: `This is no JSON${place(text, (error as Error).message)}` };
  }
}

/** Browsers say where by an offset, by a line, or not at all. */
function place(text: string, message: string): string {
  const line = /line (\d+) column (\d+)/.exec(message);
  if (line !== null) return `: line ${line[1]}, column ${line[2]}`;
  const offset = /position (\d+)/.exec(message)?.[1];
  const at =
    offset === undefined ? (/end of JSON|unterminated/i.test(message) ? text.length : null) : Number(offset);
  if (at === null) return ': look for a missing comma or quote';
  const before = text.slice(0, at).split('\n');
  return `: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
