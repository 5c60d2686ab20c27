/** The tokens that a drawing uses. What lies below others is a ground: a browser that forces colours forces these apart. */
const GROUNDS = ['sunken', 'surface', 'selected'] as const;
const LINES = [
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

export type TokenColours = Readonly<Record<(typeof GROUNDS)[number] | (typeof LINES)[number], string>>;

const DARK = window.matchMedia('(prefers-color-scheme: dark)');
const FORCED = window.matchMedia('(forced-colors: active)');
let known: { readonly scheme: string; readonly colours: TokenColours } | null = null;

/** The tokens as the page resolves them now: a canvas knows no `light-dark()`. Asked for at each frame, so it is kept. */
export function tokenColours(element: HTMLElement): TokenColours {
  const scheme = `${DARK.matches} ${FORCED.matches}`;
  if (known?.scheme === scheme) return known.colours;
  const { style } = element;
  const read = (property: 'color' | 'backgroundColor', token: string): readonly [string, string] => {
    style[property] = `var(--${token})`;
    const colour = getComputedStyle(element)[property];
    style[property] = '';
    return [token, colour];
  };
  const colours = Object.fromEntries([
    ...GROUNDS.map((token) => read('backgroundColor', token)),
    ...LINES.map((token) => read('color', token)),
  ]) as TokenColours;
  known = { scheme, colours };
  return colours;
}

/** Calls whenever the colours may have become others. Returns what ends that. */
export function onOtherColours(changed: () => void): () => void {
  for (const media of [DARK, FORCED]) media.addEventListener('change', changed);
  return () => {
    for (const media of [DARK, FORCED]) media.removeEventListener('change', changed);
  };
}
