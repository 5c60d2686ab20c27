import { applyPatch } from 'diff';
import fc from 'fast-check';
import { comparedLines, LOOP_COMPARING } from './compared-lines.js';

const compare = (from: string, to: string) =>
  comparedLines({ name: 'one', text: from }, { name: 'two', text: to }, LOOP_COMPARING);

it('is a unified diff under the names of the two, with three lines around each change', () => {
  expect(compare('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\nE\nf\n')).toBe(
    '--- one\n+++ two\n@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+E\n f\n',
  );
});

it('of texts that are the same is empty', () => {
  expect(compare('a\n', 'a\n')).toBe('');
  expect(compare('', '')).toBe('');
});

it('makes the other text of the one', () => {
  // Line ends of every kind, or none at the end.
  const lines = fc
    .array(fc.tuple(fc.constantFrom('a', 'b', '- c', ' d', ''), fc.constantFrom('\n', '\r\n')), {
      maxLength: 20,
    })
    .map((all) => all.map((line) => line.join('')).join(''));
  const text = fc.tuple(lines, fc.constantFrom('', 'x')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (from, to) => {
      const patch = compare(from, to)!;
      expect(patch === '' ? from : applyPatch(from, patch, { autoConvertLineEndings: false })).toBe(to);
    }),
  );
});

it('is none where it takes too long, or comes to too much', () => {
  const text = (seed: number) =>
    Array.from({ length: 20_000 }, (_, line) => `${(line * seed) % 9973}\n`).join('');
  const sides = [
    { name: 'one', text: text(7) },
    { name: 'two', text: text(11) },
  ] as const;
  expect(comparedLines(...sides, { timeLimitMs: 5, maxChars: 10_000_000 })).toBeNull();
  const short = [
    { name: 'one', text: 'a' },
    { name: 'two', text: 'b' },
  ] as const;
  expect(comparedLines(...short, { timeLimitMs: 1_000, maxChars: 10 })).toBeNull();
});
