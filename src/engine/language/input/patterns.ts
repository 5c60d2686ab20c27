import { RE2JS } from '@bufbuild/re2';
import { messageOf } from '../../../errors/flowgate-error.js';
import { MAX_PATTERN_LENGTH, MAX_PATTERN_SIZE } from '../expression/limits/bounds.js';
import { patternSize } from '../expression/functions/patterns.js';

/** Instructions of all patterns of one schema. */
const MAX_PATTERNS_SIZE = 20_000;

/** The schema has a pattern that cannot be used. */
export class PatternFault extends Error {
  constructor(
    readonly pattern: string,
    reason: string,
  ) {
    super(`the pattern ${JSON.stringify(pattern.slice(0, 100))} cannot be used: ${reason}`);
  }
}

/** Matching the patterns exceeds its limit. */
export class WorkFault extends Error {}

/** The patterns of one schema: RE2's, whose time grows with text × pattern, and never worse. */
export class Patterns {
  /** Characters times instructions that the check under way may still match. */
  workLeft = 0;
  private size = 0;

  /** Compiles a pattern for the validator's generated code. */
  of(source: string): { test: (text: string) => boolean; toString: () => string } {
    const size = patternSize(source);
    this.size += size;
    if (source.length > MAX_PATTERN_LENGTH || size > MAX_PATTERN_SIZE) {
      throw new PatternFault(source, 'it is too long, or repeats too much: shorten it');
    }
    if (this.size > MAX_PATTERNS_SIZE) {
      throw new PatternFault(source, 'together with the patterns before it, it is too long: shorten them');
    }
    const regex = compilePattern(source);
    const test = (text: string): boolean => {
      this.workLeft -= text.length * size;
      if (this.workLeft < 0) throw new WorkFault();
      return regex.test(text);
    };
    return { test, toString: () => source };
  }
}

/** JSON Schema writes code points as `\u0041` or `\u{41}`, RE2 as `\x{41}`. */
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|[^])/g;

function compilePattern(source: string): RE2JS {
  const translated = source.replaceAll(ESCAPE, (escape, four?: string, braced?: string) => {
    const digits = four ?? braced;
    return digits === undefined ? escape : `\\x{${digits}}`;
  });
  try {
    return RE2JS.compile(translated);
  } catch (error) {
    const reason = messageOf(error);
    throw new PatternFault(
      source,
      `${reason.slice(0, 200)}; the syntax is RE2's, without lookaround and back-references`,
    );
  }
}
