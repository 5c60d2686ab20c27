/** Which loop variables are in scope where the expression stands. */
export interface Surroundings {
  /** Inside a loop: `iteration` is in scope. */
  readonly inLoop: boolean;
  /** The names of the items of the foreachs around, the nearest last; with any, `index` is in scope. */
  readonly itemNames: readonly string[];
}

export const NO_LOOPS: Surroundings = { inLoop: false, itemNames: [] };

/** Names with an @ cannot be written: whatever the item is called, no variable of a comprehension hides it. */
export const ITEM_VARIABLE = '@item';

const ALWAYS = ['input', 'state', 'outputs', 'errors', 'run'];
/** Names of types, as in `type(state.x) == string`. */
const TYPES = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
]);

/** The variable that a name stands for outside of comprehensions; undefined for an unknown one. */
export function variableFor(name: string, { inLoop, itemNames }: Surroundings): string | undefined {
  if (ALWAYS.includes(name) || TYPES.has(name)) return name;
  if (name === itemNames.at(-1)) return ITEM_VARIABLE;
  if (name === 'iteration' && inLoop) return name;
  if (name === 'index' && itemNames.length > 0) return name;
  return undefined;
}

export function unknownName(name: string, { inLoop, itemNames }: Surroundings): string {
  if (name === 'iteration') return '"iteration" is only in scope inside a loop';
  if (name === 'index' || name === 'item') {
    const nearest = itemNames.at(-1);
    return nearest === undefined
      ? `"${name}" is only in scope inside a foreach`
      : `"${name}" is not in scope: the item of this foreach is called "${nearest}"`;
  }
  if (itemNames.includes(name))
    return `"${name}" is the item of an outer foreach: only the nearest item is in scope`;
  const inScope = [...ALWAYS, ...(inLoop ? ['iteration'] : []), ...itemNames.slice(-1)];
  if (itemNames.length > 0) inScope.push('index');
  return `"${name.slice(0, 100)}" is unknown: in scope are ${inScope.join(', ')}; a key of the state is state.${name.slice(0, 100)}`;
}
