/** Which loop variables are in scope where the expression stands. */
export interface Surroundings {
  /** Inside a loop: `iteration` is in scope. */
  readonly inLoop: boolean;
  /** The names of the items of the enclosing foreachs, the nearest last; with any, `index` is in scope. */
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

/** What other languages call something, and how it is written here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  not: 'write !',
  and: 'write &&',
  or: 'write ||',
  none: 'write null',
  nil: 'write null',
  undefined: 'write null, and ask whether a key is there with has(state.x)',
  yes: 'write true',
  no: 'write false',
  inputs: 'write input',
  output: 'the output of a unit is outputs.unit, or state["output.unit"]',
  steps: 'the output of a unit is outputs.unit',
  units: 'the output of a unit is outputs.unit',
  needs: 'the output of a unit is outputs.unit',
  jobs: 'the output of a unit is outputs.unit',
  env: 'an expression sees no environment: pass what it needs in the input',
  secrets: 'an expression sees no secrets: the headers of a binding may name them',
  vars: 'an expression sees no variables but the state: state.x',
};

export function unknownName(name: string, { inLoop, itemNames }: Surroundings, isUnit = false): string {
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
  return `"${name.slice(0, 100)}" is unknown: in scope are ${inScope.join(', ')}; ${adviceFor(name, isUnit)}`;
}

function adviceFor(name: string, isUnit: boolean): string {
  const word = name.toLowerCase();
  if (isUnit) return `the output of that unit is outputs.${name.slice(0, 100)}`;
  if (word === 'true' || word === 'false' || word === 'null') return `write ${word}`;
  if (Object.hasOwn(ELSEWHERE, word)) return ELSEWHERE[word] ?? '';
  return `a key of the state is state.${name.slice(0, 100)}`;
}
