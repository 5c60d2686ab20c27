import { DEFAULT_JSON_LIMITS } from '../../../../json/copy-json.js';
import { DEFAULT_JSON_TEXT_LIMITS, exceededJsonLimit } from '../../../../json/exceeded-json-limit.js';

/** Values next to the tool's content: the MCP client records each that is invalid, at 5 to 25 µs apiece. */
const MAX_REST_VALUES = 5_000;

/** The fields of a result that are the tool's, which are validated here instead of by the client. */
export const SAID_BY_TOOL: ReadonlySet<string> = new Set(['content', 'structuredContent']);

const TEXT_LIMITS = {
  ...DEFAULT_JSON_TEXT_LIMITS,
  // No result with more levels is kept; a message has some around it.
  levels: DEFAULT_JSON_LIMITS.maxDepth + 10,
};

/** The limit that the text of a message exceeds, checked before it is parsed; null: none. The text follows "answer". */
export function exceededTextLimit(text: string): string | null {
  return exceededJsonLimit(text, TEXT_LIMITS);
}

/** The limit that a message exceeds apart from the tool's content; null: none. The text follows "answer". */
export function exceededRestLimit(message: unknown): string | null {
  return valuesIn(message, MAX_REST_VALUES) > MAX_REST_VALUES
    ? `holds more than ${MAX_REST_VALUES} values beside what the tool says: have the server say less of itself`
    : null;
}

/** Counts the values in `value`; beyond `most` it stops counting. */
export function valuesIn(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const field of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    count += valuesIn(field, most - count);
    if (count > most) break;
  }
  return count;
}
