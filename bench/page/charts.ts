import type { Contest, Result, Series } from '../support/results.ts';
import { show } from './numbers.ts';

const WIDTH = 760;
const FONT = 'font-family="system-ui, sans-serif"';
const COLOURS = ['#2563eb', '#d97706', '#059669', '#dc2626', '#7c3aed', '#475569'];
const MARGIN = 24;
const TITLE = 40;

interface Panel {
  readonly height: number;
  /** Drawn from its own top left corner. */
  readonly svg: string;
}

/** All that a part found, one picture: bars for contests, lines for what grows. */
export function chartOf(result: Result): string {
  const panels = [
    ...result.contests.map(barsOf),
    ...result.series.filter(({ lines }) => lines.some(({ points }) => points.length > 1)).map(linesOf),
  ];
  let top = 0;
  const drawn = panels.map(({ height, svg }) => {
    const placed = `<g transform="translate(0 ${top})">\n${svg}\n</g>`;
    top += height;
    return placed;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" ${FONT} font-size="13">`,
    `<rect width="${WIDTH}" height="${top}" rx="8" fill="#ffffff"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

const NAME_WIDTH = 250;
const BAR_WIDTH = 290;
const BAR = 26;

/** Operations per second; the whisker goes from the slowest round to the fastest. */
function barsOf({ title, operation, contenders }: Contest): Panel {
  const most = Math.max(...contenders.map(({ perSecond }) => perSecond.spread[1]), 1);
  const x = (value: number): number => round(NAME_WIDTH + (value / most) * BAR_WIDTH);
  const bars = contenders.map(({ name, perSecond, cpuMicros }, row) => {
    const y = TITLE + row * BAR;
    const [least, fastest] = perSecond.spread;
    const cpu = cpuMicros === null ? '' : `, ${show(cpuMicros.median)} µs CPU`;
    return [
      text(NAME_WIDTH - 8, y + 14, name, 'text-anchor="end"'),
      `<rect x="${NAME_WIDTH}" y="${y}" width="${round(x(perSecond.median) - NAME_WIDTH)}" height="18" fill="${colour(name.startsWith('Flowgate') || name.endsWith('of Flowgate') ? 0 : 5)}"/>`,
      `<path d="M${x(least)} ${y + 9}H${x(fastest)}" stroke="#111827" stroke-width="1.5"/>`,
      text(x(fastest) + 8, y + 14, `${show(perSecond.median)}/s${cpu}`),
    ].join('\n');
  });
  return {
    height: TITLE + contenders.length * BAR + 16,
    svg: [heading(`${title}: ${operation}s per second`), ...bars].join('\n'),
  };
}

const PLOT = { left: 80, top: 52, width: 440, height: 190 };

function linesOf({ title, sizeName, unit, axes, lines }: Series): Panel {
  const drawable = lines.map((line) => ({
    ...line,
    points: line.points.filter(({ size, value }) => size > 0 && value.median > 0),
  }));
  const all = drawable.flatMap(({ points }) => points);
  const scale = axes === 'even' ? evenly : byPowers;
  const xs = scale(
    all.map(({ size }) => size),
    PLOT.left,
    PLOT.left + PLOT.width,
  );
  const ys = scale(
    all.map(({ value }) => value.median),
    PLOT.top + PLOT.height,
    PLOT.top,
  );
  const bottom = PLOT.top + PLOT.height;
  const grid = [
    ...xs.ticks.map(
      (tick) => `${rule(xs.at(tick), PLOT.top, xs.at(tick), bottom)}
${text(xs.at(tick), bottom + 18, show(tick), 'text-anchor="middle" fill="#6b7280"')}`,
    ),
    ...ys.ticks.map(
      (tick) => `${rule(PLOT.left, ys.at(tick), PLOT.left + PLOT.width, ys.at(tick))}
${text(PLOT.left - 8, ys.at(tick) + 4, show(tick), 'text-anchor="end" fill="#6b7280"')}`,
    ),
  ];
  const curves = drawable.map(({ name, points }, index) => {
    const places = points.map(({ size, value }) => `${xs.at(size)} ${ys.at(value.median)}`);
    const dots = points.map(
      ({ size, value }) =>
        `<circle cx="${xs.at(size)}" cy="${ys.at(value.median)}" r="3" fill="${colour(index)}"/>`,
    );
    const legend = PLOT.top + 10 + index * 20;
    return [
      `<path d="M${places.join('L')}" fill="none" stroke="${colour(index)}" stroke-width="2"/>`,
      ...dots,
      `<rect x="${PLOT.left + PLOT.width + 20}" y="${legend - 9}" width="10" height="10" fill="${colour(index)}"/>`,
      text(PLOT.left + PLOT.width + 36, legend, name),
    ].join('\n');
  });
  return {
    height: bottom + 48,
    svg: [
      heading(`${title}: ${unit}`),
      ...grid,
      text(PLOT.left + PLOT.width / 2, bottom + 36, sizeName, 'text-anchor="middle" fill="#6b7280"'),
      ...curves,
    ].join('\n'),
  };
}

interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

/** From 0 to a round number above the largest value. */
function evenly(values: readonly number[], from: number, to: number): Scale {
  const most = Math.max(...values);
  const power = 10 ** Math.floor(Math.log10(most));
  const step = most / power > 5 ? 2 * power : most / power > 2 ? power : power / 2;
  const steps = Math.ceil(most / step);
  return {
    ticks: Array.from({ length: steps + 1 }, (_, index) => index * step),
    at: (value) => round(from + (value / (steps * step)) * (to - from)),
  };
}

/** From the power of ten below the smallest value to the one above the largest. */
function byPowers(values: readonly number[], from: number, to: number): Scale {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    ticks: Array.from({ length: last - first + 1 }, (_, step) => Number(`1e${first + step}`)),
    at: (value) => round(from + ((Math.log10(value) - first) / (last - first)) * (to - from)),
  };
}

function heading(title: string): string {
  return text(MARGIN, 26, title.replaceAll('`', ''), 'font-weight="600"');
}

function rule(x1: number, y1: number, x2: number, y2: number): string {
  return `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#e5e7eb"/>`;
}

function text(x: number, y: number, content: string, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<text x="${round(x)}" y="${round(y)}"${attributes === '' ? '' : ` ${attributes}`}>${escaped}</text>`;
}

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] ?? '#111827';
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
