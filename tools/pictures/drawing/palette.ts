import { readFileSync } from 'node:fs';

/** The console's own tokens: pictures have its colours and typefaces, so that a page and the screen that it shows agree. */
const TOKENS = readFileSync('console/src/ui/styles/tokens.css', 'utf8');

const COLOURS = [
  'ground',
  'surface',
  'sunken',
  'selected',
  'hairline',
  'control',
  'text',
  'muted',
  'accent',
  'running',
  'gate',
  'paused',
  'retrying',
  'completed',
  'failed',
] as const;
export type Colour = (typeof COLOURS)[number];

/** A colour in the light scheme and in the dark one. */
export type Shades = readonly [light: string, dark: string];

export const PALETTE = Object.fromEntries(COLOURS.map((name) => [name, shadesOf(name)])) as Readonly<
  Record<Colour, Shades>
>;

export const SANS = fontOf('sans');
export const MONO = fontOf('mono');

function shadesOf(name: string): Shades {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(TOKENS) ?? [];
  if (light === undefined || dark === undefined)
    throw new Error(
      `tokens.css has no --${name} with a light and a dark colour: give it one, or change COLOURS.`,
    );
  return [light, dark];
}

function fontOf(name: string): string {
  const font = new RegExp(`--${name}: ([^;]+);`).exec(TOKENS)?.[1];
  if (font === undefined) throw new Error(`tokens.css has no --${name}: name the typefaces there.`);
  return font;
}
