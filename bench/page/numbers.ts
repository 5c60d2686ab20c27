import type { Figure } from '../support/statistics.ts';

/** To three digits, with commas between thousands; `-` for what is not known. */
export function show(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '-';
  const digits = Number(value.toPrecision(3));
  return Math.abs(digits) >= 1_000 ? Math.round(digits).toLocaleString('en') : String(digits);
}

/** The median, and in brackets the smallest and the largest round. */
export function showFigure(figure: Figure | null | undefined): string {
  if (figure === null || figure === undefined) return '-';
  const [least, most] = figure.spread;
  return figure.rounds.length < 2
    ? show(figure.median)
    : `${show(figure.median)} (${show(least)} to ${show(most)})`;
}

/** Written after a number: `0.7×`, `25 µs`. */
export function withUnit(value: number | null, unit: string): string {
  if (value === null) return '-';
  return unit === '×' || unit === '%' ? `${show(value)}${unit}` : `${show(value)} ${unit}`;
}
