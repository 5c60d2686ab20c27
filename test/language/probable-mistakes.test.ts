import { createEngine } from '../../src/engine/index.js';
import { documentWith, flowOf, markedPlace, refusalOf, unitOf } from './support/faults.js';

async function warningsOf(yaml: string): Promise<readonly string[]> {
  const engine = createEngine();
  await engine.open();
  engine.registerUnit('acme.work', () => null);
  try {
    return (await engine.workflows.register({ yaml })).warnings;
  } finally {
    await engine.close();
  }
}

describe('what is accepted and probably not meant comes with a warning:', () => {
  it.each([
    [
      'braces of another template language',
      unitOf('uses: acme.work\nwith: { deep: ["Hello {{ input.name }}"] }'),
      'spec.units[0].with.deep[0] holds {{ input.name }}, which is text: write ${{ input.name }} for its value',
    ],
    [
      'one brace too few',
      unitOf('uses: builtin.mock\nconfig: { response: "${ state.total }" }'),
      'spec.units[0].config.response holds ${ state.total }, which is text: write ${{ state.total }} for its value',
    ],
    [
      'a question for the output of a unit that is not there',
      unitOf('uses: acme.work\nif: "!has(outputs.nobody)"'),
      'An expression asks whether outputs.nobody is there, which it never is: no unit is named nobody: the units are a, b',
    ],
  ])('%s', async (_name, yaml, warning) => {
    expect(await warningsOf(yaml)).toEqual([warning]);
  });

  it.each([
    [
      'an expression as it is meant',
      unitOf("uses: acme.work\nwith: { a: '${{ input.name }} and $${{ input.x }}' }"),
    ],
    [
      'braces around something else',
      unitOf("uses: acme.work\nwith: { a: '{{ name }} ${name} {{#if input}}' }"),
    ],
    [
      'the config of a unit that nobody evaluates',
      unitOf("uses: acme.work\nconfig: { a: '{{ input.name }}' }"),
    ],
  ])('but not %s', async (_name, yaml) => {
    expect(await warningsOf(yaml)).toEqual([]);
  });

  it('twenty times at most', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `'{{ input.x${index} }}'`);
    expect(await warningsOf(unitOf(`uses: acme.work\nwith: { a: [${texts.join(', ')}] }`))).toHaveLength(20);
  });
});

describe('a default among the routes', () => {
  it('is refused, with where it belongs', async () => {
    const text = flowOf('{ type: router, routerUnit: a, routes: { x: b, »default: b } }');
    const { type, details } = await refusalOf(text);
    expect([type, details]).toEqual([
      'YamlLoadError',
      [
        {
          path: '/spec/flow/routes/default',
          ...markedPlace(text),
          message:
            'this route is only for the key "default": move it beside `routes`, as `default`, for the keys that no route has (for both, write it in both places)',
        },
      ],
    ]);
  });

  it('is a route like any other next to a default in its place', async () => {
    expect(
      await warningsOf(flowOf('{ type: router, routerUnit: a, routes: { default: b }, default: b }')),
    ).toEqual([]);
  });
});

it('a fault of an expression points into the text, and says its position once', async () => {
  const text = documentWith(`
units:
  - id: a
    uses: acme.work
    with:
      text: |
        Dear \${{ input.name }},
          your \${{ »nope }} is ready.
flow: a`);
  const { message, details } = await refusalOf(text);
  expect(details).toMatchObject([{ path: '/spec/units/0/with/text', ...markedPlace(text) }]);
  expect(message).toMatch(
    /^The workflow cannot be loaded at 11:22: the expression does not compile: "nope" is unknown/,
  );
});

