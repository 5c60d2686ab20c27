import fc from 'fast-check';

/**
 * CEL that compiles and means something most of the time: each kind of value has its expressions, which now and then
 * take one of another kind, and a text is at times scratched. Where an expression is only the writer of the flow
 * knows: `@`, `@pass` and `@item` are for `inPlace`.
 */

/** The variable of the nearest comprehension. */
const VARIABLE = '@';

interface Kinds {
  readonly number: string;
  readonly text: string;
  readonly list: string;
  readonly truth: string;
  readonly any: string;
}

const { any, list, truth } = fc.letrec<Kinds>((tie: fc.LetrecTypedTie<Kinds>): fc.LetrecValue<Kinds> => {
  const bounded = { maxDepth: 4, depthSize: 'small', withCrossShrink: true } as const;
  const number = tie('number');
  const text = tie('text');
  const items = tie('list');
  const isSo = tie('truth');
  const value = tie('any');
  /** Of that kind, and now and then of none in particular. */
  const mostly = (kind: fc.Arbitrary<string>) =>
    fc.oneof({ weight: 12, arbitrary: kind }, { weight: 1, arbitrary: value });
  const pair = (kind: fc.Arbitrary<string>) => fc.tuple(mostly(kind), mostly(kind));
  const comprehension = (name: string, body: fc.Arbitrary<string>) =>
    fc.tuple(mostly(items), mostly(body)).map(([range, each]) => {
      const variable = `v${range.length % 7}`;
      return `${range}.${name}(${variable}, ${each.replaceAll(/@(?!\w)/g, variable)})`;
    });
  const either = (kind: fc.Arbitrary<string>) =>
    fc.tuple(isSo, kind, kind).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`);
  return {
    number: fc.oneof(
      bounded,
      fc.constantFrom(
        '1',
        '0',
        '-1',
        '2.5',
        'input.n',
        'run.createdAt',
        '@pass',
        VARIABLE,
        '9007199254740993',
        '1e308',
      ),
      fc
        .tuple(number, fc.constantFrom('+', '-', '*', '/', '%'), mostly(number))
        .map((all) => `(${all.join(' ')})`),
      fc.oneof(mostly(items), mostly(text)).map((of) => `size(${of})`),
      mostly(text).map((of) => `int(${of})`),
      either(number),
    ),
    text: fc.oneof(
      bounded,
      fc.constantFrom('"text"', '""', 'input.t', 'run.runId', '"a,b"', '"\\u0000"', 'r"(a+)+$"'),
      pair(text).map((all) => `(${all.join(' + ')})`),
      mostly(value).map((of) => `string(${of})`),
      fc
        .tuple(mostly(text), fc.constantFrom('upperAscii', 'lowerAscii', 'trim'))
        .map(([of, name]) => `${of}.${name}()`),
      fc.tuple(text, text, text).map(([of, from, to]) => `${of}.replace(${from}, ${to})`),
      fc.tuple(mostly(items), text).map(([of, by]) => `${of}.map(w, string(w)).join(${by})`),
      either(text),
    ),
    list: fc.oneof(
      bounded,
      fc.constantFrom('input.l', '[]', '[1, 2, 3]', '["a", "b"]', '[[1], [2]]'),
      fc.array(value, { maxLength: 4 }).map((of) => `[${of.join(', ')}]`),
      pair(items).map((all) => `(${all.join(' + ')})`),
      comprehension('map', value),
      comprehension('filter', isSo),
      fc.tuple(mostly(text), text).map(([of, by]) => `${of}.split(${by})`),
      either(items),
    ),
    truth: fc.oneof(
      bounded,
      fc.constantFrom(
        'true',
        'false',
        'has(state.s)',
        '"output.u0" in state',
        '"u1" in outputs',
        '@pass > 1',
      ),
      pair(number)
        .map((all) => all.join(' < '))
        .map((of) => `(${of})`),
      pair(value).map((all) => `(${all.join(' == ')})`),
      fc.tuple(isSo, fc.constantFrom('&&', '||'), mostly(isSo)).map((all) => `(${all.join(' ')})`),
      mostly(isSo).map((of) => `!${of}`),
      fc
        .tuple(mostly(text), fc.constantFrom('contains', 'startsWith', 'endsWith', 'matches'), text)
        .map(([of, name, part]) => `${of}.${name}(${part})`),
      fc.constantFrom('all', 'exists', 'exists_one').chain((name) => comprehension(name, isSo)),
      fc.tuple(value, mostly(items)).map(([one, of]) => `(${one} in ${of})`),
    ),
    any: fc.oneof(
      bounded,
      fc.constantFrom(
        'null',
        'input',
        'state',
        'outputs',
        'errors',
        'input.a',
        'state.n',
        '@item',
        VARIABLE,
        'run',
      ),
      number,
      text,
      items,
      isSo,
      fc.tuple(text, value).map(([key, of]) => `{${key}: ${of}}`),
      fc.tuple(mostly(items), number).map(([of, at]) => `${of}[${at}]`),
      fc.constantFrom(
        'state["output.u0"]',
        'outputs.u1',
        'state.s',
        'input.a.b[0]',
        'timestamp("2024-01-01T00:00:00Z")',
      ),
    ),
  };
});

const CLUTTER = [
  '',
  '(',
  ')',
  '[',
  '{',
  '"',
  '\\',
  '.',
  ',',
  '${{',
  '}}',
  '//',
  '?',
  ':',
  ' in ',
  '\n',
  '\u0000',
  '💥',
];

/** Now and then a few characters are wrong. */
const scratched = (sound: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 40, arbitrary: sound },
    {
      weight: 1,
      arbitrary: fc
        .tuple(sound, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), fc.constantFrom(...CLUTTER))
        .map(([text, share, dropped, clutter]) => {
          const at = Math.floor(share * text.length);
          return `${text.slice(0, at)}${clutter}${text.slice(at + dropped)}` || '1';
        }),
    },
  );

export const conditions = scratched(truth);
export const lists = scratched(list);

export const templates: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: scratched(any).map((text) => `\${{ ${text} }}`) },
  { weight: 2, arbitrary: fc.tuple(any, any).map(([one, two]) => `a \${{ ${one} }} b \${{ ${two} }}`) },
  { weight: 2, arbitrary: fc.constantFrom('plain', '$${{ not }}', '}}', '${{ "}}" }}') },
  { weight: 1, arbitrary: fc.constantFrom('plain', 'plain', 'plain', '${{', '${{ }}', '${{ 1 }') },
);

/** Gives the words that depend on the location their meaning there; texts outside of comprehensions have no variable. */
export function inPlace(
  text: string,
  place: { readonly isInLoop: boolean; readonly item: string | null },
): string {
  return text
    .replaceAll('@pass', place.isInLoop ? 'iteration' : place.item === null ? 'input.n' : 'index')
    .replaceAll('@item', place.item ?? 'input.a')
    .replaceAll(/(?<![\w"])@(?!\w)/g, 'input.n');
}
