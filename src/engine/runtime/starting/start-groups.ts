/** How much is handed to the store at once: others that start a run wait behind no more than that. */
const MOST_STARTS = 64;
const MOST_CHARS = 1024 * 1024;
/** Quotes and punctuation of one value. */
const CHARS_AROUND = 4;

/**
 * The starts in their order, in groups of at most 64 that hold about 1 MiB of input together; one whose input alone is
 * larger is a group by itself. Each group is made when it is asked for.
 */
export function* startGroups<Start extends { readonly input?: unknown }>(
  starts: readonly Start[],
): Generator<readonly Start[], void, undefined> {
  let group: Start[] = [];
  let groupChars = 0;
  for (const start of starts) {
    const chars = charsOf(start.input);
    if (group.length === MOST_STARTS || (group.length > 0 && groupChars + chars > MOST_CHARS)) {
      yield group;
      [group, groupChars] = [[], 0];
    }
    group.push(start);
    groupChars += chars;
  }
  if (group.length > 0) yield group;
}

/**
 * About how many characters a value takes as JSON, or more than fit in a group. It is not known to be JSON yet: it may
 * refer to itself, or throw where it is read, and its start then refuses it.
 */
function charsOf(input: unknown): number {
  let chars = 0;
  const open: unknown[] = [input];
  try {
    while (open.length > 0 && chars <= MOST_CHARS) {
      const value = open.pop();
      chars += CHARS_AROUND;
      if (typeof value === 'string') chars += value.length;
      if (typeof value !== 'object' || value === null) continue;
      for (const [key, inner] of Object.entries(value)) {
        chars += key.length;
        open.push(inner);
      }
    }
  } catch {
    return chars;
  }
  return chars;
}
