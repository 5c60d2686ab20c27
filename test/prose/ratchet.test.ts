import { compare, lowered } from '../../tools/prose/ratchet.mjs';

describe('limits that may only shrink', () => {
  const limits = { 'a.md': { words: 2, tables: 5 }, 'gone.md': { words: 1 } };

  it('hold where everything is as listed', () => {
    const counts = { 'a.md': { words: 2, sentences: 0, tables: 5 }, 'gone.md': { words: 1 } };
    expect(compare(counts, limits)).toEqual({ grown: [], shrunk: [] });
  });

  it('say what has grown, also in a page or a rule that is not listed', () => {
    const counts = {
      'a.md': { words: 3, sentences: 1, tables: 5 },
      'gone.md': { words: 1 },
      'new.md': { words: 1 },
    };
    expect(compare(counts, limits).grown).toEqual([
      { page: 'a.md', rule: 'words', count: 3, limit: 2 },
      { page: 'a.md', rule: 'sentences', count: 1, limit: 0 },
      { page: 'new.md', rule: 'words', count: 1, limit: 0 },
    ]);
  });

  it('say what has shrunk, also of a page that is gone', () => {
    expect(compare({ 'a.md': { words: 1, tables: 5 } }, limits).shrunk).toEqual([
      { page: 'a.md', rule: 'words', count: 1, limit: 2 },
      { page: 'gone.md', rule: 'words', count: 0, limit: 1 },
    ]);
  });

  it('are lowered to what is left, and never raised', () => {
    const counts = { 'a.md': { words: 1, sentences: 4, tables: 9 }, 'new.md': { words: 7 } };
    expect(lowered(counts, limits)).toEqual({ 'a.md': { words: 1, tables: 5 } });
  });
});
