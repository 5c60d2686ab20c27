import { createEngine, type DocumentWarning } from '../../src/engine/index.js';
import type { Fault } from '../../src/errors/document-errors.js';
import { documentWith, markedPlace } from './support/faults.js';

interface Verdict {
  readonly kind: 'refused' | 'warned' | 'accepted';
  readonly found: readonly (Fault | DocumentWarning)[];
}

async function verdictOn(yaml: string): Promise<Verdict> {
  const engine = createEngine();
  engine.registerUnit('acme.work', () => null);
  try {
    const { warningDetails } = await engine.workflows.check({ yaml });
    return { kind: warningDetails.length === 0 ? 'accepted' : 'warned', found: warningDetails };
  } catch (error) {
    return { kind: 'refused', found: (error as { details: readonly Fault[] }).details };
  }
}

const SAGA = `
units:
  - { id: reserve, uses: acme.work }
  - { id: charge, uses: acme.work }
  - { id: release, uses: acme.work, if: '"reserve" in »outputs' }
flow:
  type: sequential
  order:
    - { type: parallel, failureStrategy: best-effort, units: [{ type: sequential, order: [reserve, charge] }] }
    - { type: switch, cases: [{ if: size(errors) > 0, do: release }] }`;

const spec = (line: string) => `${line}\nunits: [{ id: a, uses: acme.work }]\nflow: a`;
const unit = (fields: string) =>
  `units:\n  - { id: a, ${fields} }\n  - { id: b, uses: acme.work }\nflow: { type: sequential }`;
const flow = (text: string) =>
  `units:\n  - { id: a, uses: acme.work }\n  - { id: b, uses: acme.work }\n  - { id: my-c, uses: acme.work }\nflow: ${text}`;
const reads = (text: string, order = 'b, a') =>
  `units:\n  - { id: a, uses: acme.work }\n  - { id: b, uses: acme.work, with: { x: '\${{ ${text} }}' } }\nflow: { type: sequential, order: [${order}] }`;

