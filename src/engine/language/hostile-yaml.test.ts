import { readFileSync, readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { YamlValidationError } from '../../errors/document-errors.js';
import { parseDocument } from './parse-document.js';
import { lawCases, lawSize } from '../../../test/support/law-cases.js';
import { cpuMs } from '../../../test/support/cpu-time.js';

const FIXTURES = new URL('../../../schemas/fixtures/valid/', import.meta.url);
const TEXTS = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => readFileSync(new URL(file, FIXTURES), 'utf8'));

/** Null when the text is accepted; anything but a `YamlValidationError` fails the test. */
function refusal(yaml: string): YamlValidationError | null {
  try {
    parseDocument(yaml, { apiGroups: ['flowgate'] });
    return null;
  } catch (error) {
    if (error instanceof YamlValidationError) return error;
    throw error;
  }
}

const LAUGHS = Array.from({ length: 30 }, (_, i) => `k${i + 1}: &k${i + 1} [*k${i}, *k${i}, *k${i}]`).join(
  '\n',
);

const LINES = lawSize(100_000);

const ATTACKS: readonly (readonly [string, string, string])[] = [
  ['100,000 open lists', '['.repeat(100_000), 'nested deeper than 1000 levels'],
  ['100,000 open maps', '{a: '.repeat(100_000), 'nested deeper than 1000 levels'],
  ['100,000 nested list items', '- '.repeat(100_000), 'nested deeper than 1000 levels'],
  ['100,000 nested keys', '? '.repeat(100_000), 'nested deeper than 1000 levels'],
  ['100,000 lists that are closed again', '['.repeat(100_000) + ']'.repeat(100_000), 'nested deeper'],
  ['deep lists behind a valid beginning', `${TEXTS[0]}x: ${'['.repeat(50_000)}`, 'nested deeper'],
  ['depth by aliases', depthByAliases(), 'nested deeper than 1000 levels'],
  ['a million closing brackets', ']'.repeat(1_000_000), 'Unexpected'],
  ['a million anchors', '&a '.repeat(600_000), 'too many anchors'],
  ['a million tags', '! '.repeat(1_000_000), 'too many anchors, aliases, tags'],
  ['a million aliases', `[${'*a,'.repeat(600_000)}]`, 'too many anchors, aliases'],
  ['half a million documents', '---\n'.repeat(500_000), 'a second document begins here'],
  ['half a million document ends', '...\n'.repeat(500_000), 'a second document begins here'],
  ['half a million entries', '- a\n'.repeat(500_000), 'too dense'],
  ['a syntax error in every line', 'a: @a\n'.repeat(LINES), 'put it in quotes'],
  ['a duplicate in every line', 'a: 1\n'.repeat(LINES), 'is there twice'],
  [
    'an unknown field in every line',
    Array.from({ length: LINES }, (_, i) => `k${i}: 1\n`).join(''),
    'is required',
  ],
  ['a billion laughs', `k0: &k0 [x]\n${LAUGHS}`, 'one alias too many'],
  [
    'few aliases of a large list',
    `a: &a [${'x,'.repeat(5_000)}]\nb: [${'*a,'.repeat(100)}]`,
    'more from aliases',
  ],
  ['an alias inside its own anchor', 'a: &a { b: [*a] }', 'it would never end'],
  ['more than 2 MiB', `# ${'ä'.repeat(1024 * 1024)}`, 'the text has 2097154 bytes'],
  ['infinity by an exponent', 'a: 1e999', 'not a finite number'],
  ['half of a character', String.raw`a: "\ud800"`, 'half of a character'],
  ['half of a character in a name', String.raw`"\ud800": a`, 'half of a character'],
  ['a prototype in quotes', '"__proto__": { x: 1 }', 'refused everywhere'],
  ['nothing', '', 'must be a map'],
  ['white space', ' \n\n', 'must be a map'],
  ['a word', 'hello', 'must be a map, not `hello`'],
  ['binary', '\u0000\u0001\u0002', 'must be a map'],
];

function depthByAliases(): string {
  const lines = ['a0: &a0 [x]'];
  for (let i = 1; i < 20; i++) lines.push(`a${i}: &a${i} ${'['.repeat(90)}*a${i - 1}${']'.repeat(90)}`);
  return lines.join('\n');
}

describe('hostile text', () => {
  it.each(ATTACKS)('is refused with a sentence: %s', (_name, yaml, sentence) => {
    const startedAt = cpuMs();
    const error = refusal(yaml);
    expect(error?.message).toContain(sentence);
    expect(error!.details.length).toBeLessThanOrEqual(100);
    // At most 20 faults, and no more of a name or a path than a line can show.
    expect(error!.message.length).toBeLessThan(10_000);
    // Each takes less than 1 s alone on a small machine; the bound only tells linear from quadratic.
    expect(cpuMs() - startedAt).toBeLessThan(8_000);
  });

  it('leaves the stack traces of later errors as they were', () => {
    const before = Error.stackTraceLimit;
    refusal('[');
    expect(Error.stackTraceLimit).toBe(before);
  });

  it('never pollutes a prototype', () => {
    refusal('__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('is accepted or refused, whatever it is, and every fault has a position inside the text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\n',
        '  ',
        '- ',
        ': ',
        '? ',
        '{',
        '}',
        '[',
        ']',
        ',',
        '&a ',
        '*a',
        '!t ',
        '|',
        '>',
        '#',
        '"',
        "'",
        '---\n',
        '%',
        '\t',
        '<<: ',
        'spec:',
        'flow: ',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        expectPlaces(text, refusal(text));
      }),
      { numRuns: lawCases(2_000) },
    );
  });

  it('is accepted or refused when a valid document is cut up and put together wrongly', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TEXTS),
        fc.nat(2_000),
        fc.nat(40),
        fc.string({ maxLength: 6 }),
        (text, at, length, put) => {
          const broken = text.slice(0, at) + put + text.slice(at + length);
          expectPlaces(broken, refusal(broken));
        },
      ),
      { numRuns: lawCases(1_000) },
    );
  });
});

function expectPlaces(text: string, error: YamlValidationError | null): void {
  const lines = text.split('\n');
  for (const { line, column, message } of error?.details ?? []) {
    expect(message).not.toBe('');
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual(lines[line! - 1]!.length + 1);
  }
}
