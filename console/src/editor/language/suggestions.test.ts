import { readFileSync } from 'node:fs';
import { FUNCTION_NAMES } from '../../../../src/engine/language/expression/program/environment.js';
import { NO_LOOPS, variableFor } from '../../../../src/engine/language/expression/surroundings.js';
import { FUNCTIONS, METHODS, VARIABLES } from './expression-names.js';
import { NO_NAMES, type KnownNames } from '../../documents/known-names.js';
import type { Schema } from './schema-walk.js';
import type { Suggestion } from './suggestion.js';
import { descriptionAt, suggestionsAt } from './suggestions.js';
import { placeAt } from './yaml-place.js';

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../../../schemas/workflow.v1.schema.json', import.meta.url), 'utf8'),
) as Schema;
const NAMES: KnownNames = {
  unitIds: ['pay', 'my-unit'],
  vars: ['net'],
  inputKeys: ['amount'],
  uses: ['acme.pay'],
};

/** What is offered where the bar stands. */
function offered(text: string, names: KnownNames = NAMES): readonly Suggestion[] {
  const position = text.indexOf('|');
  const whole = text.slice(0, position) + text.slice(position + 1);
  const textFrom = (from: number): string => whole.slice(from, position);
  return suggestionsAt(placeAt(whole, position), position, { root: SCHEMA, names, textFrom }).options;
}
const labels = (text: string, names?: KnownNames): readonly string[] =>
  offered(text, names).map(({ label }) => label);

describe('keys', () => {
  it('are those of the schema that are not there yet, the required ones marked', () => {
    expect(labels('apiVersion: flowgate/v1\n|')).toEqual(['kind', 'metadata', 'spec']);
    const unit = offered('spec:\n  units:\n    - id: a\n      |');
    expect(unit.map(({ label }) => label)).not.toContain('id');
    expect(unit.find(({ label }) => label === 'uses')).toMatchObject({ kind: 'key', detail: 'required' });
    expect(unit.find(({ label }) => label === 'config')).toMatchObject({ opens: 'map' });
  });

  it('of a flow are those of its type, and until it has one, the type', () => {
    expect(labels('spec:\n  flow:\n    |')).toEqual(['type']);
    expect(labels('spec:\n  flow:\n    type: race\n    |')).toEqual(['units', 'winner', 'compensate']);
    expect(labels('spec:\n  flow:\n    type: sequential\n    order:\n      - { type: loop, |')).toContain(
      'until',
    );
  });

  it('of a list begin its items', () => {
    expect(labels('spec:\n  units:\n    - |')).toContain('id');
    expect(labels('spec:\n  units:\n    - { |')).toContain('uses');
  });

  it('of a config are the settings of the unit of the service', () => {
    expect(
      labels('spec:\n  units:\n    - id: a\n      uses: builtin.wait\n      config:\n        |'),
    ).toEqual(['duration', 'durationMs', 'until']);
    expect(labels('spec:\n  units:\n    - { id: a, uses: builtin.mock, config: { | } }')).toContain(
      'response',
    );
    expect(labels('spec:\n  units:\n    - { id: a, uses: acme.pay, config: { | } }')).toEqual([]);
  });

  it('of the dependencies of a dag are its units', () => {
    expect(labels('spec:\n  flow:\n    type: dag\n    dependencies:\n      |')).toEqual(['pay', 'my-unit']);
  });
});

describe('values', () => {
  it('are the words that the schema allows, the default marked', () => {
    const words = offered('spec:\n  flow:\n    type: parallel\n    failureStrategy: |');
    expect(words.map(({ label }) => label)).toEqual(['fail-fast', 'collect-errors', 'best-effort']);
    expect(words[0]).toMatchObject({ detail: 'default' });
    expect(labels('kind: |')).toEqual(['Workflow']);
  });

  it('are units where a unit may stand, and not where one is declared', () => {
    expect(labels('spec:\n  flow:\n    type: sequential\n    order: [|')).toEqual(['pay', 'my-unit']);
    expect(labels('spec:\n  units:\n    - id: |')).toEqual([]);
    expect(labels('spec:\n  units:\n    - compensate: |')).toEqual(['pay', 'my-unit']);
  });

  it('of uses are what is known to answer, and what the service brings', () => {
    const uses = labels('spec:\n  units:\n    - uses: |');
    expect(uses[0]).toBe('acme.pay');
    expect(uses).toContain('builtin.approval');
  });

  it('are quoted where YAML would read something else', () => {
    const [one, two] = offered('spec:\n  flow: |', { ...NO_NAMES, unitIds: ['yes', 'a b'] });
    expect([one?.insert, two?.insert]).toEqual(['"yes"', '"a b"']);
  });
});

describe('expressions', () => {
  it('begin with variables and functions', () => {
    const names = labels("spec:\n  units:\n    - with: { sum: '${{ |");
    expect(names).toEqual(expect.arrayContaining(['input', 'vars', 'outputs', 'size', 'timestamp']));
  });

  it.each([
    ['vars.', ['net']],
    ['1 + input.am', ['amount']],
    ['outputs.', ['pay']],
    ['run.', ['runId', 'workflowId', 'createdAt']],
  ])('go on after %s', (written, expected) => {
    expect(labels(`title: \${{ ${written}|`)).toEqual(expected);
  });

  it('go on with methods after anything else, and with nothing in a text', () => {
    expect(labels('title: ${{ input.name.|')).toContain('startsWith');
    expect(labels('title: ${{ "in|')).toEqual([]);
  });

  it('stand alone where the schema has an expression', () => {
    expect(labels('spec:\n  units:\n    - id: a\n      if: vars.|')).toEqual(['net']);
  });

  it('are offered the functions that the engine has, and no others', () => {
    const MACROS = ['has', 'map', 'filter', 'all', 'exists', 'exists_one'];
    const ours = [...Object.keys(FUNCTIONS), ...Object.keys(METHODS)];
    expect(ours.toSorted()).toEqual([...FUNCTION_NAMES, ...MACROS].toSorted());
  });

  it('are offered the variables that the engine has', () => {
    const everywhere = { ...NO_LOOPS, inLoop: true, itemNames: ['item'], inCatch: true } as const;
    for (const name of Object.keys(VARIABLES)) {
      const surroundings = name === 'done' ? { ...NO_LOOPS, inCompensation: true as const } : everywhere;
      expect([name, variableFor(name, surroundings) === undefined]).toEqual([name, false]);
    }
  });
});

it('describes a key by the schema, also where what stands there refers to something else', () => {
  const at = (text: string) => descriptionAt(placeAt(text, text.length), SCHEMA);
  expect(at('spec:\n  units:\n    - uses: x')).toMatchObject({
    key: 'uses',
    text: expect.stringMatching(/^The name of what does/),
  });
  expect(at('spec:\n  units:\n    - if: x')?.text).toMatch(/^A CEL expression/);
  expect(at('spec:\n  units:\n    - config: { any: x')).toBeNull();
});
