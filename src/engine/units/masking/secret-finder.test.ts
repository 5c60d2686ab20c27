import fc from 'fast-check';
import { SecretFinder } from './secret-finder.js';

describe('what is found', () => {
  it.each([
    ['say hunter2 twice: hunter2', ['hunter2'], 'say *** twice: ***'],
    ['hunter2', ['hunter2'], '***'],
    ['xhunter2hunter2x', ['hunter2'], 'x******x'],
    ['hunter', ['hunter2'], 'hunter'],
    ['', ['ab'], ''],
    ['a', ['ab'], 'a'],
    ['hhunter2', ['hunter2'], 'h***'],
    // The longest of several, and all that any of them covers.
    ['Bearer hunter2!', ['hunter2', 'Bearer hunter2'], '***!'],
    ['xabcdefgx', ['abcd', 'cdefg'], 'x***x'],
    ['aaaaaa', ['aaa'], '***'],
    ['пароль-1 密码密码', ['пароль-1', '密码密码'], '*** ***'],
  ])('in %j of %j leaves %j', (text, secrets, masked) => {
    expect(new SecretFinder(secrets).mask(text)).toBe(masked);
  });

  it('is all of it: no secret is left in any text', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 2, maxLength: 5 });
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 60 });
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 6 }), texts, (secrets, text) => {
        const masked = new SecretFinder(secrets).mask(text);
        for (const secret of secrets) expect(masked).not.toContain(secret);
        const isHarmless = secrets.every((secret) => !text.includes(secret));
        if (isHarmless) expect(masked).toBe(text);
      }),
    );
  });

  it('is nothing where there are no secrets', () => {
    const finder = new SecretFinder([]);
    expect([finder.isEmpty, finder.mask('anything')]).toEqual([true, 'anything']);
  });
});

describe('the cost of a mask', () => {
  const LENGTH = 4 * 1024 * 1024;
  /** The processor time of this process alone: what other processes do does not count. */
  const millisecondsFor = (secrets: readonly string[], texts: readonly string[]): number => {
    const finder = new SecretFinder(secrets);
    const before = process.cpuUsage();
    for (const text of texts) finder.mask(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const many = Array.from({ length: 800 }, (_, i) => `${'a'.repeat(8_000)}${i}`);

  // Compared sequentially these would take minutes.
  it.each([
    ['a text that nearly is the secret, at each character', [`${'a'.repeat(8_191)}b`], ['a'.repeat(LENGTH)]],
    ['hundreds of secrets that begin alike', many, ['a'.repeat(LENGTH)]],
    ['a text of beginnings', many, [`${'a'.repeat(7_999)}b`.repeat(LENGTH / 8_000)]],
    ['a text of short beginnings', many, ['aab'.repeat(LENGTH / 3)]],
    ['many short texts', many, Array.from({ length: 400_000 }, () => 'aaaaaaaaab')],
  ])('of %s grows with the text alone', (_name, secrets, texts) => {
    expect(millisecondsFor(secrets, texts)).toBeLessThan(3_000);
  });

  it('is paid by hiding too much, never too little', () => {
    const secret = `${'a'.repeat(8_191)}b`;
    const masked = new SecretFinder([secret]).mask(`${'a'.repeat(LENGTH)}b and ${secret}`);
    expect([masked.includes(secret), masked.endsWith('b and ***')]).toEqual([false, true]);
  });
});
