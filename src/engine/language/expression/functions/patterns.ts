import { messageOf } from '../../../../errors/flowgate-error.js';
import { RE2JS } from '@bufbuild/re2';
import {
  LARGE_PATTERN_SIZE,
  LONG_MATCHED_TEXT,
  MAX_PATTERN_LENGTH,
  MAX_PATTERN_SIZE,
  PATTERN_COMPILE_WORK,
  PATTERN_MATCH_WORK,
} from '../limits/bounds.js';
import { chargeWork, isPatternInUse, withBudget } from '../limits/budget.js';
import { BoundFault, EvaluationFault } from '../faults/evaluation-fault.js';
import type { Implementation } from './implementation.js';

/** Compiled patterns kept for the next evaluation. */
const KEPT_PATTERNS = 64;
/** What a pattern learned from longer texts is dropped again: it may be megabytes. */
const REMEMBERED_LENGTH = 1_000;

interface Pattern {
  readonly regex: RE2JS;
  readonly size: number;
}

/** The patterns, least recently used first. */
const kept = new Map<string, Pattern>();

/** Patterns are RE2's: their time grows with text × pattern, whatever the pattern. */
export const PATTERNS: ReadonlyMap<string, Implementation> = new Map<string, Implementation>([
  [
    'matches',
    (args, target) => {
      const [text, pattern] = target === undefined ? args : [target, ...args];
      if (typeof text !== 'string' || typeof pattern !== 'string') return undefined;
      return matches(text, pattern);
    },
  ],
]);

/** Throws when the text is no pattern, or too large a one. */
export function checkPattern(pattern: string): void {
  withBudget(() => compiled(pattern));
}

function matches(text: string, source: string): boolean {
  const { regex, size } = compiled(source);
  chargeWork(text.length * size * matchWork(text, size));
  const found = regex.test(text);
  if (text.length > REMEMBERED_LENGTH) regex.reset();
  return found;
}

function matchWork(text: string, size: number): number {
  if (size > LARGE_PATTERN_SIZE) return PATTERN_MATCH_WORK.largePattern;
  return text.length > LONG_MATCHED_TEXT ? PATTERN_MATCH_WORK.longText : PATTERN_MATCH_WORK.usual;
}

function compiled(source: string): Pattern {
  const known = kept.get(source);
  const size = known?.size ?? checkedSize(source);
  // Charged for one that an earlier evaluation compiled, too: the cost of an evaluation must not depend on earlier ones.
  if (!isPatternInUse(source, KEPT_PATTERNS)) chargeWork(size * PATTERN_COMPILE_WORK);
  kept.delete(source);
  const pattern = known ?? { regex: compile(source), size };
  kept.set(source, pattern);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_PATTERNS) break;
    kept.delete(oldest);
  }
  return pattern;
}

/** Throws when the pattern is too large. */
function checkedSize(source: string): number {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new BoundFault(
      `its regular expression is longer than ${MAX_PATTERN_LENGTH} characters: shorten it`,
    );
  }
  const size = patternSize(source);
  if (size > MAX_PATTERN_SIZE) {
    throw new BoundFault(
      `its regular expression repeats to more than ${MAX_PATTERN_SIZE} instructions: repeat less`,
    );
  }
  return size;
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    const reason = messageOf(error);
    throw new EvaluationFault(`the regular expression cannot be used (the syntax is RE2's): ${reason}`);
  }
}

/** What is repeated: a group's or an atom's size. Escapes, classes and `\p{…}` count as one or a few. */
const TOKEN = /\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[()]|[^]/gu;

/** An upper estimate of the compiled program: the text with its counted repetitions written out. */
export function patternSize(source: string): number {
  const open: number[] = [];
  let size = 1;
  let last = 0;
  for (const [token, least, most] of source.matchAll(TOKEN)) {
    if (token === '(') {
      open.push(size);
      size = 2;
      last = 0;
    } else if (token === ')') {
      last = size;
      size += open.pop() ?? 0;
    } else if (least !== undefined) {
      const times = Math.max(Number(least), Number(most ?? 0), 1) + 1;
      size += last * (times - 1);
      last *= times;
    } else {
      last = '*+?|^$'.includes(token) ? Math.max(last, 1) : 1;
      size += 1;
    }
  }
  return size;
}
