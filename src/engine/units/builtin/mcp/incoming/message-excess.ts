import { DEFAULT_JSON_LIMITS } from '../../../../json/copy-json.js';
import { DEFAULT_JSON_EXCESS, excessOfJson } from '../../../../json/json-excess.js';

/** Beside what a tool says: of such values the client of MCP notes each that is not as it should be, at 5 to 25 µs. */
const MAX_REST_VALUES = 5_000;

/** What of a result is the tool's, and is looked at by us instead. */
export const SAID_BY_TOOL: ReadonlySet<string> = new Set(['content', 'structuredContent']);

const TEXT_LIMITS = {
  ...DEFAULT_JSON_EXCESS,
  // No answer is kept that has more; a message has some around it.
  levels: DEFAULT_JSON_LIMITS.maxDepth + 10,
};

/** What is too much in the text of a message, before it is parsed; null: nothing. It follows "answer". */
export function excessOfText(text: string): string | null {
  return excessOfJson(text, TEXT_LIMITS);
}

/** What is too much in a message, apart from what a tool says; null: nothing. It follows "answer". */
export function excessOfRest(message: unknown): string | null {
  return valuesIn(message, MAX_REST_VALUES) > MAX_REST_VALUES
    ? `holds more than ${MAX_REST_VALUES} values beside what the tool says: have the server say less of itself`
    : null;
}

/** How many values there are in it; where they are more than `most`, that they are. */
export function valuesIn(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const field of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    count += valuesIn(field, most - count);
    if (count > most) break;
  }
  return count;
}
