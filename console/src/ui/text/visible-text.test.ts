import { visiblePieces } from './visible-text.js';

it('leaves an ordinary text as it is, with its line breaks', () => {
  expect(visiblePieces('Zahlung: 12 € für Łódź\n\t🚀 <img onerror>')).toEqual([
    { text: 'Zahlung: 12 € für Łódź\n\t🚀 <img onerror>' },
  ]);
});

it('shows characters that turn a text around, or that hide in it', () => {
  expect(visiblePieces('pay\u202E001\u202C to\u200Bday')).toEqual([
    { text: 'pay' },
    { sign: 'U+202E' },
    { text: '001' },
    { sign: 'U+202C' },
    { text: ' to' },
    { sign: 'U+200B' },
    { text: 'day' },
  ]);
});

it('shows the characters that steer terminals', () => {
  expect(visiblePieces('\u001B[31m')).toEqual([{ sign: 'U+001B' }, { text: '[31m' }]);
});
