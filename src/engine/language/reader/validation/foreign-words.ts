import { msOf } from './amount.js';
import { shortened } from './value-in-words.js';

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
  type: ['uses'],
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

/** What other languages say of failures, and this one with a flow. */
const FAILURE_WORDS = ['onfailure', 'onerror', 'on_failure', 'on_error', 'catch', 'rescue', 'finally'];

/** Fields of a `spec` that are often written next to it. */
const OF_THE_SPEC = ['input', 'policy', 'entry', 'units', 'flow'];

/** What to write instead of an unknown field, of those that are `missing`; null when there is no suggestion. */
export function adviceForField(
  field: string,
  known: readonly string[],
  missing: readonly string[],
  owner: Readonly<Record<string, unknown>> = {},
): string | null {
  const word = field.toLowerCase();
  const special = known.includes('uses') ? ofUnit(word, owner) : known.includes('flow') ? ofSpec(word) : null;
  if (special !== null) return special;
  if (known.includes('spec') && OF_THE_SPEC.includes(word))
    return 'it belongs in `spec`: indent it further than that';
  const ours = wordsFor(word).find((one) => missing.includes(one));
  if (ours === 'policyOverrides' && word !== 'policy')
    return `did you mean \`policyOverrides: { ${word}: … }\`?`;
  if (ours !== undefined) return `did you mean \`${ours}\`?`;
  if (word === 'while' && known.includes('until')) return 'a loop ends by `until`, once that is true';
  return null;
}

/** What a `spec` has not, because it is said in the flow, or outside of the workflow. */
function ofSpec(word: string): string | null {
  if (FAILURE_WORDS.includes(word))
    return 'put the flow into `flow: { type: try, do: …, catch: … }`, with `finally` for what always runs';
  if (['schedule', 'cron', 'triggers', 'on', 'trigger'].includes(word))
    return 'a workflow has no schedule: have a scheduler, such as cron, start its runs';
  return null;
}

/** What a unit has not, because it is said in the flow, in a policy or in the settings of a gate. */
function ofUnit(word: string, { id, uses, [word]: value }: Readonly<Record<string, unknown>>): string | null {
  const unit = typeof id === 'string' ? shortened(id) : 'the unit';
  if (FAILURE_WORDS.includes(word))
    return `put the unit into a flow \`{ type: try, do: ${unit}, catch: … }\`, with \`finally\` for what always runs`;
  if (ORDER_WORDS.includes(word)) return orderAdvice(unit, word, value);
  if (word === 'timeout') {
    if (uses === 'builtin.approval') return 'a gate has it in `config`, as in `config: { timeout: P2D }`';
    const ms = typeof value === 'number' ? value : typeof value === 'string' ? msOf(value) : null;
    return `did you mean \`policyOverrides: { timeout: { unitMs: ${ms ?? '…'} } }\`?`;
  }
  if (word === 'output' || word === 'outputs')
    return `what it gives is always at \`${memberOf(unit)}\`; what the run gives stands in \`spec.output\``;
  if (word === 'schedule' || word === 'delay')
    return 'a unit begins when the flow comes to it: put a unit of `builtin.wait` before it';
  return null;
}

function orderAdvice(unit: string, word: string, value: unknown): string {
  if (word === 'next')
    return 'what follows stands in `spec.flow`, as in `{ type: sequential, order: [a, b] }`';
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const before = typeof first === 'string' ? shortened(first) : 'a';
  return (
    `what it waits for stands in \`spec.flow\`, as in ` +
    `\`{ type: dag, executors: [${before}, ${unit}], dependencies: { ${unit}: [${before}] } }\``
  );
}

function memberOf(unit: string): string {
  return /^[A-Za-z_]\w*$/.test(unit) ? `outputs.${unit}` : `outputs["${unit}"]`;
}

function wordsFor(word: string): readonly string[] {
  return Object.hasOwn(FOREIGN, word) ? (FOREIGN[word] ?? []) : [];
}
