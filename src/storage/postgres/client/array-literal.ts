type Item = string | number | boolean | null;

/** What needs no quotes: ids, hashes, statuses, and most names. NULL would be none. */
const PLAIN = /^(?!null$)[\w.:-]+$/i;
const TO_ESCAPE = /["\\]/g;

/**
 * An array as PostgreSQL reads it: `{1,NULL,"a b"}`. `pg` makes the same, with each item in quotes and looked through twice: for
 * groups of appends that took more of the process's time than anything else about them.
 */
export function arrayLiteral(items: readonly Item[]): string {
  let text = '{';
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) text += ',';
    text += itemLiteral(items[index] ?? null);
  }
  return `${text}}`;
}

function itemLiteral(item: Item): string {
  if (item === null) return 'NULL';
  if (typeof item !== 'string') return String(item);
  return PLAIN.test(item) ? item : `"${item.replace(TO_ESCAPE, String.raw`\$&`)}"`;
}
