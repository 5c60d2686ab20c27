import { createEngine } from '../../src/engine/index.js';
import { documentWith, markedPlace, refusalOf, unitOf } from './support/faults.js';

/** What a new document is refused for; each has one fault, at the mark. */
describe('of a new document is refused, with its position and what to do:', () => {
  const place =
    'no secret is filled in here, so ${secret:TOKEN} would stay this text: name it in the headers of a binding or in the config of a unit that is called; for the text itself write ${{ "$" + "{secret:TOKEN}" }}';

  it.each<[string, string, string, string]>([
    [
      'an input of fields that are no schema',
      documentWith('input: »{ amount: number, by: { of: x } }\nunits: [{ id: a, uses: acme.work }]\nflow: a'),
      '/spec/input',
      'spec.input is a JSON Schema, and none of its keys is a keyword of one, so it would take every input: write { type: object, properties: { amount: { type: number }, by: { … } } }',
    ],
    [
      'an input that is no object',
      documentWith('input: { type: »array }\nunits: [{ id: a, uses: acme.work }]\nflow: a'),
      '/spec/input/type',
      'spec.input.type must be `object`, not `array`: the input of a run is an object; write { type: object, properties: { value: … } } for one that holds it',
    ],
    [
      'a secret in an input',
      unitOf("uses: acme.work\nwith: { token: ['Bearer »${secret:TOKEN}'] }"),
      '/spec/units/0/with/token/0',
      place,
    ],
    [
      'a secret in the whole input',
      unitOf('uses: acme.work\nwith: \'${{ "»${secret:TOKEN}" }}\''),
      '/spec/units/0/with',
      place,
    ],
    [
      'a secret in a condition',
      unitOf('uses: acme.work\nif: \'input.t == "»${secret:TOKEN}"\''),
      '/spec/units/0/if',
      place,
    ],
    [
      'a secret in the settings of what is not called',
      unitOf("uses: builtin.set\nwith: { values: { t: '»${secret:TOKEN}' } }"),
      '/spec/units/0/with/values/t',
      place,
    ],
    [
      'a secret in an expression of such settings',
      unitOf("uses: builtin.fail\nconfig: { message: '${{ input.x }} »${secret:TOKEN}' }"),
      '/spec/units/0/config/message',
      place,
    ],
    [
      'the output of a unit that comes later',
      unitOf("uses: acme.work\nwith: { x: 'so: ${{ »outputs.b }}' }"),
      '/spec/units/0/with/x',
      'outputs.b is never there when this is evaluated: b comes after a: put it before',
    ],
  ])('%s', async (_name, text, path, message) => {
    const { type, details } = await refusalOf(text);
    expect(type).toBe('YamlLoadError');
    expect(details).toEqual([{ path, ...markedPlace(text), message }]);
  });
});

describe('of a new document is taken:', () => {
  it.each([
    ['a schema', 'input: { properties: { amount: { type: number } } }'],
    ['an annotation', 'input: { description: anything }'],
    ['no schema at all', 'input: {}'],
    ['an object or null', 'input: { type: [object, "null"] }'],
    ['a reference', 'input: { $ref: "#/$defs/it", $defs: { it: { type: object } } }'],
  ])('%s', async (_name, line) => {
    expect(await warningsOf(documentWith(`${line}\nunits: [{ id: a, uses: acme.work }]\nflow: a`))).toEqual(
      [],
    );
  });

  it.each([
    [
      'in the headers of builtin.http',
      "uses: builtin.http\nconfig: { endpoint: 'http://127.0.0.1:9/', headers: { x: '${secret:T}' } }",
    ],
    [
      'chosen by an expression there',
      'uses: builtin.http\nconfig: { endpoint: \'http://127.0.0.1:9/\', headers: { x: \'${{ input.p ? "${secret:T}" : "${secret:U}" }}\' } }',
    ],
    ['in the config of code', "uses: acme.work\nconfig: { token: '${secret:T}' }"],
    ['as text that is put together', 'uses: acme.work\nwith: { text: \'${{ "$" + "{secret:T}" }}\' }'],
  ])('a secret %s', async (_name, fields) => {
    expect(await warningsOf(unitOf(fields))).toEqual([]);
  });

  it('what never is there, where a condition asks for it first, with a warning', async () => {
    expect(
      await warningsOf(unitOf("uses: acme.work\nif: has(outputs.b)\nwith: { x: '${{ outputs.b }}' }")),
    ).toEqual([
      'spec.units[0].with.x may read outputs.b, which it never is: b comes after a: put it before',
      'spec.units[0].if asks whether outputs.b is there, which it never is: b comes after a: put it before',
    ]);
  });

  it('a secret in the config of what fills in none, with a warning', async () => {
    expect(await warningsOf(unitOf("uses: builtin.mock\nconfig: { response: 'x ${secret:T}' }"))).toEqual([
      'spec.units[0].config.response holds ${secret:T}, which is text: builtin.mock fills in no secrets',
    ]);
  });
});

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
