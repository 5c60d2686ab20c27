/** Which loop variables are in scope where the expression stands. */
export interface Surroundings {
  /** Inside a loop: `iteration` is in scope. */
  readonly inLoop: boolean;
  /** The names of the items of the enclosing foreachs, the nearest last; with any, `index` is in scope. */
  readonly itemNames: readonly string[];
  /** Inside the `catch` or the `finally` of a try: `error` is in scope. Absent: not. */
  readonly inCatch?: true;
  /** In what undoes a unit: `done` is in scope, and nothing of the state. Absent: not. */
  readonly inCompensation?: true;
  /** In `spec.vars`: the input and the vars above are in scope, and nothing of the state. Absent: not. */
  readonly inVars?: true;
}

export const IN_COMPENSATION: Surroundings = { inLoop: false, itemNames: [], inCompensation: true };

export const IN_VARS: Surroundings = { inLoop: false, itemNames: [], inVars: true };

export const NO_LOOPS: Surroundings = { inLoop: false, itemNames: [] };

/** Names with an @ cannot be written: whatever the item is called, no variable of a comprehension hides it. */
export const ITEM_VARIABLE = '@item';

const OF_COMPENSATIONS = ['input', 'run', 'vars', 'done'];
const OF_VARS = ['input', 'run', 'vars'];
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
export function variableFor(
  name: string,
  { inLoop, itemNames, inCatch, inCompensation, inVars }: Surroundings,
): string | undefined {
  if (TYPES.has(name)) return name;
  if (inCompensation === true) return OF_COMPENSATIONS.includes(name) ? name : undefined;
  if (inVars === true) return OF_VARS.includes(name) ? name : undefined;
  if (ALWAYS.includes(name)) return name;
  if (name === itemNames.at(-1)) return ITEM_VARIABLE;
  if (name === 'iteration' && inLoop) return name;
  if (name === 'index' && itemNames.length > 0) return name;
  // An item may have these names: it shadows them, and where it is out of scope nothing else is meant.
  if (itemNames.includes(name)) return undefined;
  if (name === 'now' || name === 'vars') return name;
  if (name === 'error' && inCatch === true) return name;
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
  variables: 'write vars.x for what spec.vars has',
  today: 'the instant is now',
  timestamp: 'it is a function: timestamp(text)',
};

/** `field`: the key that is read of it, where there is one. */
export function unknownName(
  name: string,
  { inLoop, itemNames, inCatch, inCompensation, inVars }: Surroundings,
  isUnit = false,
  field: string | null = null,
): string {
  if (inCompensation === true) {
    return `"${name.slice(0, 100)}" is not in scope of what undoes a unit: it sees ${OF_COMPENSATIONS.join(', ')}, and no state`;
  }
  if (inVars === true) {
    const instant = name === 'now' ? ': the run began at timestamp(run.createdAt)' : ', and no state';
    return `"${name.slice(0, 100)}" is not in scope in spec.vars, which is evaluated before the run: it sees ${OF_VARS.join(', ')}${instant}`;
  }
  if (name === 'done') return '"done" is only in scope in the `with` of a `compensate`';
  if (name === 'iteration') return '"iteration" is only in scope inside a loop';
  if (name === 'error') return '"error" is only in scope inside the `catch` or the `finally` of a try';
  if (name === 'index' || name === 'item') {
    const nearest = itemNames.at(-1);
    return nearest === undefined
      ? `"${name}" is only in scope inside a foreach`
      : `"${name}" is not in scope: the item of this foreach is called "${nearest}"`;
  }
  if (itemNames.includes(name))
    return `"${name}" is the item of an outer foreach: only the nearest item is in scope`;
  const inScope = [...ALWAYS, 'now', ...(inLoop ? ['iteration'] : []), ...itemNames.slice(-1)];
  if (itemNames.length > 0) inScope.push('index');
  if (inCatch === true) inScope.push('error');
  return `"${name.slice(0, 100)}" is unknown: in scope are ${inScope.join(', ')}; ${adviceFor(name, isUnit, field)}`;
}

const OF_UNITS = new Set(['steps', 'units', 'needs', 'jobs', 'nodes', 'tasks']);

function adviceFor(name: string, isUnit: boolean, field: string | null): string {
  const word = name.toLowerCase();
  if (field !== null && !isUnit && OF_UNITS.has(word))
    return `the output of ${field.slice(0, 100)} is outputs.${field.slice(0, 100)}`;
  if (isUnit) return `the output of that unit is outputs.${name.slice(0, 100)}`;
  if (word === 'true' || word === 'false' || word === 'null') return `write ${word}`;
  if (Object.hasOwn(ELSEWHERE, word)) return ELSEWHERE[word] ?? '';
  return `a key of the state is state.${name.slice(0, 100)}`;
}
