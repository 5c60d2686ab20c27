import { MAX_RETRY_AFTER_MS, retryAfterMs } from './retry-after.js';

const NOW = Date.UTC(1994, 10, 6, 8, 49, 0);

describe('Retry-After', () => {
  test.each<[string | undefined, number | null]>([
    ['0', 0],
    [' 7 ', 7000],
    ['86401', MAX_RETRY_AFTER_MS],
    ['9'.repeat(400), MAX_RETRY_AFTER_MS],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
    ['Sun Nov  6 08:49:37 1994', 37_000],
    ['Sun, 06 Nov 1994 08:48:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', MAX_RETRY_AFTER_MS],
    ['Sun, 99 Foo 1994 08:49:37 GMT', null],
    ['1994-11-06T08:49:37Z', null],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('%j asks for %j ms', (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });
});
