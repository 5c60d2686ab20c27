const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const HASH = /^[0-9a-f]{64}$/;

/** Fields that hold an instant, or how long something took. */
const TIMES = new Set([
  'at',
  'createdAt',
  'deadlineAt',
  'decidedAt',
  'duration',
  'endedAt',
  'openedAt',
  'registeredAt',
  'timestamp',
  'updatedAt',
]);

/** An answer without what differs each time: ids, instants and durations. Their positions and types stay. */
export function masked(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return maskedText(value, key);
  if (typeof value === 'number') return TIMES.has(key) ? '<time>' : value;
  if (Array.isArray(value)) return value.map((entry) => masked(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member, name)]));
}

function maskedText(text: string, key: string): string {
  if (key === 'version') return '<version>';
  if (key === 'text' && text.startsWith('{')) return JSON.stringify(masked(JSON.parse(text)));
  return text.replace(ID, '<id>').replace(HASH, '<hash>');
}

/** Which of the ids in `meant` stands for which in `shown`, where both have the same shape. */
export function idsBehind(shown: unknown, meant: unknown): readonly (readonly [string, string])[] {
  const found = JSON.stringify(meant).match(ID) ?? [];
  return (JSON.stringify(shown).match(ID) ?? []).map((id, index) => [id, found[index] ?? id] as const);
}

/** What a page shows of an answer, as a matcher: `…` stands for anything, within a text, alone, or as a field for others. */
export function shownAs(value: unknown): unknown {
  if (typeof value === 'string') {
    if (!value.includes('…')) return value;
    if (value === '…') return expect.anything() as unknown;
    const parts = value.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return expect.stringMatching(new RegExp(`^${parts.join('[^]*')}$`)) as unknown;
  }
  if (Array.isArray(value)) return value.map(shownAs);
  if (typeof value !== 'object' || value === null) return value;
  const { '…': others, ...members } = value as Readonly<Record<string, unknown>>;
  const shown = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, shownAs(member)]));
  return others === undefined ? shown : (expect.objectContaining(shown) as unknown);
}
