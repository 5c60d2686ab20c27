import { styleText } from 'node:util';
import { isForPeople } from './for-people.js';

type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (format: Format, text: string) => string;

/** Colours for one stream: none if nobody sits at it, if the terminal has none, or with NO_COLOR. */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  return hasColours(stream)
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_format, text) => text;
}

function hasColours(stream: NodeJS.WriteStream): boolean {
  // https://no-color.org: any value counts, except the empty one.
  const forbidden = process.env['NO_COLOR'] ?? '';
  return isForPeople(stream) && forbidden === '' && stream.hasColors();
}
