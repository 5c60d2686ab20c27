import { distanceText, durationText } from './durations.js';

it.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [1_449, '1.4 s'],
  [59_999, '59 s'],
  [64_000, '1 min 4 s'],
  [3_600_000, '1 h'],
  [183_600_000, '2 d 3 h'],
])('%d ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it.each([
  [1_000, 0, 'just now'],
  [0, 240_000, '4 min ago'],
  [172_800_000, 0, 'in 2 d'],
  [172_800_000, 4_000, 'in 2 d'],
  [172_800_000, 43_200_000, 'in 1 d 12 h'],
  [86_400_000, 4_000, 'in 1 d'],
  [7_000, 0, 'in 7 s'],
  [240_000, 4_000, 'in 4 min'],
  [0, 172_700_000, '1 d ago'],
])('%d seen at %d is %s', (at, now, text) => {
  expect(distanceText(at, now)).toBe(text);
});
