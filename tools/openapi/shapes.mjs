// The lists of fields in docs/http/, made of the OpenAPI document: `npm run openapi` renews them, and a test finds stale ones.
//
// A page says where one stands, and of what (by default of the route in the heading above); what is between the two comments
// is written here:
//
//   <!-- shape: query -->
//   <!-- shape: answer; not into items.compensation -->
//   <!-- shape: record of RunRecord -->
//   <!-- shape: full of FullRunRecord; beyond RunRecord -->          without what stands with the other one already
//   <!-- shape: answer; beyond snapshots of GET /runs/:id/snapshots --> or with the entries of its list
//   <!-- end -->

import { rowsOf } from './shape-rows.mjs';

const PART = /^## (.+)$|^(<!-- shape: ([a-z]+)(?: of ([^;]+?))?((?:; [^;]+?)*) -->\n)[^]*?^(<!-- end -->)$/gm;
const TITLES = { full: 'With `view=full`' };
/** A shorter one is said again. */
const LONG = 60;
/** What most lists have, as the page about requests says it once. */
const OF_LISTS = new Map([
  ['limit', 'number, 1 to 200, default `50`. How many at most.'],
  ['cursor', 'string. `next` of the page before, of the same filter.'],
  ['next', 'string or null. `cursor` of the next page; null at the end.'],
]);

/** The page with every shape as the document has it. */
export function withShapes(page, document) {
  let heading = '';
  /** What the page has said already. */
  const said = new Set();
  return page.replace(PART, (all, title, begin, kind, named, options, end) => {
    if (title !== undefined) {
      heading = title;
      return all;
    }
    const subject = named ?? heading;
    const beyond = optionOf(options, 'beyond');
    const rows = withoutRows(
      rowsOf(document, { kind, subject, notInto: optionOf(options, 'not into')?.split(', ') ?? [] }),
      rowsBeyond(document, beyond),
    );
    if (rows.length === 0)
      throw new Error(`openapi.json has no ${kind} of ${subject}: mend the comment of the page`);
    const lines = together(rows.map(asOfLists)).map((row) => lineOf(row, said));
    const label =
      TITLES[kind] ?? (beyond === undefined ? `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` : 'Also');
    return `${begin}\n${label}:\n\n${lines.join('\n')}\n\n${end}`;
  });
}

function optionOf(options, name) {
  return options
    .split('; ')
    .find((option) => option.startsWith(`${name} `))
    ?.slice(name.length + 1);
}

/** The fields that another shape has: those of a schema, or of the entries of a list. */
function rowsBeyond(document, beyond) {
  if (beyond === undefined) return [];
  const [, list, subject = beyond] = /^(\w+) of (.+)$/.exec(beyond) ?? [];
  const rows = rowsOf(document, { kind: 'answer', subject, notInto: [] });
  const isWanted = ({ path }) => list === undefined || path[0] === list;
  const skipped = list === undefined ? 0 : 1;
  return rows
    .filter((row) => isWanted(row) && row.path.length > skipped)
    .map((row) => ({ ...row, path: row.path.slice(skipped) }));
}

/** What holds a field that stays, stays as well. */
function withoutRows(rows, known) {
  const keyOf = ({ path, shown, type, meaning }) => JSON.stringify([path, shown, type, meaning]);
  const keys = new Set(known.map(keyOf));
  const kept = rows.filter((row) => !keys.has(keyOf(row)));
  const isHolder = (row) =>
    kept.some(
      ({ path }) => path.length > row.path.length && row.path.every((name, index) => name === path[index]),
    );
  return rows.filter((row) => kept.includes(row) || isHolder(row));
}

function asOfLists(row) {
  const isUsual = OF_LISTS.get(row.path.join('.')) === `${row.type}. ${row.meaning}`;
  return isUsual ? { ...row, type: 'as in [every list](requests.md#lists)', meaning: '' } : row;
}

/** Neighbours of which the same is said share a line. */
function together(rows) {
  const merged = [];
  for (const { path, shown, type, meaning } of rows) {
    const last = merged.at(-1);
    const depth = path.length - 1;
    if (last !== undefined && last.depth === depth && last.type === type && last.meaning === meaning)
      last.names.push(shown);
    else merged.push({ depth, names: [shown], type, meaning });
  }
  return merged;
}

function lineOf({ depth, names, type, meaning }, said) {
  const name = names.map((one) => `\`${one}\``).join(', ');
  return `${'  '.repeat(depth)}- ${name}: ${aboutOf(type, meaning, said)}`;
}

/** A long type is worth a reference by itself, and so is what is said of a field in all. */
function aboutOf(type, meaning, said) {
  const shown = again(type, said) ? 'as above' : type;
  if (meaning === '') return shown;
  const about = `${shown}. ${meaning}`;
  if (!again(about, said)) return about;
  return type.length < LONG ? `${type}, as above` : 'as above';
}

/** Whether the page has said that already, and it is worth a reference. */
function again(text, said) {
  if (text.length < LONG) return false;
  const isKnown = said.has(text);
  said.add(text);
  return isKnown;
}
