import { wrappedWords } from './wrapped-words.js';

describe('words in lines', () => {
  it('fit the width, each line below the one before', () => {
    expect(wrappedWords('Say what to do next', { width: 10, indent: 2, hanging: 4 })).toEqual([
      '  Say what',
      '    to do',
      '    next',
    ]);
  });

  it('have a mark where they go on, within the width, and none at the end', () => {
    const lines = wrappedWords('flowgate start hello --wait', { width: 16, mark: ' \\' });
    expect(lines).toEqual(['flowgate start \\', 'hello --wait']);
  });

  it('are never broken', () => {
    expect(wrappedWords('a 01a1f0c2-7c1e-7000 b', { width: 5 })).toEqual(['a', '01a1f0c2-7c1e-7000', 'b']);
    expect(wrappedWords('', { width: 5 })).toEqual(['']);
  });
});
