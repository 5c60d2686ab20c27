import { keep, kept, prefer, preferred } from './kept.js';

/** A browser's storage with room for so many texts. */
function storageOf(room: number) {
  const texts = new Map<string, string>();
  return {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem(name: string, text: string) {
      if (!texts.has(name) && texts.size >= room) throw new Error('QuotaExceededError');
      if (text.length > 20) throw new Error('QuotaExceededError');
      texts.set(name, text);
    },
    removeItem: (name: string) => void texts.delete(name),
  };
}

afterEach(() => {
  for (const name of ['localStorage', 'sessionStorage']) Reflect.deleteProperty(globalThis, name);
});

describe('what a browser remembers', () => {
  it('is what was said last, also where there is no room for it', () => {
    Object.assign(globalThis, { localStorage: storageOf(1) });
    prefer('theme', 'dark');
    prefer('theme', 'a text for which there is no room');
    expect(preferred('theme')).toBe('a text for which there is no room');
    prefer('theme', 'light');
    expect(preferred('theme')).toBe('light');
    prefer('theme', null);
    expect(preferred('theme')).toBeNull();
  });

  it('lives as long as the page where there is no storage', () => {
    keep('key', 'secret');
    expect(kept('key')).toBe('secret');
    keep('key', null);
    expect(kept('key')).toBeNull();
  });
});
