/** What holds where an option is left out. */
export const DEFAULTS = {
  timeoutMs: 60_000,
  apiGroups: ['flowgate'],
  maxResponseBytes: 128 * 1024 * 1024,
} as const;
