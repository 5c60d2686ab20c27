import { guideOf, type GuideSource } from '../../../site/build/guide.mjs';
import type { IndexFile } from '../../../site/src/search/guide-index.js';

/** A guide of a few pages, as it was built. */
export interface SmallGuide {
  readonly faults: readonly string[];
  /** The names of all files, in order. */
  readonly names: readonly string[];
  /** A page without what surrounds its text. */
  article(name: string): string;
  text(name: string): string;
  /** What the search reads. */
  index(): IndexFile;
}

/** Pages by their paths; `others` are files that the repository has as well, with their bytes. */
export function smallGuide(
  pages: Readonly<Record<string, string>>,
  {
    others = {},
    ...source
  }: Partial<GuideSource> & { readonly others?: Readonly<Record<string, string>> } = {},
): SmallGuide {
  const { files, faults } = guideOf({
    pages: new Map(Object.entries({ 'README.md': '# Home\n', ...pages })),
    pictureOf: (path) => (others[path] === undefined ? null : Buffer.from(others[path])),
    isThere: (path) => Object.hasOwn(others, path),
    repository: null,
    navigation: { home: 'README.md', groups: [], rest: 'More', notSearched: [] },
    scripts: { theme: 'theme-00000000.js', guide: 'guide-00000000.js', style: 'style-00000000.css' },
    version: '1.2.3',
    ...source,
  });
  const text = (name: string): string => {
    const file = files.find((one) => one.name === name);
    if (file === undefined) throw new Error(`The guide has no ${name}, only ${names.join(', ')}`);
    return file.bytes.toString('utf8');
  };
  const names = files.map(({ name }) => name).toSorted();
  return {
    faults,
    names,
    text,
    article: (name) => /<article>\n([^]*)<\/article>/.exec(text(name))?.[1] ?? '',
    index: () => JSON.parse(text(names.find((name) => name.startsWith('search-index-')) ?? '')) as IndexFile,
  };
}
