/** What was looked at, and what came of it. */
export interface Check {
  /** Stable, for programs: what was looked at. */
  readonly check: CheckName;
  /** `note`: nothing is wrong, and somebody may want to know. `finding`: something is to be done. */
  readonly status: 'ok' | 'note' | 'finding';
  readonly message: string;
  /** What to do; null where nothing is. */
  readonly advice: string | null;
}

export const CHECK_NAMES = [
  'node',
  'folder',
  'settings',
  'registry',
  'port',
  'data',
  'disk',
  'server',
  'clock',
  'units',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export function ok(check: CheckName, message: string): Check {
  return { check, status: 'ok', message, advice: null };
}

export function note(check: CheckName, message: string, advice: string | null = null): Check {
  return { check, status: 'note', message, advice };
}

export function finding(check: CheckName, message: string, advice: string): Check {
  return { check, status: 'finding', message, advice };
}
