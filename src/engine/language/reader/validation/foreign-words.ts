/** Words for fields from other languages, and ours for them, most likely first. */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  name: ['id'],
  title: ['description'],
  jobs: ['units'],
  nodes: ['units', 'executors', 'order'],
  tasks: ['units', 'order', 'executors'],
  steps: ['units', 'order', 'executors', 'do'],
  units: ['order', 'executors', 'specialists', 'do'],
  branches: ['units'],
  run: ['uses'],
  action: ['uses'],
  args: ['with'],
  input: ['with'],
  inputs: ['with', 'input'],
  params: ['with'],
  parameters: ['with'],
  settings: ['config'],
  when: ['if'],
  condition: ['if'],
  then: ['do'],
  body: ['do'],
  unit: ['do'],
  else: ['default'],
  otherwise: ['default'],
  branch: ['routes'],
  router: ['routerUnit'],
  in: ['items'],
  list: ['items'],
  each: ['items'],
  times: ['maxIterations'],
  retry: ['policyOverrides'],
  timeout: ['policyOverrides'],
  policy: ['policyOverrides'],
};

/** Fields that other languages have at a unit, and this one in the flow. */
const ORDER_WORDS = ['needs', 'depends_on', 'dependson', 'next', 'after'];

/** Fields of a `spec` that are often written next to it. */
const OF_THE_SPEC = ['input', 'policy', 'entry', 'units', 'flow'];

/** What to write instead of an unknown field, of those that are `missing`; null when there is no suggestion. */
export function adviceForField(
  field: string,
  known: readonly string[],
  missing: readonly string[],
): string | null {
  const word = field.toLowerCase();
  if (known.includes('spec') && OF_THE_SPEC.includes(word))
    return 'it belongs in `spec`: indent it further than that';
  const ours = wordsFor(word).find((one) => missing.includes(one));
  if (ours === 'policyOverrides' && word !== 'policy')
    return `did you mean \`policyOverrides: { ${word}: … }\`?`;
  if (ours !== undefined) return `did you mean \`${ours}\`?`;
  if (word === 'while' && known.includes('until')) return 'a loop ends by `until`, once that is true';
  return ORDER_WORDS.includes(word) && known.includes('uses')
    ? 'what comes after what is said in `spec.flow`'
    : null;
}

function wordsFor(word: string): readonly string[] {
  return Object.hasOwn(FOREIGN, word) ? (FOREIGN[word] ?? []) : [];
}
