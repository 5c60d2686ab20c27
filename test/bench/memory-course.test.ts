import { unevenness } from '../../bench/support/memory-course.ts';
import { joined } from '../../bench/support/steady-load.ts';

/** Six samples for each tenth of the time. */
function course(megabytesOf: (sample: number) => number) {
  return Array.from({ length: 60 }, (_, sample) => ({ second: sample, megabytes: megabytesOf(sample) }));
}

describe('memory under a load that stays the same', () => {
  it('is flat whatever it did in the first fifth of the time', () => {
    expect(unevenness(course((sample) => (sample < 12 ? sample : 100)))).toBe(0);
  });

  it('is as uneven as its largest tenth is larger than its smallest', () => {
    expect(unevenness(course((sample) => (sample < 54 ? 100 : 110)))).toBeCloseTo(10);
    expect(unevenness(course((sample) => (sample < 54 ? 110 : 100)))).toBeCloseTo(10);
  });

  it('is flat where it only rises until the next garbage collection', () => {
    expect(unevenness(course((sample) => 100 + (sample % 3)))).toBe(0);
  });
});

it('two stretches of a load become one: all answers, and one course of the memory', () => {
  const stretch = (tookMs: number, cpuMicros: number | null) => ({
    perSecond: 10,
    tookMs: Float64Array.of(tookMs),
    memory: [{ second: 30, megabytes: tookMs }],
    cpuMicros,
    generatorMicros: 4,
  });
  expect(joined(stretch(1, 100), stretch(2, 200))).toEqual({
    perSecond: 10,
    tookMs: Float64Array.of(1, 2),
    memory: [
      { second: 30, megabytes: 1 },
      { second: 60, megabytes: 2 },
    ],
    cpuMicros: 150,
    generatorMicros: 4,
  });
  expect(joined(stretch(1, null), stretch(2, 200)).cpuMicros).toBeNull();
});
