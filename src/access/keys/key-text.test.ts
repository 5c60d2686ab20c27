import { generateKey, hashOfKey, isSameHash, KEY_CHARS, parseKey } from './key-text.js';

test('a new key is read back by position, also where its secret has a _ in it', () => {
  for (let count = 0; count < 500; count += 1) {
    const { id, text } = generateKey();
    expect(parseKey(text)).toEqual({ id, text });
    expect(text).toHaveLength(KEY_CHARS);
  }
  const text = `fgk_${'a'.repeat(16)}_${'_'.repeat(43)}`;
  expect(parseKey(text)).toEqual({ id: 'a'.repeat(16), text });
});

test('another secret of a key has the same id', () => {
  const { id, text } = generateKey();
  const other = generateKey(id);
  expect(other.id).toBe(id);
  expect(other.text).not.toBe(text);
});

test.each([
  '',
  'fgk_',
  'fgk_a_b',
  `fgk_${'1'.repeat(16)}_${'a'.repeat(43)}`,
  `fgk_${'a'.repeat(16)}-${'a'.repeat(43)}`,
  `fgk_${'a'.repeat(16)}_${'='.repeat(43)}`,
])('%s is no key', (text) => {
  expect(parseKey(text)).toBeNull();
});

test('two hashes are the same where each digit is, and nothing is the same as none', () => {
  const hash = hashOfKey('one');
  expect(isSameHash(hash, hash)).toBe(true);
  expect(isSameHash(hash, hashOfKey('other'))).toBe(false);
  expect(isSameHash(hash, hash.slice(2))).toBe(false);
  expect(isSameHash('', '')).toBe(false);
});
