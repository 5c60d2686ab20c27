import { beginningOf } from '../core/turn/failing/beginning-of.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import { problemOfPatch } from '../core/plan/patch-keys.js';
import type { UnitOutcome } from '../ports/unit-executor.js';
import { copyJson, type JsonCopy } from '../json/copy-json.js';

/** How much of a unit's own text an error repeats, in UTF-16 code units. */
const EXCERPT_LENGTH = 500;

/** No more of a text is looked at: a unit must not be able to occupy the process with its error. */
const EXCERPT_WINDOW = 131_072;

/** Longer than any form of a secret (a header's value has at most 8192 characters; encoded, six times that). */
const SECRET_MARGIN = 65_536;

/** A run's total stays exact and finite, whatever its units report. */
const MAX_USAGE = 1e12;

/** Makes the text of an error from a unit's own text: bounded, on one line, without secrets. */
export type Quote = (text: string) => string;

/**
 * Returns at most 500 characters on one line: runs of white space become one space, control characters are removed.
 * `mask` hides secrets; it is applied before the text is cleaned and truncated, and again after the cleaning, so that
 * neither truncation leaves half a secret nor cleaning puts one together.
 */
export function excerpt(text: string, mask: Quote = (unmasked) => unmasked): string {
  const masked = mask(text.slice(0, EXCERPT_WINDOW));
  // Half a secret, which no mask can recognise, may stand at the end of the window.
  const complete = text.length > EXCERPT_WINDOW ? masked.slice(0, -SECRET_MARGIN) : masked;
  const cleaned = complete
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return beginningOf(mask(cleaned), EXCERPT_LENGTH);
}

/**
 * The one interpretation of a unit's result, wherever the unit ran: an object with its own `content` is an envelope
 * (`content`, `state`, `metadata`, `tokenUsage`, `stopReason`; null counts as absent; other fields are not kept), any other
 * value is the output. Everything in the outcome is a frozen copy. Never throws.
 *
 * A result that cannot be used is a failure that is not retried: dropping the faulty part would lose data. Its `outcome` is
 * `unknown`, because the unit did its work; with `stopReason: "error"` the unit itself says that it did not, so that one is
 * `refused`.
 *
 * `take` makes the frozen copy; a value that nothing else references need not be copied.
 */
export function interpretResult<T>(
  value: T,
  quote: Quote = excerpt,
  take: (value: T) => JsonCopy = copyJson,
): UnitOutcome {
  const copied = take(value);
  if (!copied.ok) return unusable(quote(`answer ${copied.problem}`));
  const result = copied.value;
  if (!isObject(result) || !(Object.hasOwn(result, 'content') || hasUndefinedContent(value))) {
    return { kind: 'finished', output: result, patch: null, usage: null, metadata: null };
  }
  const output = result['content'] ?? null;
  if (result['stopReason'] === 'error') return stopped(output, quote);

  const { state = null, metadata = null, tokenUsage = null } = result;
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

/** A failure; without `retryAfterMs` in the verdict there is no `Retry-After`. */
export function failedOutcome(
  error: string,
  verdict: {
    readonly retryable: boolean;
    readonly outcome: 'refused' | 'unknown';
    readonly retryAfterMs?: number | null;
    readonly timedOutMs?: number;
    readonly status?: number;
  },
): UnitOutcome {
  return { kind: 'failed', error, retryAfterMs: null, ...verdict };
}

function stopped(content: JsonValue, quote: Quote): UnitOutcome {
  const said = typeof content === 'string' ? content : JSON.stringify(content);
  const reason = content === null || said === '' ? '' : `: ${said}`;
  const error = quote(`unit answered with stopReason "error"${reason}`);
  return failedOutcome(error, { retryable: false, outcome: 'refused' });
}

function unusable(error: string): UnitOutcome {
  return failedOutcome(error, { retryable: false, outcome: 'unknown' });
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
