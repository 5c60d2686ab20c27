/**
 * How often something is tried: a tenth of what it was proved with, or, with `FLOWGATE_POSTGRES_SHARE=1`, all of that. Processes are
 * killed as often as `FLOWGATE_CRASH_KILLS` says, as in the tests of crashes.
 */
const SHARE = Number(process.env['FLOWGATE_POSTGRES_SHARE'] ?? 0.1);

export const KILLS = Number(process.env['FLOWGATE_CRASH_KILLS'] ?? 20);

/** `full`: with how many it was proved. At least one. */
export function counted(full: number): number {
  return Math.max(1, Math.round(full * SHARE));
}
