import type { JsonObject } from '../../src/engine/index.js';
import { openEngine, workflowYaml } from '../support/engine.js';

/** Starts a run with the input; returns the faults of a refusal, null when it was accepted. */
async function faultsOf(
  schema: object,
  input: JsonObject,
): Promise<readonly { path: string; message: string }[] | null> {
  const { engine } = await openEngine({ work: () => null });
  const units = [{ id: 'u', uses: 'work' }];
  await engine.workflows.register({ yaml: workflowYaml('checked', { input: schema, units, flow: 'u' }) });
  try {
    await engine.runs.start({ workflowId: 'checked', input, sync: true });
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid-input' });
    return (error as { details: readonly { path: string; message: string }[] }).details;
  } finally {
    await engine.close();
  }
}

/** How many ms the check took, the registration included. */
async function timeOf(schema: object, input: JsonObject): Promise<number> {
  const begin = performance.now();
  await faultsOf(schema, input);
  return performance.now() - begin;
}

const field = (schema: object) => ({ type: 'object', properties: { x: schema } });

describe('spec.input', () => {
  it('refuses an input that breaks it, with every fault and its path', async () => {
    const schema = {
      type: 'object',
      required: ['id', 'amount'],
      properties: {
        amount: { type: 'number', minimum: 0 },
        lines: { type: 'array', items: { type: 'string' } },
      },
    };
    expect(await faultsOf(schema, { amount: -1, lines: ['a', 2] })).toEqual([
      { path: '', message: "input must have required property 'id'" },
      { path: '/amount', message: 'input.amount must be >= 0' },
      { path: '/lines/1', message: 'input.lines.1 must be string' },
    ]);
    expect(await faultsOf(schema, { id: 1, amount: 2 })).toBeNull();
  });

  it.each([
    ['date', '2026-02-28', '2026-02-30'],
    ['date-time', '2026-02-28T10:00:00Z', '2026-02-28 later'],
    ['time', '10:00:00Z', '25:00:00Z'],
    ['email', 'ann@example.org', 'ann at example'],
    ['uri', 'https://example.org/a?b=c', 'not a uri'],
    ['url', 'https://example.org/a', 'mailto:ann@example.org'],
    ['uuid', '01890000-0000-7000-8000-000000000000', '0189'],
    ['ipv4', '127.0.0.1', '300.0.0.1'],
    ['ipv6', '::1', ':::1'],
    ['hostname', 'example.org', '-example'],
    ['duration', 'PT5M', '5 minutes'],
    ['json-pointer', '/a/0', 'a'],
  ])('knows the format %s', async (format, good, bad) => {
    expect(await faultsOf(field({ type: 'string', format }), { x: good })).toBeNull();
    expect(await faultsOf(field({ type: 'string', format }), { x: bad })).toEqual([
      { path: '/x', message: `input.x must match format "${format}"` },
    ]);
  });

  it.each([
    ['^INV-\\d+$', 'INV-12', 'INV-'],
    ['^[\\w-]{2,5}$', 'a-b', 'too-long'],
    ['^\\u0041\\u{42}$', 'AB', 'ab'],
    ['b', 'abc', 'ac'],
    ['^\\p{Lu}\\p{L}*$', 'Ätna', 'ätna'],
    ['^(?<year>\\d{4})$', '2026', '26'],
  ])('matches the pattern %s', async (pattern, good, bad) => {
    expect(await faultsOf(field({ pattern }), { x: good })).toBeNull();
    expect(await faultsOf(field({ pattern }), { x: bad })).toHaveLength(1);
  });

  it('keeps two patterns of one schema apart', async () => {
    const schema = { type: 'object', properties: { x: { pattern: '^a+$' }, y: { pattern: '^b+$' } } };
    expect(await faultsOf(schema, { x: 'a', y: 'b' })).toBeNull();
    expect(await faultsOf(schema, { x: 'b', y: 'a' })).toHaveLength(2);
  });

  it('does not take what every object inherits for a field that is there', async () => {
    expect(await faultsOf({ type: 'object', required: ['constructor'] }, {})).toHaveLength(1);
    expect(await faultsOf({ type: 'object', properties: { toString: { type: 'string' } } }, {})).toBeNull();
  });

  it('finds items that are there twice, whatever the order of their fields', async () => {
    const schema = field({ type: 'array', uniqueItems: true });
    expect(
      await faultsOf(schema, {
        x: [
          { a: 1, b: 2 },
          { a: 1, b: 3 },
        ],
      }),
    ).toBeNull();
    expect(
      await faultsOf(schema, {
        x: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      }),
    ).toEqual([{ path: '/x', message: 'input.x must NOT have duplicate items' }]);
    expect(await faultsOf(schema, { x: [1, '1', true, null] })).toBeNull();
  });
});

describe('a hostile input ends in bounded time:', () => {
  const long = 100_000;

  it.each([
    ['a pattern of nested repetitions', { pattern: '^(a+)+$' }, `${'a'.repeat(long)}!`],
    ['a pattern of alternatives that overlap', { pattern: '^(a|aa|a*)*b$' }, 'a'.repeat(long)],
    ['a pattern that can begin everywhere', { pattern: '(x+x+)+y' }, 'x'.repeat(long)],
    ['a pattern of many wildcards', { pattern: '(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[^a]$' }, 'a'.repeat(long)],
    ['a counted repetition', { pattern: '^(a?){100}a{100}$' }, 'a'.repeat(99)],
    ['an address of colons', { format: 'url' }, `http://${':'.repeat(long)}`],
    ['an e-mail address without an end', { format: 'email' }, `a@${'a.'.repeat(long / 2)}!`],
    ['a uri of escapes', { format: 'uri' }, `urn:${'%20'.repeat(long / 3)} `],
    ['many items that must differ', { uniqueItems: true }, Array.from({ length: 50_000 }, (_, n) => ({ n }))],
    [
      'many items that are wrong',
      { type: 'array', items: { $ref: '#/$defs/text' } },
      Array.from({ length: long }, (_, n) => n),
    ],
    [
      'a pattern of properties',
      { type: 'object', patternProperties: { '^(a+)+$': false } },
      { [`${'a'.repeat(long)}!`]: 1 },
    ],
  ])('%s', async (_name, schema, x) => {
    const whole = { ...field(schema), $defs: { text: { type: 'string' } } };
    expect(await timeOf(whole, { x } as JsonObject)).toBeLessThan(3_000);
  });

  it('a text and a pattern that are large together are refused', async () => {
    const pattern = `^(${'[ab]*c?'.repeat(60)})$`;
    const faults = await faultsOf(field({ pattern }), { x: 'ab'.repeat(1_000_000) });
    expect(faults).toEqual([
      { path: '', message: 'input is too long to be matched with the patterns of spec.input: shorten it' },
    ]);
  });

  it('a schema that refers to itself without an end', async () => {
    const schema = { type: 'object', allOf: [{ $ref: '#' }] };
    const faults = await faultsOf(schema, {});
    expect(faults).toEqual([
      { path: '', message: 'input cannot be checked: it, or spec.input, is nested too deep' },
    ]);
  });
});
