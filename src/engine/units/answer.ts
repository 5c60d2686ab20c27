import type { JsonObject, JsonValue } from '../core/json.js';
import { problemOfPatch } from '../core/plan/patch-keys.js';
import type { UnitAnswer } from '../ports/unit-executor.js';
import { copyJson, type JsonCopy } from '../json/copy-json.js';

/** How much of what a unit said an error repeats, in UTF-16 code units. */
const EXCERPT_LENGTH = 500;

/** No more of a text is looked at: a unit must not be able to occupy the process with its error. */
const EXCERPT_WINDOW = 131_072;

/** Longer than any form of a secret (a header's value has at most 8192 characters; encoded, six times that). */
const SECRET_MARGIN = 65_536;

/** A run's total stays exact and finite, whatever its units report. */
const MAX_USAGE = 1e12;

/** Turns what a unit said into the text of an error: bounded, on one line, without secrets. */
export type Quote = (text: string) => string;

/**
 * At most 500 characters on one line: runs of white space become one space, control characters go.
 * `mask` hides secrets; it is applied before the text is cleaned and cut, and again after the cleaning, so
 * that neither the cut leaves half a secret nor the cleaning puts one together.
 */
export function excerpt(text: string, mask: Quote = (unmasked) => unmasked): string {
  const masked = mask(text.slice(0, EXCERPT_WINDOW));
  // Where the window ends, half a secret may stand that no mask can recognise.
  const complete = text.length > EXCERPT_WINDOW ? masked.slice(0, -SECRET_MARGIN) : masked;
  const cleaned = complete
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  // A cut between the halves of a surrogate pair would leave a character that no encoding can carry.
  return mask(cleaned)
    .slice(0, EXCERPT_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * The one meaning of an answer, wherever the unit ran: an object with its own `content` is an envelope
 * (`content`, `state`, `metadata`, `tokenUsage`, `stopReason`; null counts as absent; other fields are not
 * kept), any other value is the output. Everything in the result is a frozen copy. Never throws.
 *
 * An answer that cannot be used is a failure that is not retried: dropping the part at fault would lose
 * data. Its outcome is `unknown`, because the unit did its work; `stopReason: "error"` is the unit's own
 * word that it did not, so that one is `refused`.
 *
 * `take` makes the frozen copy; what nobody else holds need not be copied.
 */
export function interpretAnswer<T>(
  value: T,
  quote: Quote = excerpt,
  take: (value: T) => JsonCopy = copyJson,
): UnitAnswer {
  const copied = take(value);
  if (!copied.ok) return unusable(quote(`answer ${copied.problem}`));
  const answer = copied.value;
  if (!isObject(answer) || !(Object.hasOwn(answer, 'content') || hasUndefinedContent(value))) {
    return { kind: 'finished', output: answer, patch: null, usage: null, metadata: null };
  }
  const output = answer['content'] ?? null;
  if (answer['stopReason'] === 'error') return stopped(output, quote);

  const { state = null, metadata = null, tokenUsage = null } = answer;
  const problem = problemOfState(state) ?? problemOfMetadata(metadata) ?? problemOfUsage(tokenUsage);
  if (problem !== null) return unusable(quote(`answer has ${problem}`));
  return {
    kind: 'finished',
    output,
    patch: asObject(state),
    usage: usageOf(asObject(tokenUsage)),
    metadata: asObject(metadata),
  };
}

/** A failure; what the verdict leaves out is: no `Retry-After`. */
export function failedAnswer(
  error: string,
  verdict: {
    readonly retryable: boolean;
    readonly outcome: 'refused' | 'unknown';
    readonly retryAfterMs?: number | null;
    readonly timedOutMs?: number;
  },
): UnitAnswer {
  return { kind: 'failed', error, retryAfterMs: null, ...verdict };
}

function stopped(content: JsonValue, quote: Quote): UnitAnswer {
  const said = typeof content === 'string' ? content : JSON.stringify(content);
  const reason = content === null || said === '' ? '' : `: ${said}`;
  const error = quote(`unit answered with stopReason "error"${reason}`);
  return failedAnswer(error, { retryable: false, outcome: 'refused' });
}

function unusable(error: string): UnitAnswer {
  return failedAnswer(error, { retryable: false, outcome: 'unknown' });
}

/** An in-process unit's `{ content: undefined }` is an envelope too; the copy has lost the key. */
function hasUndefinedContent(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !('toJSON' in value) && Object.hasOwn(value, 'content')
  );
}

function problemOfState(state: JsonValue): string | null {
  if (state === null) return null;
  return isObject(state) ? problemOfPatch(state) : 'a state that is not an object';
}

function problemOfMetadata(metadata: JsonValue): string | null {
  return metadata === null || isObject(metadata) ? null : 'metadata that is not an object';
}

const USAGE_FIELDS = ['promptTokens', 'completionTokens', 'totalTokens', 'estimatedCost'] as const;

function problemOfUsage(usage: JsonValue): string | null {
  if (usage === null) return null;
  if (!isObject(usage)) return 'a tokenUsage that is not an object';
  for (const field of USAGE_FIELDS) {
    const figure = usage[field] ?? null;
    if (figure === null) continue;
    if (typeof figure !== 'number' || figure < 0 || figure > MAX_USAGE) {
      return `a tokenUsage.${field} that is not a number from 0 to ${MAX_USAGE}`;
    }
  }
  return null;
}

function usageOf(usage: JsonObject | null): { readonly tokens: number; readonly cost: number } | null {
  if (usage === null) return null;
  const figure = (field: (typeof USAGE_FIELDS)[number]): number | null => {
    const value = usage[field];
    return typeof value === 'number' ? value : null;
  };
  const tokens = figure('totalTokens') ?? (figure('promptTokens') ?? 0) + (figure('completionTokens') ?? 0);
  return { tokens, cost: figure('estimatedCost') ?? 0 };
}

function asObject(value: JsonValue): JsonObject | null {
  return isObject(value) ? value : null;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
