/** A value as messages name it. */
export function described(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' ? `\`${shortened(value)}\`` : String(value);
}

/** Bounds what of an author's text goes into a message, and keeps it on one line. */
export function shortened(text: string): string {
  const oneLine = text.slice(0, 60).replaceAll(/\s+/g, ' ');
  return text.length > 60 ? `${oneLine}…` : oneLine;
}
