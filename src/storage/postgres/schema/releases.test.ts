import { isOlderRelease } from './releases.js';

describe('a release', () => {
  it.each([
    ['0.1.0', '0.2.0'],
    ['0.9.0', '0.10.0'],
    ['1.9.9', '2.0.0'],
    ['1.2.3', '1.2.4-beta.1'],
  ])('comes before a later one: %s, %s', (older, newer) => {
    expect([isOlderRelease(older, newer), isOlderRelease(newer, older)]).toEqual([true, false]);
  });

  it.each([
    ['1.2.3', '1.2.3'],
    ['1.2.3-beta.1', '1.2.3'],
  ])('does not come before itself: %s, %s', (one, same) => {
    expect([isOlderRelease(one, same), isOlderRelease(same, one)]).toEqual([false, false]);
  });
});
