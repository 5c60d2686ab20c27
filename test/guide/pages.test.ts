import { smallGuide } from './support/small-guide.js';

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 238"></svg>';

describe('a page', () => {
  it('has the anchors that places have where Markdown is shown', () => {
    const { article } = smallGuide({
      'docs/a.md': '# A\n\n## `GET /runs/:id`\n\n## Same\n\n## Same\n\n### What _this_ is, & more\n',
    });
    expect([...article('a.html').matchAll(/<h\d id="([^"]+)">/g)].map(([, id]) => id)).toEqual([
      'a',
      'get-runsid',
      'same',
      'same-1',
      'what-this-is--more',
    ]);
  });

  it('colours code by classes, and shows a language that it does not know as it is', () => {
    const { article } = smallGuide({
      'docs/a.md': '# A\n\n```ts\nconst a = 1;\n```\n\n```nothing\n<a> & b\n```\n',
    });
    expect(article('a.html')).toContain('<span class="hljs-keyword">const</span>');
    expect(article('a.html')).toContain('<code>&lt;a&gt; &amp; b</code>');
  });

  it('shows a picture of the repository under a name that changes with it, and with room for it', () => {
    const page = { 'docs/http/a.md': '# A\n\n![Two bars](../pictures/bars.svg)\n' };
    const { article, names, faults } = smallGuide(page, { others: { 'docs/pictures/bars.svg': PICTURE } });
    expect(faults).toEqual([]);
    const name = names.find((one) => /^pictures-bars-[A-F\d]{8}\.svg$/.test(one));
    expect(article('http-a.html')).toContain(
      `<img src="${name}" alt="Two bars" width="760" height="238" loading="lazy">`,
    );
  });

  it.each([
    [
      '![Bars](https://pictures.test/bars.svg)',
      'https://pictures.test/bars.svg is no picture of the repository',
    ],
    ['![Bars](none.svg)', 'none.svg is no picture of the repository'],
    ['![](bars.svg)', 'the picture bars.svg has no text for those who do not see it'],
    [
      'A <b style="color: red">word</b>',
      '<b style="color: red"> is HTML that the guide does not take: write it as code',
    ],
    [
      '<script src="x.js"></script>',
      '<script src="x.js"> is HTML that the guide does not take: write it as code',
    ],
  ])('may not have %s', (markdown, fault) => {
    const { faults } = smallGuide(
      { 'docs/a.md': `# A\n\n${markdown}\n` },
      { others: { 'docs/bars.svg': PICTURE } },
    );
    expect(faults[0]).toBe(`docs/a.md: ${fault}`);
  });

  it('shows a screen, whose size it does not know', () => {
    const page = { 'docs/a.md': '# A\n\n![The runs](screens/runs.webp)\n' };
    const { article, faults } = smallGuide(page, { others: { 'docs/screens/runs.webp': 'RIFF' } });
    expect(faults).toEqual([]);
    expect(article('a.html')).toMatch(
      /<img src="screens-runs-[A-F\d]{8}\.webp" alt="The runs" loading="lazy">/,
    );
  });

  it.each(['<script>1</script>', '<a href="https://elsewhere.test/">x</a>', '<rect onclick="x()"/>'])(
    'has no picture that is more than one: %s',
    (inner) => {
      const others = { 'docs/bars.svg': PICTURE.replace('></svg>', `>${inner}</svg>`) };
      const { faults } = smallGuide({ 'docs/a.md': '# A\n\n![Bars](bars.svg)\n' }, { others });
      expect(faults).toEqual([
        expect.stringMatching(/^docs\/a\.md: the picture docs\/bars\.svg has .*, and may neither run/),
      ]);
    },
  );

  it('needs a title', () => {
    expect(smallGuide({ 'docs/a.md': 'Text.\n' }).faults).toEqual([
      'docs/a.md: it has no title: begin it with a heading of the first level',
    ]);
  });

  it('is alone with its name', () => {
    expect(smallGuide({ 'docs/a/b.md': '# One\n', 'docs/a-b.md': '# Other\n' }).faults).toEqual([
      'docs/a-b.md and docs/a/b.md would both be a-b.html: rename one',
    ]);
  });

  it('leaves out comments, which are for those who write it', () => {
    expect(
      smallGuide({ 'docs/a.md': '# A\n\n<!-- made by a script -->\n\nText.\n' }).article('a.html'),
    ).not.toContain('script');
  });
});

describe('the list of pages', () => {
  const pages = { 'docs/b.md': '# Second\n', 'docs/a.md': '# First\n', 'docs/new.md': '# New\n' };
  const groups = [{ title: 'Start', pages: ['README.md', 'docs/b.md', 'docs/[ab].md'] }];
  const navigation = { home: 'README.md', rest: 'More', notSearched: [] };

  it('is in its own order, and ends with the pages that it does not name', () => {
    const { text } = smallGuide(pages, { navigation: { ...navigation, groups } });
    const [, list = ''] = /<nav id="pages"([^]*?)<\/nav>/.exec(text('b.html')) ?? [];
    expect([...list.matchAll(/<(?:p|a [^>]*)>([^<]+)</g)].map(([, label]) => label)).toEqual([
      'Start',
      'Home',
      'Second',
      'First',
      'More',
      'New',
    ]);
    expect(list).toContain('<a href="b.html" aria-current="page">Second</a>');
  });

  it('names no page that is gone', () => {
    const gone = [{ title: 'Start', pages: ['docs/gone.md'] }];
    expect(smallGuide(pages, { navigation: { ...navigation, groups: gone } }).faults).toEqual([
      'site/navigation.mjs names docs/gone.md, and there is no such page',
    ]);
  });
});
