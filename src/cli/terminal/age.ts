const SECOND = 1_000;
/** From the longest to the shortest. */
const UNITS = [
  ['w', 604_800 * SECOND],
  ['d', 86_400 * SECOND],
  ['h', 3_600 * SECOND],
  ['m', 60 * SECOND],
  ['s', SECOND],
] as const;
const LENGTHS = new Map<string, number>(UNITS);
/** A week and more is easier to grasp in days. */
const SHOWN = UNITS.filter(([unit]) => unit !== 'w');
const AGO = /^(\d{1,9})([smhdw])$/;

/** How long ago something was, in its largest unit: `42s`, `3h`, `12d`. */
export function ageText(ms: number): string {
  const past = Math.max(0, ms);
  const [unit, length] = SHOWN.find(([, each]) => past >= each) ?? (['s', SECOND] as const);
  return `${Math.floor(past / length)}${unit}`;
}

/** The length in ms that `1h` or `2d` stands for; null: the text is none. */
export function lengthIn(text: string): number | null {
  const [, count, unit = ''] = AGO.exec(text.trim()) ?? [];
  const each = LENGTHS.get(unit);
  return each === undefined ? null : Number(count) * each;
}
