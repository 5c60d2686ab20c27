// Which pages the guide has, in which order, under which headings. A page of docs/ that no group names stands at the end, so that a
// new page is never lost. docs/decisions and docs/paths.md are for those who change the code, and stay in the repository.

/** Globs, from the root of the repository. */
export const PAGES = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/**/*.md'];
export const LEFT_OUT = ['docs/decisions/**', 'docs/paths.md'];

export const NAVIGATION = {
  /** The first page of the guide. */
  home: 'README.md',
  /** Its words are everywhere, and it explains none of them. */
  notSearched: ['CHANGELOG.md'],
  /** Of the pages that no group names. */
  rest: 'More',
  /** Each entry is a path or a glob. */
  groups: [
    { title: 'Start', pages: ['README.md', 'docs/first-steps.md', 'docs/questions.md'] },
    {
      title: 'Concepts',
      pages: [
        'docs/concepts/workflow-and-run.md',
        'docs/concepts/log-checkpoints-forks.md',
        'docs/concepts/units-and-delivery.md',
        'docs/concepts/gates.md',
        'docs/concepts/*.md',
      ],
    },
    {
      title: 'How to',
      pages: ['docs/cookbook.md', 'docs/patterns.md', 'docs/testing.md', 'docs/troubleshooting.md'],
    },
    {
      title: 'Ways in',
      pages: [
        'docs/cli.md',
        'docs/console.md',
        'docs/typescript.md',
        'docs/java.md',
        'docs/mcp.md',
        'docs/nestjs.md',
      ],
    },
    { title: 'Reference', pages: ['docs/language.md', 'docs/units.md', 'docs/words.md'] },
    {
      title: 'HTTP',
      pages: [
        'docs/http.md',
        'docs/http/requests.md',
        'docs/http/errors.md',
        'docs/http/workflows.md',
        'docs/http/runs.md',
        'docs/http/gates.md',
        'docs/http/*.md',
      ],
    },
    {
      title: 'Operation',
      pages: [
        'docs/operate.md',
        'docs/access.md',
        'docs/scale-out.md',
        'docs/upgrading.md',
        'docs/compatibility.md',
        'docs/benchmarks.md',
        'SECURITY.md',
        'CHANGELOG.md',
      ],
    },
  ],
};
