import { existsSync, globSync, readFileSync } from 'node:fs';
import { blocksOf, readPage } from './support/page-blocks.js';

/** What the blocks of a page are to whoever plays them: a test, or a reason why nothing does. */
type Player =
  | `test/${string}.test.ts`
  | `tools/${string}.${'mjs' | 'py'}`
  | `clients/${string}.java`
  | { readonly not: string };

/** Not code: what is printed, how something differs, or what stands in somebody else's file. */
const OUTPUT = new Set(['', 'text', 'diff']);

const NEEDS_OTHERS = { not: 'needs an account, a program or a provider of somebody else' };
const TAKES_HOURS = { not: 'takes minutes to hours: `npm run bench` itself is tried by its smoke test' };
const INSTALLS = {
  not: 'installs from a registry: consumers.mjs and test:hosts do that with the packed packages',
};

const PLAYERS: Readonly<Record<string, Readonly<Record<string, Player>>>> = {
  'README.md': { sh: 'test/process/docs-readme.test.ts', ts: 'test/process/docs-readme.test.ts' },
  'docs/access.md': {
    sh: NEEDS_OTHERS,
    json: 'test/docs/access.test.ts',
    ts: 'test/process/docs-hosts.test.ts',
  },
  'docs/console.md': { sh: NEEDS_OTHERS, ts: 'test/process/docs-hosts.test.ts' },
  'docs/benchmarks.md': { sh: TAKES_HOURS },
  'docs/cli.md': { sh: 'test/cli/cli-page.test.ts' },
  'docs/concepts/gates.md': { yaml: 'test/language/reference.test.ts' },
  'docs/cookbook.md': { sh: 'test/cli/cookbook-page.test.ts', yaml: 'test/docs/cookbook.test.ts' },
  'docs/first-steps.md': {
    sh: 'test/process/docs-readme.test.ts',
    json: 'test/process/docs-readme.test.ts',
  },
  'docs/http/*': { http: 'test/docs/http.test.ts', yaml: 'test/docs/http.test.ts' },
  'docs/java.md': {
    java: 'clients/java/src/test/java/io/flowgate/client/docs/PageIT.java',
    yaml: 'clients/java/src/test/java/io/flowgate/client/docs/PageIT.java',
    xml: INSTALLS,
  },
  'docs/language.md': { yaml: 'test/language/reference.test.ts' },
  'docs/mcp.md': {
    http: 'test/docs/mcp.test.ts',
    json: 'test/docs/mcp.test.ts',
    yaml: 'test/docs/mcp.test.ts',
    js: 'tools/mcp/clients/page.mjs',
    ts: 'test/process/docs-mcp.test.ts',
    python: 'tools/mcp/clients/python/page.py',
    sh: NEEDS_OTHERS,
    toml: NEEDS_OTHERS,
  },
  'docs/nestjs.md': {
    ts: 'test/process/docs-nestjs.test.ts',
    yaml: 'test/process/docs-nestjs.test.ts',
    json: 'test/process/docs-nest-new.test.ts',
    sh: 'test/process/docs-nestjs.test.ts',
  },
  'docs/operate.md': {
    sh: 'test/docs/operate-snippets.test.ts',
    yaml: 'test/docs/operate-snippets.test.ts',
    ini: 'test/docs/operate-snippets.test.ts',
    json: 'test/process/operate-service.test.ts',
  },
  'docs/patterns.md': { yaml: 'test/language/reference.test.ts' },
  'docs/scale-out.md': {
    sh: 'test/docs/scale-out.test.ts',
    sql: 'test/docs/scale-out.test.ts',
    ts: 'test/docs/scale-out.test.ts',
    yaml: 'test/docs/scale-out.test.ts',
  },
  'docs/testing.md': { js: 'test/docs/testing.test.ts', ts: 'test/docs/testing.test.ts' },
  'docs/typescript.md': {
    ts: 'test/process/docs-typescript.test.ts',
    sh: INSTALLS,
    yaml: { not: 'a line for an editor' },
  },
  'docs/units.md': {
    http: 'test/docs/units.test.ts',
    json: 'test/docs/units.test.ts',
    yaml: 'test/docs/units.test.ts',
    js: 'test/docs/units-in-process.test.ts',
    ts: 'test/docs/units-in-process.test.ts',
  },
};

const blocks = ['README.md', ...globSync('docs/{*,concepts/*,http/*}.md')]
  .map((page) => page.replaceAll('\\', '/'))
  .flatMap((page) =>
    [...new Set(blocksOf(readPage(page)).map(({ kind }) => kind))].map((kind) => ({ page, kind })),
  )
  .filter(({ kind }) => !OUTPUT.has(kind));

const playerOf = ({ page, kind }: { readonly page: string; readonly kind: string }): Player | undefined =>
  PLAYERS[page.startsWith('docs/http/') ? 'docs/http/*' : page]?.[kind];

describe('the blocks of a page', () => {
  it('are played, each kind by a test, or it is said why not', () => {
    const unknown = blocks.filter((block) => playerOf(block) === undefined);
    expect(unknown).toEqual([]);
  });

  it('are played by tests that there are', () => {
    const files = Object.values(PLAYERS)
      .flatMap((kinds) => Object.values(kinds))
      .filter((player) => typeof player === 'string');
    expect(files.filter((file) => !existsSync(file) || readFileSync(file, 'utf8').length === 0)).toEqual([]);
  });

  it('are there for every entry', () => {
    const entries = Object.entries(PLAYERS)
      .filter(([page]) => page !== 'docs/http/*')
      .flatMap(([page, kinds]) => Object.keys(kinds).map((kind) => `${page} ${kind}`));
    const there = new Set(blocks.map(({ page, kind }) => `${page} ${kind}`));
    expect(entries.filter((entry) => !there.has(entry))).toEqual([]);
  });
});
