import { flowPlace } from './flow-place.js';
import { cellsOf, type Cell } from './line-cells.js';

/** A mapping or a list around a position. */
export type Frame =
  | {
      readonly kind: 'map';
      /** The key whose value the position is in; null: a key of this mapping is being written. */
      readonly key: string | null;
      /** What stands in the mapping, as far as it was looked at: scalars by their text, anything else as the empty text. */
      readonly entries: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'list' };

/** Where in a document somebody writes. It is read from lines and brackets alone, so the text may be broken anywhere else. */
export interface YamlPlace {
  /** From the outside in. */
  readonly frames: readonly Frame[];
  /** `item`: what begins here may be a scalar, or the first key of a mapping. `nothing`: a comment, or a text over several lines. */
  readonly at: 'key' | 'value' | 'item' | 'nothing';
  /** Where the word at the position begins. */
  readonly from: number;
  /** Inside of brackets, where no line may be broken by its indentation. */
  readonly isFlow: boolean;
  /** What stands between `${{` and the position; null: the position is in no expression. */
  readonly expression: string | null;
}

/** A frame while it is found, and the column at which it stands. */
interface Level {
  readonly column: number;
  readonly kind: 'map' | 'list';
  readonly key: string | null;
  readonly entries: Map<string, string>;
}

/** What comes after the position is looked at for so many lines: a `type` below its siblings is near. */
const LINES_AHEAD = 100;
/** Keys and dashes stand at the beginning of a line; the rest of a long one is not looked at. */
const MOST_CHARACTERS = 500;

export function placeAt(text: string, position: number): YamlPlace {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  const before = text.slice(start, position);
  const expression = openExpression(before);
  const own = ownPlace(before, start);
  const { levels } = own;
  const bracket = climb(text, start, levels) ?? own.bracket;
  if (bracket === null) {
    lookAhead(text, position, levels);
    const isText = levels.some(({ key, entries }) => /^[|>]/.test(entries.get(key ?? '') ?? ''));
    const at = isText ? 'nothing' : own.at;
    return { frames: framesOf(levels), at, from: own.from, isFlow: false, expression };
  }
  // Below the line where the bracket opens, lines say nothing about what is in what.
  const inside = flowPlace(text, bracket.offset, position);
  const outside = framesOf(levels.slice(bracket.levelsInside));
  if (inside === null) return { frames: outside, at: 'nothing', from: position, isFlow: false, expression };
  return { ...inside, frames: [...outside, ...inside.frames], isFlow: true, expression };
}

interface Bracket {
  readonly offset: number;
  /** How many of the levels, from the inside, are not outside of the bracket. */
  readonly levelsInside: number;
}

interface OwnPlace {
  /** From the inside out. */
  readonly levels: Level[];
  readonly at: YamlPlace['at'];
  readonly from: number;
  readonly bracket: Bracket | null;
}

/** What the line says up to the position. */
function ownPlace(before: string, start: number): OwnPlace {
  const { cells, rest, restColumn, isComment } = cellsOf(before);
  const last = cells.at(-1);
  const levels = cells.toReversed().map(levelOf);
  const isValue = last?.kind === 'key';
  if (!isValue && last === undefined)
    levels.push({ column: restColumn, kind: 'map', key: null, entries: new Map() });
  const opens = /^[{[]/.test(rest);
  const bracket = opens
    ? { offset: start + restColumn, levelsInside: last === undefined ? levels.length : 0 }
    : null;
  const quote = /^["']/.test(rest) ? 1 : 0;
  const at = isComment || (isValue && before.endsWith(':')) ? 'nothing' : isValue ? 'value' : 'item';
  return {
    levels,
    at: at === 'item' && last === undefined ? 'key' : at,
    from: start + restColumn + quote,
    bracket,
  };
}

/** Adds the levels that are found above, and what stands next to them. Returns the outermost bracket that is opened on the way. */
function climb(text: string, start: number, levels: Level[]): Bracket | null {
  let bracket: Bracket | null = null;
  for (let end = start - 1; end >= 0;) {
    const begin = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(begin, end);
    end = begin - 1;
    const inner = levels.at(-1);
    const limit = inner?.column ?? Infinity;
    const indent = line.search(/\S/);
    if (indent === -1 || indent > limit) continue;
    const { cells, rest, restColumn } = cellsOf(line.slice(0, MOST_CHARACTERS));
    if (cells.length === 0 && /^[{[]/.test(rest) && (restColumn < limit || restColumn === 0))
      bracket = { offset: begin + restColumn, levelsInside: levels.length };
    for (const cell of cells.toReversed()) {
      const around = levels.at(-1);
      if (around !== undefined && isSibling(cell, around)) {
        if (cell.kind === 'item') continue;
        if (!around.entries.has(cell.key)) around.entries.set(cell.key, cell.value);
        continue;
      }
      if (around !== undefined && !isParent(cell, around)) continue;
      const isLast = cell === cells.at(-1);
      if (isLast && /^[{[]/.test(rest)) bracket = { offset: begin + restColumn, levelsInside: levels.length };
      levels.push(levelOf(cell));
    }
  }
  return bracket;
}

function isSibling(cell: Cell, level: Level): boolean {
  return cell.column === level.column && (cell.kind === 'key') === (level.kind === 'map');
}

/** A list may stand as far to the left as the key that it is the value of. */
function isParent(cell: Cell, level: Level): boolean {
  if (cell.column < level.column) return true;
  return cell.column === level.column && cell.kind === 'key' && level.kind === 'list' && cell.value === '';
}

/** Adds what stands below, next to the levels. */
function lookAhead(text: string, position: number, levels: readonly Level[]): void {
  let at = 0;
  let end = text.indexOf('\n', position);
  for (let count = 0; count < LINES_AHEAD && end !== -1 && at < levels.length; count++) {
    const begin = end + 1;
    end = text.indexOf('\n', begin);
    const [cell] = cellsOf(
      text.slice(begin, Math.min(end === -1 ? text.length : end, begin + MOST_CHARACTERS)),
    ).cells;
    if (cell === undefined) continue;
    for (let level = levels[at]; level !== undefined && isBefore(cell, level); level = levels[at]) at += 1;
    const level = levels[at];
    if (level !== undefined && cell.kind === 'key' && isSibling(cell, level))
      level.entries.set(cell.key, level.entries.get(cell.key) ?? cell.value);
  }
}

function isBefore(cell: Cell, level: Level): boolean {
  return cell.column < level.column || (cell.column === level.column && isParent(cell, level));
}

function levelOf(cell: Cell): Level {
  const { column } = cell;
  if (cell.kind === 'item') return { column, kind: 'list', key: null, entries: new Map() };
  return { column, kind: 'map', key: cell.key, entries: new Map([[cell.key, cell.value]]) };
}

function framesOf(levels: readonly Level[]): readonly Frame[] {
  return levels
    .map(({ kind, key, entries }): Frame => (kind === 'list' ? { kind } : { kind, key, entries }))
    .toReversed();
}

/** What follows the last `${{` of a line that is not closed. */
function openExpression(before: string): string | null {
  const open = before.lastIndexOf('${{');
  return open === -1 || before.indexOf('}}', open) !== -1 ? null : before.slice(open + 3);
}
