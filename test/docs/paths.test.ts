import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPage } from './support/page-blocks.js';
import { codeIn, firstCode, tablesNamed } from './support/page-tables.js';

const PAGE = 'docs/paths.md';

/** One row of the page. */
interface Step {
  readonly path: string;
  /** The page and its line, as editors open them. */
  readonly at: string;
  /** In `src`. */
  readonly file: string;
  /** What of the file is entered. */
  readonly where: string;
  readonly decides: string;
}

const tables = tablesNamed(readPage(PAGE), 'file');
const ways = tables.map(({ section, rows }) =>
  rows.map(({ cells: [file, where, decides = ''], line }): Step => ({
    path: section.toLowerCase(),
    at: `${PAGE}:${line}`,
    file: firstCode(file),
    where: firstCode(where),
    decides,
  })),
);
const steps = ways.flat();

/** Empty: there is no such file, which has a test of its own. */
const read = (file: string): string =>
  existsSync(join('src', file)) ? readFileSync(join('src', file), 'utf8') : '';

const isFile = (code: string): boolean => code.includes('/') || code.endsWith('.ts');

/** A file is named from `src`, or from the folder of the file whose row it is. */
const isThere = ({ file }: Step, named: string): boolean =>
  ['', dirname(file)].some((folder) => existsSync(join('src', folder, named)));

describe('the paths through the code', () => {
  it('are those that npm run house measures', () => {
    const { paths } = JSON.parse(readFileSync('tools/house/limits.json', 'utf8')) as { paths: object };
    expect(tables.map(({ section }) => section.toLowerCase())).toEqual(Object.keys(paths));
  });

  it('go through files that there are', () => {
    const gone = steps.filter(({ file }) => read(file) === '');
    expect(gone.map(({ at, file }) => `${at}: there is no src/${file}`)).toEqual([]);
  });

  it('enter what stands in those files', () => {
    const wrong = steps.filter(({ file, where }) => {
      const source = read(file);
      return source !== '' && !new RegExp(`\\b${where}\\b`).test(source);
    });
    expect(wrong.map(({ at, file, where }) => `${at}: src/${file} has no "${where}"`)).toEqual([]);
  });

  it('say of each step what it decides, in names that there are', () => {
    const wrong = steps.flatMap((step) => {
      const { at, file, decides } = step;
      if (decides === '') return [`${at}: what src/${file} decides is not said`];
      const source = read(file);
      return codeIn(decides)
        .filter((code) => (isFile(code) ? !isThere(step, code) : source !== '' && !source.includes(code)))
        .map((code) => (isFile(code) ? `${at}: there is no ${code}` : `${at}: src/${file} has no "${code}"`));
    });
    expect(wrong).toEqual([]);
  });

  it('are pointed to by the first file of each', () => {
    const silent = ways
      .flatMap((way) => way.slice(0, 1))
      .filter(({ file, path }) => {
        return !read(file).includes(`${PAGE}#${path}`);
      });
    expect(silent.map(({ at, file, path }) => `${at}: src/${file} does not name ${PAGE}#${path}`)).toEqual(
      [],
    );
  });
});
