import { ConfigError } from '../errors/service-errors.js';

/** The options of event streams. */
export interface SseOptions {
  /** The most open streams, 1 to 100,000; more are refused (503). Default 1,000. */
  readonly maxStreams?: number;
  /** How often a comment line is sent as a keep-alive, in ms, 100 to 600,000. Default 15,000. */
  readonly pingMs?: number;
  /** A client that takes nothing for so long is disconnected, in ms, 100 to one hour. Default 60,000. */
  readonly stalledMs?: number;
}

export const SSE_DEFAULTS = {
  maxStreams: 1_000,
  pingMs: 15_000,
  stalledMs: 60_000,
} as const satisfies Required<SseOptions>;

/** The least and the most of each. */
export const SSE_RANGES = {
  maxStreams: [1, 100_000],
  pingMs: [100, 600_000],
  stalledMs: [100, 3_600_000],
} as const;

/**
 * The options with their defaults. Throws a `ConfigError` that names every fault, because JavaScript hosts can pass
 * anything.
 */
export function checkedSse(given: SseOptions = {}): Readonly<Required<SseOptions>> {
  const names = Object.keys(SSE_DEFAULTS) as (keyof SseOptions)[];
  const options = Object.fromEntries(names.map((name) => [name, given[name] ?? SSE_DEFAULTS[name]]));
  const faults = names.flatMap((name) => {
    const value: unknown = options[name];
    const [least, most] = SSE_RANGES[name];
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return [];
    const shown = String(value).slice(0, 100);
    const message = `sse.${name} is ${shown}: it must be a whole number from ${least} to ${most}.`;
    return [{ variable: `sse.${name}`, message }];
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return options as Required<SseOptions>;
}
