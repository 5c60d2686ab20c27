const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const KEY_SECRET = /fgk_[a-z2-7]{16}_[\w-]{43}/i;
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/;

/** Fields whose values are made anew each time, and tell nothing but that they are there. */
const MADE_ANEW = new Set([
  'next',
  'nextCursor',
  'cursor',
  'streamId',
  'sha256',
  'mcp-session-id',
  'date',
  'content-length',
  'etag',
]);
/** How long something took. */
const DURATIONS = new Set(['duration', 'durationMs', 'activeMs', 'uptimeMs']);
const LEAST_INSTANT = 1_500_000_000_000;

/**
 * What one caller was answered, without what differs each time: ids stand as the how manieth that the caller saw, instants and
 * durations as such. Texts that the caller knows by another name, such as ids of what is not theirs, are `known`.
 */
export class MaskedAnswers {
  private readonly seen = new Map<string, string>();
  private readonly known = new Map<string, string>();

  /** From now on the text stands as that. */
  name(text: string, as: string): void {
    if (text !== '') this.known.set(text, as);
  }

  masked(value: unknown, key = ''): unknown {
    // It is written now and then.
    if (key === 'lastUsedAt') return '<now and then>';
    if (value === null || value === undefined || typeof value === 'boolean') return value;
    if (MADE_ANEW.has(key)) return '<made>';
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') {
      if (DURATIONS.has(key)) return '<ms>';
      return value >= LEAST_INSTANT ? '<instant>' : value;
    }
    if (Array.isArray(value)) return value.map((each) => this.masked(each));
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.masked(each, name)]));
  }

  private text(text: string): string {
    const json = asJson(text);
    if (json !== undefined) return JSON.stringify(this.masked(json));
    let rest = text.replaceAll(new RegExp(KEY_SECRET, 'gi'), '<secret>');
    for (const [known, as] of this.known) rest = rest.replaceAll(known, as);
    return rest
      .replaceAll(new RegExp(UUID, 'g'), (id) => this.ordinal(id))
      .replaceAll(new RegExp(INSTANT, 'g'), '<instant>')
      .replaceAll(/\b1[5-9]\d{11}\b/g, '<instant>');
  }

  private ordinal(id: string): string {
    const known = this.seen.get(id) ?? `<id ${this.seen.size + 1}>`;
    this.seen.set(id, known);
    return known;
  }
}

/** What a tool answers is JSON in a text. */
function asJson(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
