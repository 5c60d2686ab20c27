import { repositoryPagesOf } from '../../site/build/repository.mjs';
import { smallGuide } from './support/small-guide.js';

describe('a link of a page', () => {
  const pages = {
    'docs/http.md': '# HTTP\n',
    'docs/http/runs.md': '# Runs\n\n## `GET /runs`\n\n<a id="old"></a>Moved.\n',
  };

  it('leads to a page beside it, however deep both lie in the repository', () => {
    const { article, faults } = smallGuide({
      ...pages,
      'docs/concepts/gates.md':
        '# Gates\n\n[HTTP](../http.md), [runs](../http/runs.md#get-runs), [home](../../README.md), [here](#gates)\n',
    });
    expect(faults).toEqual([]);
    expect(
      [...article('concepts-gates.html').matchAll(/<a href="([^"]+)">/g)].map(([, href]) => href),
    ).toEqual(['http.html', 'http-runs.html#get-runs', './', '#gates']);
  });

  it('may lead to an anchor that stands in the text', () => {
    expect(smallGuide({ ...pages, 'docs/a.md': '# A\n\n[there](http/runs.md#old)\n' }).faults).toEqual([]);
  });

  it.each([
    ['http/none.md', 'docs/a.md: there is no docs/http/none.md'],
    ['http/runs.md#none', 'docs/a.md: docs/http/runs.md has nothing at http/runs.md#none'],
    ['#none', 'docs/a.md: docs/a.md has nothing at #none'],
    ['../../elsewhere.md', 'docs/a.md: ../../elsewhere.md is no link that the guide can follow'],
    ['/http.md', 'docs/a.md: /http.md is no link that the guide can follow'],
    ['javascript:alert(1)', 'docs/a.md: javascript:alert(1) is no link that the guide can follow'],
  ])('is a fault where it leads nowhere: %s', (href, fault) => {
    expect(smallGuide({ ...pages, 'docs/a.md': `# A\n\n[there](${href})\n` }).faults).toEqual([fault]);
  });

  it('to the web stays as it is', () => {
    const { article } = smallGuide({ 'docs/a.md': '# A\n\n[CEL](https://cel.dev/?a=1&b=2)\n' });
    expect(article('a.html')).toContain('<a href="https://cel.dev/?a=1&amp;b=2">CEL</a>');
  });

  describe('to another file of the repository', () => {
    const page = { 'docs/a.md': '# A\n\n[The example](../examples/10-host)\n' };
    const others = { 'examples/10-host': '' };

    it('leads to the repository', () => {
      const { article, faults } = smallGuide(page, {
        others,
        repository: 'https://git.test/flow/blob/HEAD/',
      });
      expect(faults).toEqual([]);
      expect(article('a.html')).toContain('<a href="https://git.test/flow/blob/HEAD/examples/10-host">');
    });

    it('is a text where nobody knows where the repository is', () => {
      expect(smallGuide(page, { others }).article('a.html')).toContain(
        '<span class="elsewhere">The example</span>',
      );
    });

    it('is a fault where there is no such file', () => {
      expect(smallGuide(page).faults).toEqual(['docs/a.md: there is no examples/10-host']);
    });
  });
});

it.each([
  [{ url: 'git+https://git.test/flow.git' }, 'https://git.test/flow/blob/HEAD/'],
  ['https://git.test/flow', 'https://git.test/flow/blob/HEAD/'],
  [undefined, null],
])('the manifest says where the repository is: %j', (repository, pages) => {
  expect(repositoryPagesOf({ repository })).toBe(pages);
});