describe('a flow that does something other than it looks like is warned of, with code and place:', () => {
  /** The code and the position of each warning; all but those of units that are in no flow. */
  async function oddOf(yaml: string) {
    const engine = createEngine();
    engine.registerUnit('acme.work', () => null);
    const { warnings, warningDetails } = await engine.workflows.check({ yaml: yaml.replace('»', '') });
    expect(warningDetails.map(({ message }) => message)).toEqual(warnings);
    return warningDetails
      .filter(({ code }) => code !== 'unused-unit')
      .map(({ code, line, column, message }) => ({ code, line, column, message }));
  }

  const units = (fields: string) => `
units:
  - { id: a, uses: acme.work${fields} }
  - { id: b, uses: acme.work }
  - { id: undo, uses: acme.work }`;
  const cases = (...conditions: readonly string[]) =>
    `${units('')}\nflow: { type: switch, cases: [${conditions.map((one) => `{ if: ${one}, do: a }`).join(', ')}] }`;

  it.each([
    [
      'a case after one that is always true',
      cases("'true'", '»input.x > 1'),
      'unreachable-case',
      /case 0 before it/,
    ],
    [
      'a case that an earlier one says',
      cases('input.x > 1', 'input.y', '»input.x > 1'),
      'unreachable-case',
      /case 0/,
    ],
    [
      'a case that an earlier one includes',
      cases('input.x > 500', '»input.x > 10000'),
      'unreachable-case',
      /narrower case first/,
    ],
    [
      'an equality that an earlier case includes',
      cases('input.x <= 5', '»input.x == 5'),
      'unreachable-case',
      /case 0/,
    ],
    ['a case that is never true', cases("»'false'", 'input.x'), 'unreachable-case', /always false/],
    [
      'a default after a case that is always true',
      `${units('')}\nflow: { type: switch, cases: [{ if: 'true', do: a }], default: »b }`,
      'unreachable-case',
      /a case before it is always true/,
    ],
    [
      'a branch of a race that may be skipped',
      `${units(", if: 'input.x'")}\nflow: { type: race, units: [»a, b] }`,
      'skipped-winner',
      /wins the race/,
    ],
    [
      'a compensation in a best-effort branch without a try',
      `${units(', compensate: undo')}\nflow: { type: parallel, failureStrategy: best-effort, units: [{ type: sequential, order: [»a, b] }] }`,
      'kept-debt',
      /put a `try` with `compensate: true`/,
    ],
    [
      'a condition on an output that its branch drops',
      `${units('')}\nflow:\n  type: sequential\n  order:\n    - { type: parallel, failureStrategy: best-effort, units: [{ type: sequential, order: [a, b] }] }\n    - { type: switch, cases: [{ if: 'has(»outputs.a)', do: undo }] }`,
      'dropped-output',
      /name it in `compensate` of a/,
    ],
    [
      'a var that nothing reads',
      `vars: { n: »1 }${units('')}\nflow: a`,
      'unused-var',
      /The var n is read by no expression/,
    ],
    [
      'an output that the flow may not have come to',
      `output: { a: '\${{ »outputs.a }}' }${units('')}\nflow: { type: switch, cases: [{ if: input.x, do: a }] }`,
      'may-be-missing',
      /write has\(outputs\.a\) \? outputs\.a : null/,
    ],
  ] as const)('%s', async (_what, spec, code, message) => {
    const text = documentWith(spec);
    expect(await oddOf(text)).toEqual([
      { code, ...markedPlace(text), message: expect.stringMatching(message) as string },
    ]);
  });

  it.each([
    [
      'cases that are wider and wider',
      cases('input.x > 10000', 'input.x > 500', 'input.y > 1', 'input.x < 500'),
    ],
    ['comparisons of others', cases('input.x > 5', 'input.y > 5', 'input.x + 1 > 6')],
    [
      'a compensation in a try of a best-effort branch',
      `${units(', compensate: undo')}\nflow: { type: parallel, failureStrategy: best-effort, units: [{ type: try, do: { type: sequential, order: [a, b] }, compensate: true }] }`,
    ],
    [
      'a condition on an output of a branch that is one unit',
      `${units('')}\nflow:\n  type: sequential\n  order:\n    - { type: parallel, failureStrategy: best-effort, units: [a, b] }\n    - { type: switch, cases: [{ if: 'has(outputs.a)', do: undo }] }`,
    ],
    [
      'a condition on an output before what its branch catches',
      `${units('')}\nflow:\n  type: sequential\n  order:\n    - { type: parallel, failureStrategy: best-effort, units: [{ type: try, ignore: true, do: { type: sequential, order: [a, b] } }] }\n    - { type: switch, cases: [{ if: 'has(outputs.a)', do: undo }] }`,
    ],
    [
      'a var that is looked up by a name that is made',
      `vars: { n: 1 }${units(", if: 'vars[input.x] == 1'")}\nflow: a`,
    ],
    ['an output that is always there', `output: '\${{ outputs.a }}'${units('')}\nflow: a`],
  ])('but not %s', async (_what, spec) => {
    expect(await oddOf(documentWith(spec))).toEqual([]);
  });
});
