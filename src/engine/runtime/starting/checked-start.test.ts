import { inSequence } from '../../../../test/support/engine.js';
import { definitionOf } from '../../../../test/support/live-shell.js';
import type { JsonObject } from '../../core/json.js';
import type { Definition } from '../../definitions/definition.js';
import { checkedInput, checkedLabels, checkNamespace } from './checked-start.js';

const definition = definitionOf(inSequence('w', [{ id: 'a', uses: 'work' }]));
const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${i}`, '']));

describe('the labels of a start', () => {
  it.each([
    ['none', {}],
    ['as many as there may be', labels(32)],
    ['names of every character that there may be', { 'a-z_0.9': 'x', a: '' }],
    ['a name of 63 characters', { ['a'.repeat(63)]: '' }],
    ['a value of 256 characters', { a: 'x'.repeat(256) }],
  ])('may be %s, and are a frozen copy', (_what, given) => {
    const checked = checkedLabels(given);
    expect(checked).toEqual(given);
    expect(checked).not.toBe(given);
    expect(Object.isFrozen(checked)).toBe(true);
  });

  it('are none where none are given', () => {
    expect(checkedLabels(undefined)).toEqual({});
    expect(Object.isFrozen(checkedLabels(undefined))).toBe(true);
  });

  it.each([
    ['one too many', labels(33), 'at most 32 labels'],
    ['no name', { '': '' }, 'The label "" cannot'],
    ['a name that begins with a digit', { '1a': '' }, 'The label "1a" cannot'],
    ['a name in capitals', { A: '' }, 'The label "A" cannot'],
    ['a name with a line after it', { 'a\n': '' }, 'cannot be used'],
    ['a name of 64 characters', { ['a'.repeat(64)]: '' }, 'cannot be used'],
    ['a value of 257 characters', { a: 'x'.repeat(257) }, 'The label a must be'],
    ['a value that is no text', { a: 1 as unknown as string }, 'The label a must be'],
  ])('are refused with %s', (_what, given, message) => {
    expect(() => checkedLabels(given)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
    expect(() => checkedLabels(given)).toThrow(message);
  });

  it('are named in the refusal by their first 100 characters at most', () => {
    expect(() => checkedLabels({ ['A'.repeat(5_000)]: '' })).toThrow(`"${'A'.repeat(100)}" cannot`);
  });
});

describe('the namespace of a request', () => {
  it('is taken when it is a name, and refused with its first 100 characters else', () => {
    for (const name of ['default', 'a', 'a-1', 'x'.repeat(63)])
      expect(() => checkNamespace(name)).not.toThrow();
    expect(() => checkNamespace('A'.repeat(5_000))).toThrow(`"${'A'.repeat(100)}" cannot`);
  });
});

describe('the input of a start', () => {
  const checked = async (given: JsonObject, by: Definition) => checkedInput(given, by, null);

  it('has ten thousand keys at its top at most, and is refused with what to do', async () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
    expect(Object.keys(await checked(keys(10_000), definition))).toHaveLength(10_000);
    await expect(checked(keys(10_001), definition)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/ input has 10001 keys .* under a single key$/),
    });
    await expect(checked({ keys: keys(10_001) }, definition)).resolves.toBeDefined();
  });

  it('is a frozen copy, deep down', async () => {
    const given = { list: [{ a: 1 }] };
    const input = await checked(given, definition);
    given.list[0]!.a = 2;
    expect(input).toEqual({ list: [{ a: 1 }] });
    expect(Object.isFrozen((input as typeof given).list[0])).toBe(true);
  });

  it('is refused when it is no JSON, or not what the workflow takes', async () => {
    const invalid = expect.objectContaining({ code: 'invalid-input' });
    await expect(checked({ a: (() => 1) as never }, definition)).rejects.toThrow(invalid);
    const strict = { ...definition, checkInput: () => [{ path: '/n', message: 'is missing' }] };
    await expect(checked({}, strict)).rejects.toThrow(invalid);
    const lenient = { ...definition, checkInput: () => [] };
    await expect(checked({ n: 1 }, lenient)).resolves.toEqual({ n: 1 });
  });

  it('is checked in the share of its caller, or, where there is none, of the workflow', async () => {
    const callers: (string | null)[] = [];
    const noted: Definition = { ...definition, checkInput: (_input, caller) => (callers.push(caller), []) };
    for (const caller of ['person ada', null]) await checkedInput({}, noted, caller);
    expect(callers).toEqual(['person ada', null]);
  });

  it('is refused with keys that the engine writes itself, each of them named', async () => {
    const forged = {
      'hitl.approved': true,
      'output.ask': {},
      'errors.': 1,
      hitl: 1,
      outputs: 1,
      a: { 'hitl.x': 1 },
    };
    await expect(checked(forged, definition)).rejects.toThrow(
      expect.objectContaining({
        code: 'invalid-request',
        details: ['hitl.approved', 'output.ask', 'errors.'].map((key) =>
          expect.objectContaining({ path: `input["${key}"]` }),
        ),
      }),
    );
    const { 'hitl.approved': _a, 'output.ask': _b, 'errors.': _c, ...allowed } = forged;
    await expect(checked(allowed, definition)).resolves.toEqual(allowed);
    await expect(checked({ [`output.${'x'.repeat(500)}`]: 1 }, definition)).rejects.toThrow(
      `input["output.${'x'.repeat(93)}"] is reserved`,
    );
  });
});
