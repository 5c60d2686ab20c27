import { spellingFaults, unknownIn } from '../../tools/prose/spelling.mjs';

describe('the spelling of the docs', () => {
  const unknown = unknownIn(
    'docs/cli.md:3:7 - Unknown word (Flowgate) -- `Flowgate` is the\ndocs/cli.md:9:1 - Unknown word (recieve) fix: (receive)\n\n',
  );

  it('is read from what cspell prints', () => {
    expect(unknown).toEqual([
      { place: 'docs/cli.md:3:7', word: 'Flowgate' },
      { place: 'docs/cli.md:9:1', word: 'recieve' },
    ]);
  });

  it('has no fault where the list has every unknown word, in whatever case', () => {
    expect(spellingFaults(unknown, ['flowgate', 'recieve'])).toEqual([]);
  });

  it('needs no word of its own for a possessive', () => {
    expect(spellingFaults([{ place: 'a.md:1:1', word: "Flowgate's" }], ['flowgate'])).toEqual([]);
  });

  it('has a fault for a word that no dictionary and no list has', () => {
    expect(spellingFaults(unknown, ['flowgate'])).toEqual([
      'docs/cli.md:9:1: unknown word "recieve": correct it, or add it to tools/prose/spelling.txt',
    ]);
  });

  it('has a fault for a word of the list that no page needs', () => {
    expect(spellingFaults(unknown, ['flowgate', 'recieve', 'fastify'])).toEqual([
      'tools/prose/spelling.txt: no page needs "fastify": remove it',
    ]);
  });
});