/** What new users wrote and did not mean (the review of 9e09318): with the place that is named, and the way out. */
const MISTAKES: readonly (readonly [
  what: string,
  spec: string,
  verdict: 'refused' | 'warned',
  wayOut: RegExp,
])[] = [
  // Words of other languages.
  ['type for uses', unit('»type: acme.work'), 'refused', /did you mean `uses`\?/],
  [
    'onFailure at a unit',
    unit('uses: acme.work, »onFailure: b'),
    'refused',
    /\{ type: try, do: a, catch: … \}/,
  ],
  ['onFailure of the workflow', spec('»onFailure: a'), 'refused', /flow: \{ type: try, do: …, catch: … \}/],
  ['onError', spec('»onError: a'), 'refused', /type: try/],
  [
    'a schedule',
    spec("»schedule: '0 3 * * *'"),
    'refused',
    /no schedule: have a scheduler, such as cron, start its runs/,
  ],
  ['a unit’s output', unit('uses: acme.work, »output: x'), 'refused', /always at `outputs\.a`/],
  ['needs', unit('uses: acme.work, »needs: [b]'), 'refused', /dependencies: \{ a: \[b\] \}/],
  ['depends_on', unit('uses: acme.work, »depends_on: b'), 'refused', /dependencies: \{ a: \[b\] \}/],
  ['next', unit('uses: acme.work, »next: b'), 'refused', /\{ type: sequential, order: \[a, b\] \}/],
  ['a time-out as a length of time', spec('policy: { timeout: »30s }'), 'refused', /\{ unitMs: 30000 \}/],
  ['timeout at a unit', unit('uses: acme.work, »timeout: 30s'), 'refused', /timeout: \{ unitMs: 30000 \}/],
  [
    'timeout at a gate',
    unit('uses: builtin.approval, »timeout: P2D'),
    'refused',
    /config: \{ timeout: P2D \}/,
  ],
  [
    'retry at a unit',
    unit('uses: acme.work, »retry: { maxAttempts: 2 }'),
    'refused',
    /policyOverrides: \{ retry/,
  ],
  ['steps for units', `»steps: [{ id: a, uses: acme.work }]\nflow: a`, 'refused', /did you mean `units`\?/],
  ['inputs for with', unit('uses: acme.work, »inputs: { a: 1 }'), 'refused', /did you mean `with`\?/],
  ['when for if', unit("uses: acme.work, »when: 'true'"), 'refused', /did you mean `if`\?/],
  ['run for uses', unit('»run: acme.work'), 'refused', /did you mean `uses`\?/],
  [
    'else of a switch',
    flow("{ type: switch, cases: [{ if: 'true', do: a }], »else: b }"),
    'refused',
    /did you mean `default`\?/,
  ],
  ['while of a loop', flow("{ type: loop, do: a, »while: 'true' }"), 'refused', /a loop ends by `until`/],
  // Names and types.
  [
    'a typo of a field',
    flow('{ type: parallel, units: [a], »reducr: b }'),
    'refused',
    /did you mean `reducer`\?/,
  ],
  ['a typo of a flow type', flow('{ type: »paralel, units: [a] }'), 'refused', /did you mean `parallel`\?/],
  [
    'a typo of a unit in the flow',
    flow('{ type: sequential, order: [a, »bb] }'),
    'refused',
    /add it to spec\.units/,
  ],
  ['a unit that nobody answers to', unit('uses: »acme.wrok'), 'refused', /did you mean acme\.work\?/],
  [
    'two units of one id',
    `units:\n  - { id: a, uses: acme.work }\n  - { id: »a, uses: acme.work }\nflow: a`,
    'refused',
    /rename one of them/,
  ],
  [
    'a flow that is a list',
    flow('»[a, b]'),
    'refused',
    /for one unit after the other write \{ type: sequential/,
  ],
  ['true without quotes', unit('uses: acme.work, if: »true'), 'refused', /write it in quotes, "true"/],
  [
    'text for a number',
    spec('policy: { retry: { maxAttempts: »many } }'),
    'refused',
    /must be a whole number/,
  ],
  [
    'a length for milliseconds',
    spec('policy: { timeout: { unitMs: »30s } }'),
    'refused',
    /write milliseconds, 30000/,
  ],
  ['an input without a schema', spec('input: »{ amount: number }'), 'refused', /properties/],
  [
    'an approval without its settings’ names',
    unit('uses: builtin.approval, config: { titel: »x }'),
    'refused',
    /title/,
  ],
  // Expressions.
  ['===', unit("uses: acme.work, if: 'input.x »=== 1'"), 'refused', /compare with ==/],
  ['and', unit("uses: acme.work, if: 'input.a »and input.b'"), 'refused', /write &&/],
  [
    'braces in a condition',
    unit("uses: acme.work, if: '»${{ input.a }}'"),
    'refused',
    /leave \$\{\{ \}\} out/,
  ],
  ['units.a.output', reads('»units.a.output', 'a, b'), 'refused', /the output of a is outputs\.a/],
  ['a unit by its name alone', reads('»a.total', 'a, b'), 'refused', /the output of that unit is outputs\.a/],
  [
    'an id with a dash after a dot',
    `units:\n  - { id: my-a, uses: acme.work }\n  - { id: b, uses: acme.work, if: '»outputs.my-a > 1' }\nflow: { type: sequential }`,
    'refused',
    /outputs\["my-a"\]/,
  ],
  [
    'the output of a unit that is not there',
    reads('»outputs.aa', 'a, b'),
    'refused',
    /did you mean outputs\.a\?|the units are/,
  ],
  ['now()', unit("uses: acme.work, if: '»now() > 1'"), 'refused', /write now, without brackets/],
  ['length()', unit("uses: acme.work, if: 'input.x».length() > 1'"), 'refused', /size\(x\)/],
  [
    'a var that is not there',
    `vars: { net: 1 }\n${unit("uses: acme.work, if: '»vars.nett > 1 && vars.net > 1'")}`,
    'refused',
    /did you mean vars\.net\?/,
  ],
  ['an environment variable', reads('»env.HOME', 'a, b'), 'refused', /pass what it needs in the input/],
  // What is valid, and does something else.
  ['an output before its unit has run', reads('»outputs.a'), 'refused', /a comes after b: put it before/],
  [
    'an output of the branch beside',
    `units:\n  - { id: a, uses: acme.work }\n  - { id: b, uses: acme.work, with: { x: '\${{ »outputs.a }}' } }\nflow: { type: parallel, units: [a, b] }`,
    'refused',
    /sees nothing of the others/,
  ],
  [
    'a secret in an input',
    unit("uses: acme.work, with: { token: 'Bearer »${secret:TOKEN}' }"),
    'refused',
    /headers of a binding/,
  ],
  ['a condition on what a failed branch dropped', SAGA, 'warned', /name it in `compensate` of reserve/],
  [
    'braces of another template language',
    unit("uses: acme.work, with: { a: 'x »{{ input.a }}' }"),
    'warned',
    /write \$\{\{ input\.a \}\}/,
  ],
];

it('there are 46 of them', () => {
  expect(MISTAKES).toHaveLength(46);
  expect(new Set(MISTAKES.map(([what]) => what)).size).toBe(46);
});

it.each(MISTAKES)('%s is not passed over in silence', async (_what, text, verdict, wayOut) => {
  const marked = documentWith(text);
  const { kind, found } = await verdictOn(marked.replace('»', ''));
  expect(kind).toBe(verdict);
  const { line, column } = markedPlace(marked);
  const here = found.filter((one) => one.line === line && one.column === column);
  expect(here.map(({ message }) => message).join('\n')).toMatch(wayOut);
});
