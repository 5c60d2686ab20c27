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
      : { ok: false, fault: 'This is no JSON object: write it in braces, {"name": …}' };
  } catch (error) {
    return { ok: false, fault: `This is no JSON${place(text, (error as Error).message)}` };
  }
}

/** Browsers say where by a line, by an offset, or not at all. */
function place(text: string, message: string): string {
  const line = /line (\d+) column (\d+)/.exec(message);
  if (line !== null) return `: line ${line[1]}, column ${line[2]}`;
  const before = text.slice(0, beginningOfJson(text)).split('\n');
  return `: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** How many characters of the text are the beginning of some JSON: the one after them is wrong, or missing. */
function beginningOfJson(text: string): number {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    if (/end of|unterminated/i.test(message)) return true;
    return Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN) >= text.length;
  }
}
