/** RFC 3339, section 5.6. In a query `+` decodes to a space, so a space before an offset is accepted as `+`. */
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d{1,9})?([Zz]|[+ -]\d\d:\d\d)$/;
const DIGITS = /^\d{1,15}$/;

/** Epoch ms of an instant in milliseconds or in RFC 3339; null for anything else. */
export function instantIn(text: string): number | null {
  if (DIGITS.test(text)) return Number(text);
  const [, year, month, day, time, fraction = '', offset = ''] = DATE_TIME.exec(text) ?? [];
  if (year === undefined || !isDay(Number(year), Number(month), Number(day))) return null;
  const zone = offset.toUpperCase().replace(' ', '+');
  const at = Date.parse(`${year}-${month}-${day}T${time}${fraction.slice(0, 4)}${zone}`);
  return Number.isNaN(at) ? null : at;
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
