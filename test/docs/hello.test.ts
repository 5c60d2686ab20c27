import { parse } from 'yaml';
import { readPage } from './support/page-blocks.js';

/** The document that a page has somebody write, or shows. */
const documentsOf = (page: string): readonly string[] =>
  [...readPage(page).matchAll(/^(?:cat > hello\.yaml <<'YAML'|```yaml)\n([^]*?)^(?:YAML|```)$/gm)]
    .map(([, yaml = '']) => yaml)
    .filter((yaml) => yaml.includes('metadata: { id: hello }'));

const [ofReadme = ''] = documentsOf('README.md');

describe('hello.yaml', () => {
  it.each(['docs/cli.md', 'docs/java.md'])('of %s is that of README', (page) => {
    const documents = documentsOf(page);
    expect(documents).toHaveLength(1);
    expect(parse(documents[0] ?? '')).toEqual(parse(ofReadme));
  });

  it('is written nowhere else', () => {
    for (const page of [
      'docs/typescript.md',
      'docs/first-steps.md',
      'docs/nestjs.md',
      'docs/units.md',
      'docs/mcp.md',
    ])
      expect([page, documentsOf(page).length]).toEqual([page, 0]);
  });
});
