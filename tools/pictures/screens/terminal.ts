import type { Tone } from '../../../src/cli/terminal/tone.ts';
import type { Colour } from '../drawing/palette.ts';
import { area, FONTS, textAt, type Picture } from '../drawing/svg.ts';
import { widthOf } from '../drawing/text-width.ts';

export interface ScreenLine {
  readonly tone: Tone;
  readonly text: string;
}

export interface Screen extends Pick<Picture, 'name' | 'title' | 'description'> {
  /** What was typed. */
  readonly command: string;
  readonly lines: readonly ScreenLine[];
}

const WIDTH = 736;
const MARGIN = 24;
const BAR = 36;
const LINE_HEIGHT = 22;
/** What a terminal with the usual colours makes of a tone. */
const COLOURS: Readonly<Record<Tone, Colour>> = {
  plain: 'text',
  good: 'completed',
  bad: 'failed',
  careful: 'paused',
  faint: 'muted',
};

/** A terminal, with a command and what it shows. */
export function terminal({ command, lines, ...words }: Screen): Picture {
  const all = [{ tone: 'plain', text: `$ ${command}` } as const, ...lines];
  const tooWide = all.find(({ text }) => widthOf(text, FONTS.screen) > WIDTH - 2 * MARGIN);
  if (tooWide !== undefined)
    throw new Error(`This line is wider than the screen: shorten "${tooWide.text}".`);
  const height = BAR + MARGIN + all.length * LINE_HEIGHT + 12;
  const body = [
    area({ x: 1, y: 1, width: WIDTH - 2, height: BAR }, { fill: 'sunken', radius: 7 }),
    `<path d="M1 ${BAR + 0.5}H${WIDTH - 1}" class="line-hairline"/>`,
    ...[0, 1, 2].map(
      (dot) =>
        `<circle cx="${MARGIN + dot * 18}" cy="${BAR / 2 + 1}" r="5" class="fill-hairline line-control"/>`,
    ),
    ...all.map(({ tone, text }, index) =>
      textAt({ x: MARGIN, y: BAR + MARGIN + 8 + index * LINE_HEIGHT }, text, {
        font: 'screen',
        colour: COLOURS[tone],
      }),
    ),
  ];
  return { ...words, width: WIDTH, height, body };
}
