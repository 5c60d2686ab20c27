import { compileWorkflow } from '../compiler/compile.js';
import { sentencesOf } from '../document-warning.js';
import { parseDocument } from '../parse-document.js';
import { YamlLoadError } from '../../../errors/document-errors.js';

const NAMES = { sourceOf: () => 'in-process' as const, known: () => [], bound: () => [] };

interface Document {
  readonly flow: string;
  readonly onCancel?: string;
  /** Fields of units, by id. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Units a to f; `b` reads `outputs.a` in its `with`, unless `fields` say something else of it. */
function documentOf({ flow, onCancel, fields = {} }: Document): string {
  const own: Readonly<Record<string, string>> = { b: "with: { x: '${{ outputs.a }}' }", ...fields };
  const units = ['a', 'b', 'c', 'd', 'e', 'f'].map(
    (id) => `    - { id: ${id}, ${/\buses:/.test(own[id] ?? '') ? '' : 'uses: work, '}${own[id] ?? ''} }`,
  );
  return `apiVersion: flowgate/v1
kind: Workflow
metadata: { id: ordered }
spec:
  units:
${units.join('\n')}
  flow: ${flow}
${onCancel === undefined ? '' : `  onCancel: ${onCancel}`}
`;
}

/** `always`, `sometimes`, `never`: fine, warned of, refused; with what is said. */
function verdictOn(document: Document): readonly [verdict: string, said: string] {
  try {
    const { warnings } = compileWorkflow(
      parseDocument(documentOf(document), { apiGroups: ['flowgate'] }),
      NAMES,
    );
    const said = sentencesOf(
      warnings.filter(({ code }) => code === 'may-be-missing' || code === 'never-there'),
    );
    return said.length === 0 ? ['always', ''] : ['sometimes', said.join(' | ')];
  } catch (error) {
    if (!(error instanceof YamlLoadError)) throw error;
    return ['never', error.details.map(({ message }) => message).join(' | ')];
  }
}

const sequence = (...flows: readonly string[]): string =>
  `{ type: sequential, order: [${flows.join(', ')}] }`;

describe('b, which reads what a writes,', () => {
  it.each<[where: string, flow: string, verdict: 'always' | 'sometimes' | 'never']>([
    ['after it', sequence('a', 'c', 'b'), 'always'],
    ['before it', sequence('b', 'a'), 'never'],
    [
      'far after it, both inside of other flows',
      sequence(sequence('c', sequence('a', 'd')), sequence('e', 'b')),
      'always',
    ],
    ['far before it', sequence(sequence('c', sequence('b', 'd')), sequence('e', 'a')), 'never'],
    ['alone, and a nowhere', 'b', 'never'],

    ['beside it in a parallel', '{ type: parallel, units: [a, b] }', 'never'],
    ['as the reducer', '{ type: parallel, units: [a, c], reducer: b }', 'always'],
    [
      'as the reducer of best effort',
      '{ type: parallel, failureStrategy: best-effort, units: [a, c], reducer: b }',
      'sometimes',
    ],
    ['where a is the reducer', '{ type: parallel, units: [b, c], reducer: a }', 'never'],
    [
      'after the parallel',
      sequence('{ type: parallel, failureStrategy: collect-errors, units: [a, c] }', 'b'),
      'always',
    ],
    [
      'after one of best effort',
      sequence('{ type: parallel, failureStrategy: best-effort, units: [a, c] }', 'b'),
      'sometimes',
    ],
    [
      'after a within its branch',
      `{ type: parallel, failureStrategy: best-effort, units: [c, ${sequence('a', 'b')}] }`,
      'always',
    ],

    ['on a route of the router a', '{ type: router, routerUnit: a, routes: { x: b } }', 'always'],
    [
      'as the default of the router a',
      '{ type: router, routerUnit: a, routes: { x: c }, default: b }',
      'always',
    ],
    ['on another route', '{ type: router, routerUnit: c, routes: { x: a, y: b } }', 'never'],
    ['as the router itself', '{ type: router, routerUnit: b, routes: { x: a } }', 'never'],
    [
      'after the routes',
      sequence('{ type: router, routerUnit: c, routes: { x: a, y: d } }', 'b'),
      'sometimes',
    ],
    ['after the only route', sequence('{ type: router, routerUnit: c, routes: { x: a } }', 'b'), 'always'],
    [
      'after routes and a default without it',
      sequence('{ type: router, routerUnit: c, routes: { x: a }, default: d }', 'b'),
      'sometimes',
    ],

    ['in another case', "{ type: switch, cases: [{ if: 'true', do: a }], default: b }", 'never'],
    ['after the switch', sequence("{ type: switch, cases: [{ if: 'true', do: a }] }", 'b'), 'sometimes'],
    [
      'after a switch with it in each case',
      sequence(`{ type: switch, cases: [{ if: 'true', do: a }], default: ${sequence('c', 'a')} }`, 'b'),
      'always',
    ],

    ['before it in a loop', `{ type: loop, maxIterations: 2, do: ${sequence('b', 'a')} }`, 'sometimes'],
    ['after it in a loop', `{ type: loop, maxIterations: 2, do: ${sequence('a', 'b')} }`, 'always'],
    [
      'before it in a loop of one round',
      `{ type: loop, maxIterations: 1, do: ${sequence('b', 'a')} }`,
      'never',
    ],
    [
      'beside it in a parallel in a loop',
      '{ type: loop, maxIterations: 2, do: { type: parallel, units: [a, b] } }',
      'sometimes',
    ],
    ['after the loop', sequence('{ type: loop, maxIterations: 2, do: a }', 'b'), 'always'],
    ['before the loop', sequence('b', '{ type: loop, maxIterations: 2, do: a }'), 'never'],

    [
      'before it in a pass',
      `{ type: foreach, items: '[1, 2]', maxConcurrency: 1, do: ${sequence('b', 'a')} }`,
      'never',
    ],
    ['after it in a pass', `{ type: foreach, items: '[1, 2]', do: ${sequence('a', 'b')} }`, 'always'],
    [
      'after the foreach, whose list may be empty',
      sequence("{ type: foreach, items: '[1, 2]', do: a }", 'b'),
      'sometimes',
    ],

    ['beside it in a dag', '{ type: dag, executors: [a, b] }', 'never'],
    ['which waits for it', '{ type: dag, executors: [a, b], dependencies: { b: [a] } }', 'always'],
    [
      'which waits for what waits for it',
      '{ type: dag, executors: [b, c, a], dependencies: { b: [c], c: [a] } }',
      'always',
    ],
    ['for which it waits', '{ type: dag, executors: [a, b], dependencies: { a: [b] } }', 'never'],
    ['as the aggregator', '{ type: dag, executors: [a, c], aggregator: b }', 'always'],
    ['below the planner', '{ type: dag, planner: a, executors: [c, b] }', 'always'],
    ['as the planner', '{ type: dag, planner: b, executors: [a] }', 'never'],
    ['after the dag', sequence('{ type: dag, executors: [a, c] }', 'b'), 'always'],

    ['as a specialist', '{ type: delegation, orchestrator: a, specialists: [b] }', 'always'],
    ['as a specialist beside it', '{ type: delegation, orchestrator: c, specialists: [a, b] }', 'sometimes'],
    ['as the orchestrator', '{ type: delegation, orchestrator: b, specialists: [a] }', 'sometimes'],
    [
      'after the delegation',
      sequence('{ type: delegation, orchestrator: a, specialists: [c] }', 'b'),
      'always',
    ],
    [
      'after what may not be asked',
      sequence('{ type: delegation, orchestrator: c, specialists: [a] }', 'b'),
      'sometimes',
    ],

    ['at two places, after it at one', sequence(sequence('b', 'a'), sequence('c', 'b')), 'sometimes'],
    ['at two places, before it at both', sequence(sequence('b', 'c'), sequence('d', 'b'), 'a'), 'never'],
    ['where a stands before and after it', sequence(sequence('a', 'c'), sequence('b', 'a')), 'always'],
  ])('%s: %s is %s', (_where, flow, verdict) => {
    expect([verdictOn({ flow })[0], flow]).toEqual([verdict, flow]);
  });

  it.each<[string, Document, 'always' | 'sometimes' | 'never']>([
    ['when the run is cancelled, before it', { flow: sequence('c', 'a'), onCancel: '[b]' }, 'sometimes'],
    [
      'when the run is cancelled, after it: each clean-up sees the run alone',
      { flow: 'c', onCancel: '[a, b]' },
      'never',
    ],
    ['before it, which runs when the run is cancelled', { flow: 'b', onCancel: '[a]' }, 'never'],
    ['which is the whole flow', { flow: 'a', onCancel: '[b]' }, 'sometimes'],
    ['which may be skipped', { flow: sequence('a', 'b'), fields: { a: 'if: input.x' } }, 'sometimes'],
    [
      'by its key in the state',
      { flow: sequence('b', 'a'), fields: { b: `with: { x: '\${{ state["output.a"] }}' }` } },
      'never',
    ],
    ['in its if', { flow: sequence('b', 'a'), fields: { b: "if: 'outputs.a == 1'" } }, 'never'],
    [
      'in settings of a built-in',
      {
        flow: sequence('b', 'a'),
        fields: { b: "uses: builtin.fail, config: { message: '${{ outputs.a }}' }" },
      },
      'never',
    ],
    [
      'which is itself',
      { flow: sequence('a', 'b'), fields: { b: "with: { x: '${{ outputs.b }}' }" } },
      'never',
    ],
    [
      'which is itself, in a loop',
      { flow: '{ type: loop, maxIterations: 3, do: b }', fields: { b: "with: { x: '${{ outputs.b }}' }" } },
      'sometimes',
    ],
    [
      'which writes none',
      { flow: sequence('a', 'b'), fields: { a: 'uses: builtin.set, config: { values: { x: 1 } }' } },
      'sometimes',
    ],
  ])('%s', (_where, document, verdict) => {
    expect(verdictOn(document)[0]).toBe(verdict);
  });

  it.each<[string, string, string]>([
    [
      'the if of a switch',
      sequence("{ type: switch, cases: [{ if: 'outputs.a == 1', do: c }] }", 'a'),
      'never',
    ],
    [
      'the second if of a switch',
      sequence("{ type: switch, cases: [{ if: 'true', do: c }, { if: 'outputs.a == 1', do: a }] }"),
      'never',
    ],
    ['an if after it', sequence('a', "{ type: switch, cases: [{ if: 'outputs.a == 1', do: c }] }"), 'always'],
    ['the items of a foreach', sequence('{ type: foreach, items: outputs.a, do: a }'), 'never'],
    ['the until of a loop over it', '{ type: loop, do: a, until: outputs.a == 1 }', 'always'],
    ['the until of a loop before it', sequence('{ type: loop, do: c, until: outputs.a == 1 }', 'a'), 'never'],
    [
      'the until of a loop with it on a branch',
      "{ type: loop, do: { type: switch, cases: [{ if: 'true', do: a }] }, until: outputs.a == 1 }",
      'sometimes',
    ],
    [
      'a switch below a key with signs',
      `{ type: router, routerUnit: c, routes: { "50% > #1/2~": { type: switch, cases: [{ if: 'outputs.a == 1', do: d }] } } }`,
      'never',
    ],
  ])('%s', (_where, flow, verdict) => {
    expect(verdictOn({ flow, fields: { b: '' } })[0]).toBe(verdict);
  });
});

describe('to read what cannot be there', () => {
  it.each([
    'has(outputs.a)',
    '"a" in outputs',
    '!has(outputs.a.total)',
    'has(outputs.a) && outputs.a == 1',
    'iteration_ || outputs.a == 1'.replace('iteration_', 'input.first'),
    'input.first ? true : outputs.a == 1',
    'input.list.exists(one, one == outputs.a)',
  ])('is refused nowhere where the value may not matter, and warned of: %s', (expression) => {
    const [verdict, said] = verdictOn({ flow: sequence('b', 'a'), fields: { b: `if: '${expression}'` } });
    expect(verdict).toBe('sometimes');
    expect(said).toMatch(
      /^spec\.units\[1\]\.if (?:asks whether outputs\.a is there|may read outputs\.a), which it never is: a comes after b: put it before/,
    );
  });

  it.each([
    ['a comes after b: put it before', sequence('b', 'a')],
    ['a is in no flow: name it before b', 'b'],
    [
      'a branch of a parallel sees nothing of the others: read it after the parallel, or put a before it',
      '{ type: parallel, units: [a, b] }',
    ],
    ['nothing has b wait for a: say so in the dependencies of the dag', '{ type: dag, executors: [a, b] }'],
    [
      'the switch takes one of its branches, and a is in another: put it before the switch',
      "{ type: switch, cases: [{ if: 'true', do: a }], default: b }",
    ],
  ])('says why, and what to do: %s', (why, flow) => {
    expect(verdictOn({ flow })).toEqual(['never', `outputs.a is never there when this is evaluated: ${why}`]);
  });
});

describe('what may be missing', () => {
  const IF_INPUT = { a: 'if: input.x' };

  it('is warned of, with how to write it', () => {
    expect(verdictOn({ flow: sequence('a', 'b'), fields: IF_INPUT })).toEqual([
      'sometimes',
      'spec.units[1].with.x reads outputs.a, which may be missing: on some way through the flow a has not come to its end before: where that is meant, write has(outputs.a) ? outputs.a : null',
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['is asked for where it is read', { b: "with: { x: '${{ has(outputs.a) ? outputs.a : null }}' }" }],
    ['is asked for in the unit’s if', { b: "if: has(outputs.a), with: { x: '${{ outputs.a }}' }" }],
    ['comes under the same condition', { b: "if: input.x, with: { x: '${{ outputs.a }}' }" }],
    ['is read where nothing failed', { b: "if: size(errors) == 0, with: { x: '${{ outputs.a }}' }" }],
  ])('is not, where it %s', (_where, fields) => {
    expect(verdictOn({ flow: sequence('a', 'b'), fields: { ...IF_INPUT, ...fields } })).toEqual([
      'always',
      '',
    ]);
  });

  it('is not, where a switch around asks for it', () => {
    const flow = sequence('a', '{ type: switch, cases: [{ if: has(outputs.a), do: b }] }');
    expect(verdictOn({ flow, fields: IF_INPUT })).toEqual(['always', '']);
  });
});

it('what was accepted once is neither refused nor warned of', () => {
  const parsed = parseDocument(documentOf({ flow: sequence('b', 'a') }), { apiGroups: ['flowgate'] });
  const { warnings } = compileWorkflow(parsed, NAMES, undefined, { wasAccepted: true });
  expect(warnings.filter(({ code }) => code !== 'unused-unit')).toEqual([]);
});

it('a workflow of thousands of units that all read one another is looked at within a second', () => {
  const ids = Array.from({ length: 2_000 }, (_, index) => `u${index}`);
  const units = ids.map((id, index) => ({
    id,
    uses: 'work',
    ...(index === 0 ? {} : { with: { x: `\${{ outputs.u${index - 1} }} \${{ outputs.u${index >> 1} }}` } }),
  }));
  const text = JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id: 'many' },
    spec: { units, flow: { type: 'sequential' } },
  });
  const parsed = parseDocument(text, { apiGroups: ['flowgate'] });
  const timed = (wasAccepted: boolean): number => {
    const start = performance.now();
    expect(compileWorkflow(parsed, NAMES, undefined, { wasAccepted }).warnings).toEqual([]);
    return performance.now() - start;
  };
  const without = timed(true);
  expect(timed(false)).toBeLessThan(2 * without + 1_000);
});
