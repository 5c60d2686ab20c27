/** A stretch of time, drawn from `x` on, from 0 to 1. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly width: number;
  /** Nothing moved in it: it takes less room than it lasted. */
  readonly isFolded: boolean;
}

export interface TimeAxis {
  readonly stretches: readonly Stretch[];
  /** From 0 to 1. */
  readonly xOf: (at: number) => number;
}

/** Times at which something moved. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Idle time is folded where it is longer than all that moved, times this. Runs wait for weeks. */
const IDLE_SHARE = 0.25;
/** What a folded stretch takes, of the whole. */
const FOLD_WIDTH = 0.04;
const LEAST_IDLE_MS = 2_000;
/** More folds than that would leave no room for what moved. */
const MOST_FOLDS = 10;

/**
 * A time axis from `from` to `to`, on which long times in which nothing moved are folded. `moving`: when something did.
 */
export function timeAxis(moving: readonly Span[], from: number, to: number): TimeAxis {
  const end = Math.max(to, from + 1);
  const busy = merged(moving, from, end);
  const busyMs = Math.max(
    1,
    busy.reduce((sum, span) => sum + span.to - span.from, 0),
  );
  const idle = gapsBetween(busy, from, end)
    .filter((gap) => gap.to - gap.from >= Math.max(LEAST_IDLE_MS, busyMs * IDLE_SHARE))
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MOST_FOLDS)
    .sort((a, b) => a.from - b.from);
  const open = gapsBetween(idle, from, end);
  const openMs = Math.max(
    1,
    open.reduce((sum, span) => sum + span.to - span.from, 0),
  );
  const room = 1 - idle.length * FOLD_WIDTH;
  const parts = [
    ...open.map((span) => ({ ...span, width: (room * (span.to - span.from)) / openMs, isFolded: false })),
    ...idle.map((span) => ({ ...span, width: FOLD_WIDTH, isFolded: true })),
  ].sort((a, b) => a.from - b.from);
  let x = 0;
  const stretches = parts.map((part): Stretch => {
    const stretch = { ...part, x };
    x += part.width;
    return stretch;
  });
  return { stretches, xOf: (at) => positionIn(stretches, at) };
}

function positionIn(stretches: readonly Stretch[], at: number): number {
  const stretch = stretches.find(({ to }) => at <= to) ?? stretches.at(-1);
  if (stretch === undefined) return 0;
  const length = Math.max(1, stretch.to - stretch.from);
  const share = Math.min(1, Math.max(0, (at - stretch.from) / length));
  return stretch.x + share * stretch.width;
}

function merged(spans: readonly Span[], from: number, to: number): readonly Span[] {
  const inOrder = spans
    .map((span) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }))
    .filter((span) => span.to >= span.from)
    .sort((a, b) => a.from - b.from);
  const result: { from: number; to: number }[] = [];
  for (const span of inOrder) {
    const last = result.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

function gapsBetween(spans: readonly Span[], from: number, to: number): readonly Span[] {
  const gaps: Span[] = [];
  let at = from;
  for (const span of spans) {
    if (span.from > at) gaps.push({ from: at, to: span.from });
    at = Math.max(at, span.to);
  }
  if (at < to) gaps.push({ from: at, to });
  return gaps;
}
