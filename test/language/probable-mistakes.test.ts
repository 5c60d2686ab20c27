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
