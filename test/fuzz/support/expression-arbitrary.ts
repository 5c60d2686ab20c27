import fc from 'fast-check';

/** CEL that compiles most of the time, means something now and then, and is broken a little at times. */

const leaves = fc.constantFrom(
  '1',
  '0',
  '-1',
  '2.5',
  '1e300',
  '9223372036854775807',
  '3u',
  '"text"',
  '""',
  'b"x"',
  'true',
  'false',
  'null',

  'input',
  'input.n',
  'input.t',
  'input.l',
  'input.a',
  'input["a"]',
  'state',
  'state.n',
  'state.l',
  'state.s',
  'outputs',
  'outputs.u0',
  'outputs["u1"]',
  'state["output.u0"]',
  'errors',
  'run.runId',
  'run.createdAt',

  'iteration',
  'item',
  'index',
  '[]',
  '[1, 2, 3]',
  '{}',
  '{"a": 1}',
  'has(state.s)',
  '"output.u0" in state',
);

/** A use of the variable of the loop around it. */
const variable = fc.constantFrom('x', 'y');

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const one = tie('expression');
  const pair = fc.tuple(one, one);
  const wrap = (make: (inner: string) => string) => one.map(make);
  return {
    expression: fc.oneof(
      { maxDepth: 5, depthSize: 'small', withCrossShrink: true },
      leaves,
      variable,
      fc
        .tuple(one, fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', 'in', '&&', '||'), one)
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc.tuple(one, one, one).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
      fc
        .tuple(fc.constantFrom('size', 'string', 'int', 'double', 'bool', 'type', 'timestamp', '!', '-'), one)
        .map(([name, inner]) => `${name}(${inner})`),
      fc
        .tuple(
          one,
          fc.constantFrom('contains', 'startsWith', 'endsWith', 'matches', 'split', 'join', 'indexOf'),
          one,
        )
        .map(([target, name, argument]) => `${target}.${name}(${argument})`),
      pair.map(([target, text]) => `${target}.replace("a", ${text})`),
      fc
        .tuple(one, fc.constantFrom('upperAscii', 'lowerAscii', 'trim', 'size', 'toString'))
        .map(([target, name]) => `${target}.${name}()`),
      fc
        .tuple(one, fc.constantFrom('map', 'filter', 'all', 'exists', 'exists_one'), variable, one)
        .map(([list, name, x, body]) => `${list}.${name}(${x}, ${body})`),
      pair.map(([target, index]) => `${target}[${index}]`),
      wrap((target) => `${target}.a`),
      fc.array(one, { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
      pair.map(([key, value]) => `{${key}: ${value}}`),
    ),
  };
});

/** Pieces that do not belong there. */
const CLUTTER = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"',
  '\\',
  '.',
  ',',
  '${{',
  '}}',
  ' ',
  '//',
  '?',
  ':',
  'in',
  '\n',
  '\u0000',
  '💥',
];

const broken = fc
  .tuple(expression, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), fc.constantFrom('', ...CLUTTER))
  .map(([text, share, dropped, clutter]) => {
    const at = Math.floor(share * text.length);
    return text.slice(0, at) + clutter + text.slice(at + dropped);
  });

export const expressions: fc.Arbitrary<string> = fc
  .oneof({ weight: 12, arbitrary: expression }, { weight: 1, arbitrary: broken })
  .map((text) => (text === '' ? '1' : text));

/** Compares, so that a condition is one more often. */
export const conditions: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'true',
    'input.n > 3',
    'has(state.s)',
    '!has(state.s)',
    'size(input.l) < 4',
    'iteration > 1',
  ),
  fc.tuple(expressions, expressions).map(([left, right]) => `${left} == ${right}`),
  expressions,
);

export const templates: fc.Arbitrary<string> = fc.oneof(
  expressions.map((text) => `\${{ ${text} }}`),
  fc.tuple(expressions, expressions).map(([one, two]) => `a \${{ ${one} }} b \${{ ${two} }}`),
  fc.constantFrom('plain', '$${{ not }}', '${{', '${{ }}', '}}', '${{ 1 }', '${{ "}}" }}'),
);
