const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something takes, in its two largest units: `2 d 3 h`, `1 min 4 s`, `1.4 s`, `12 ms`. */
export function durationText(ms: number): string {
  if (ms < SECOND) return `${Math.round(Math.max(0, ms))} ms`;
  if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return two(ms, MINUTE, 'min', SECOND, 's');
  if (ms < DAY) return two(ms, HOUR, 'h', MINUTE, 'min');
  return two(ms, DAY, 'd', HOUR, 'h');
}

/** How far an instant is from now: `just now`, `4 min ago` in its largest unit, `in 1 d 12 h`. */
export function distanceText(at: number, now: number): string {
  const ms = Math.abs(now - at);
  if (ms < 5 * SECOND) return 'just now';
  if (at > now) return `in ${ms < MINUTE ? `${Math.round(ms / SECOND)} s` : durationText(rounded(ms))}`;
  const [size, unit] =
    ms < MINUTE ? [SECOND, 's'] : ms < HOUR ? [MINUTE, 'min'] : ms < DAY ? [HOUR, 'h'] : [DAY, 'd'];
  return `${Math.floor(ms / (size as number))} ${unit} ago`;
}

/** So that what was to take two days and began a moment ago is over in two days, not in one. */
function rounded(ms: number): number {
  const precision = ms < DAY ? MINUTE : HOUR;
  return Math.round(ms / precision) * precision;
}

function two(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  const most = `${Math.floor(ms / large)} ${largeUnit}`;
  return rest === 0 ? most : `${most} ${rest} ${smallUnit}`;
}
