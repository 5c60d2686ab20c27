import { widthOf } from '../terminal/display-width.js';

/** The most characters of a line that are shown; of a long line, those around the fault. */
const WIDTH = 100;
const BEFORE = 60;
/** The line of a fault, and a caret under it. `column` counts UTF-16 units from 1. */
export function excerptAt(text: string, line: number, column: number): readonly string[] {
  const whole = text.split(/\r\n|[\n\r]/, line).at(line - 1) ?? '';
  if (whole.trim() === '') return [];
  const at = Math.min(column - 1, whole.length);
  const from = at > WIDTH - BEFORE / 2 ? at - BEFORE : 0;
  const before = shown(whole.slice(from, at).toWellFormed());
  const after = shown(whole.slice(at, from + WIDTH).toWellFormed());
  const number = String(line).padStart(5);
  const margin = ' '.repeat(number.length);
  const ellipsis = from > 0 ? '…' : '';
  return [
    `${number} | ${ellipsis}${before}${after}${whole.length > from + WIDTH ? '…' : ''}`,
    `${margin} | ${' '.repeat(ellipsis.length + widthOf(before))}^`,
  ];
}

/** One column per character, without control characters. */
function shown(part: string): string {
  return part.replaceAll('\t', ' ').replaceAll(/\p{Cc}/gu, '\uFFFD');
}
