const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Fields that hold an instant or how long something took. */
const TIMES = new Set([
  'createdAt',
  'updatedAt',
  'timestamp',
  'decidedAt',
  'registeredAt',
  'deadlineAt',
  'duration',
]);

/** An answer without what differs each time: ids, instants and durations. What they stand in, and of what type, stays. */
export function masked(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return value.replace(ID, '<id>').replace(/^[0-9a-f]{64}$/, '<hash>');
  if (typeof value === 'number') return TIMES.has(key) ? '<time>' : value;
  if (Array.isArray(value)) return value.map((entry) => masked(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member, name)]));
}
