import { excerptOf } from '../../site/src/search/excerpt.js';
import { GuideIndex } from '../../site/src/search/guide-index.js';
import { smallGuide } from './support/small-guide.js';

const PAGES = {
  'docs/operate.md': [
    '# Operation',
    'How a service is operated.',
    '## Settings',
    'All of them are variables of the environment.',
    '### Bodies',
    '| setting | default |\n| --- | --- |\n| `FLOWGATE_MAX_BODY_BYTES` | 8 MiB |',
    '## Backup',
    'Copy the folder while the service runs.',
  ].join('\n\n'),
  'docs/gates.md':
    '# Gates\n\nA person decides.\n\n## Time-outs\n\nA gate closes by itself, after the time that its settings give.\n\n```yaml\nafter: P1D\n```\n',
  'CHANGELOG.md': '# Changes\n\nGates, bodies, backup.\n',
};
const navigation = { home: 'README.md', groups: [], rest: 'More', notSearched: ['CHANGELOG.md'] };

describe('the search', () => {
  let index: GuideIndex;
  beforeAll(async () => {
    index = await GuideIndex.of(smallGuide(PAGES, { navigation }).index());
  });
  const addresses = (query: string): readonly string[] => index.find(query).map(({ address }) => address);

  it.each([
    ['backup', ['operate.html#backup']],
    ['FLOWGATE_MAX_BODY_BYTES', ['operate.html#bodies']],
    ['max body', ['operate.html#bodies']],
    ['P1D', ['gates.html#time-outs']],
    ['how operated', ['operate.html']],
  ])('finds the section of %s', (query, found) => {
    expect(addresses(query)).toEqual(found);
  });

  it('finds a word that is not finished, or has a typo', () => {
    expect(addresses('environm')).toEqual(['operate.html#settings']);
    expect(addresses('enviroment')).toEqual(['operate.html#settings']);
  });

  it('wants all words', () => {
    expect(addresses('backup gate')).toEqual([]);
  });

  it('places a heading before a mention', () => {
    const found = addresses('settings');
    expect([found[0], found.includes('gates.html#time-outs')]).toEqual(['operate.html#settings', true]);
  });

  it('says where each is', () => {
    expect(index.find('bodies')[0]).toMatchObject({ page: 'Operation', heading: 'Bodies' });
    expect(index.find('person')[0]).toMatchObject({
      page: 'Gates',
      heading: null,
      text: 'A person decides.',
    });
  });
});

describe('an excerpt', () => {
  const shown = (text: string, ...words: string[]): string =>
    excerptOf(text, words)
      .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
      .join('');

  it('marks each word that was found, where a word begins', () => {
    expect(shown('The gate closes; Gates are not delegates.', 'gate')).toBe(
      'The [gate] closes; [Gate]s are not delegates.',
    );
  });

  it('is of what surrounds the first, in whole words', () => {
    const text = `${'before '.repeat(40)}the gate ${'after '.repeat(60)}`.trim();
    const excerpt = shown(text, 'gate');
    expect(excerpt).toMatch(/^… before .*the \[gate\] after .* after …$/);
    expect(excerpt.length).toBeLessThan(220);
  });

  it('is the beginning where only the heading was found', () => {
    expect(shown('A short text.', 'elsewhere')).toBe('A short text.');
  });

  it('takes words for what they are, and not for a pattern', () => {
    expect(shown('a+b costs $5', 'a+b', '$5')).toBe('[a+b] costs [$5]');
  });
});
