import { widthOf } from '../terminal/display-width.js';

/** Characters of the line that are shown; a fault far to the right has what stands around it shown. */
const WIDTH = 100;
const BEFORE = 60;
/** The line that a fault stands in, and a caret under it. `column` counts UTF-16 units from 1. */
export function excerptAt(text: string, line: number, column: number): readonly string[] {
  const whole = text.split(/\r\n|[\n\r]/, line).at(line - 1) ?? '';
  if (whole.trim() === '') return [];
  const at = Math.min(column - 1, whole.length);
  const from = at > WIDTH - BEFORE / 2 ? at - BEFORE : 0;
  const before = shown(whole.slice(from, at).toWellFormed());
  const after = shown(whole.slice(at, from + WIDTH).toWellFormed());
  const number = String(line).padStart(5);
  const margin = ' '.repeat(number.length);
  const cut = from > 0 ? '…' : '';
  return [
    `${number} | ${cut}${before}${after}${whole.length > from + WIDTH ? '…' : ''}`,
    `${margin} | ${' '.repeat(cut.length + widthOf(before))}^`,
  ];
}

/** One column per character, and none that does something to a terminal. */
function shown(part: string): string {
  return part.replaceAll('\t', ' ').replaceAll(/\p{Cc}/gu, '\uFFFD');
}
