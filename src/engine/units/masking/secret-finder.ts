const MASK = '***';

/** What comparing may cost for each character of the texts, and what it may cost at once on top of that. */
const STEPS_PER_CHARACTER = 2;
const STEPS_AT_ONCE = 65_536;

const FILTER_SIZE = 1_024;

/**
 * Replaces texts that must not be seen, each of at least two characters, by `***`.
 *
 * 1. One pass: what it costs grows with the text alone, whatever the secrets are and however the text is built to resemble
 *    them. When comparing has cost too much, what only begins like a secret is hidden as far as it does.
 * 2. Where secrets overlap in a text, all that any of them covers is hidden.
 */
export class SecretFinder {
  /** Which hashes of two characters some secret begins with: most characters cost one look. */
  private readonly filter: Uint8Array;
  /** The secrets by their first two characters, the longest first. */
  private readonly secrets = new Map<string, string[]>();
  /** Kept from text to text, so that many short ones cost no more than a long one. */
  private stepsLeft = STEPS_AT_ONCE;

  constructor(secrets: Iterable<string>) {
    const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
    this.filter = new Uint8Array(longestFirst.length === 0 ? 0 : FILTER_SIZE);
    for (const secret of longestFirst) {
      const start = secret.slice(0, 2);
      const alike = this.secrets.get(start);
      if (alike === undefined) this.secrets.set(start, [secret]);
      else alike.push(secret);
      this.filter[hashAt(secret, 0)] = 1;
    }
  }

  get isEmpty(): boolean {
    return this.secrets.size === 0;
  }

  /** The same text where there is nothing to hide. */
  mask(text: string): string {
    if (this.isEmpty) return text;
    this.stepsLeft = Math.min(this.stepsLeft, STEPS_AT_ONCE) + text.length * STEPS_PER_CHARACTER;
    let masked = '';
    let done = 0;
    /** What is to be hidden now: from `from` to `end`. */
    let from = -1;
    let end = -1;
    for (let index = 0; index + 1 < text.length; index += 1) {
      if (index === end) {
        masked += text.slice(done, from) + MASK;
        [done, from] = [end, -1];
      }
      if (this.filter[hashAt(text, index)] === 0) continue;
      if (index < end && this.stepsLeft < 0) continue;
      const length = this.lengthAt(text, index);
      if (length === 0) continue;
      if (from < 0) from = index;
      end = Math.max(end, index + length);
    }
    if (from < 0) return done === 0 ? text : masked + text.slice(done);
    return masked + text.slice(done, from) + MASK + text.slice(end);
  }

  /** How much of the text from `index` on must be hidden; 0: nothing. */
  private lengthAt(text: string, index: number): number {
    for (const secret of this.secrets.get(text.slice(index, index + 2)) ?? []) {
      let same = 2;
      while (same < secret.length && text.charCodeAt(index + same) === secret.charCodeAt(same)) same += 1;
      this.stepsLeft -= same;
      if (same === secret.length || this.stepsLeft < 0) return same;
    }
    return 0;
  }
}

function hashAt(text: string, index: number): number {
  return (text.charCodeAt(index) * 31 + text.charCodeAt(index + 1)) % FILTER_SIZE;
}
