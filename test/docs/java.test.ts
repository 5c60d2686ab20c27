import { readFileSync } from 'node:fs';
import { readPage } from './support/page-blocks.js';
import { codeIn, firstCode, tablesNamed, type PageTable } from './support/page-tables.js';

// The snippets of the page are compiled and run by the Java build: clients/java/src/test/java/…/docs.
const page = readPage('docs/java.md');
const api = readPage('clients/java/api.txt');
const folder = 'clients/java/src/main/java/io/flowgate/client';

/** What `api.txt` lists of a class. */
function membersOf(name: string): readonly string[] {
  const [, body] = new RegExp(`\\.${name.replace('$', '\\$')}[ <][^\\n]*\\{\\n([^]*?)\\n\\}`).exec(api) ?? [];
  if (body === undefined) throw new Error(`api.txt lists no ${name}.`);
  return body.split('\n');
}
const namesOf = (name: string): readonly string[] => [
  ...new Set(
    membersOf(name)
      .map((line) => / ([a-z]\w*)\(/.exec(line)?.[1])
      .filter((method) => method !== undefined),
  ),
];
const ofObjects = new Set(['toString', 'hashCode', 'equals']);
/** A record's components, which are its accessors without an argument. */
const componentsOf = (name: string): readonly string[] =>
  membersOf(name)
    .map((line) => /^ {2}public (?!static)(?:final )?\S+ (\w+)\(\);$/.exec(line)?.[1] ?? '')
    .filter((component) => component !== '' && !ofObjects.has(component));

/** What of an options object can be said, one method each that gives another one. */
const sayableOf = (name: string): readonly string[] => [
  ...new Set(
    membersOf(name).flatMap(
      (line) => new RegExp(`^ {2}public io\\.flowgate\\.client\\.${name} (\\w+)\\(`).exec(line)?.[1] ?? [],
    ),
  ),
];

/** Every method as `name(its, arguments)`; of those that may leave some out, the longest. */
function methodsOf(name: string): readonly string[] {
  const source = readFileSync(`${folder}/${name}.java`, 'utf8').split('public static final class')[0] ?? '';
  const longest = new Map<string, readonly string[]>();
  for (const [, method = '', list = ''] of source.matchAll(
    /^ {2}public (?!static|final)[\w<>, ]+ (\w+)\(([^)]*)\)/gm,
  )) {
    const names = list.split(/,\s*(?![^<]*>)/).flatMap((one) => /(\w+)$/.exec(one.trim())?.[1] ?? []);
    if (names.length >= (longest.get(method)?.length ?? 0)) longest.set(method, names);
  }
  return [...longest].map(([method, names]) => `${method}(${names.join(', ')})`);
}

const table = (first: string, nth = 0): PageTable['rows'] => tablesNamed(page, first)[nth]?.rows ?? [];
const column = (rows: PageTable['rows'], nth: number): readonly string[] =>
  rows.flatMap(({ cells }) => codeIn(cells[nth] ?? ''));

describe('the tables of the page of the Java client', () => {
  it('have every method with its arguments, and no other', () => {
    const rows = table('text');
    expect(column(rows, 0)).toEqual(methodsOf('FlowgateClient'));
    expect(column(rows, 1)).toEqual(methodsOf('TypedFlowgateClient'));
    // Whoever watches waits.
    const withoutWatches = namesOf('TypedFlowgateClient').filter((name) => !name.startsWith('watch'));
    expect(namesOf('AsyncFlowgateClient')).toEqual(withoutWatches);
    for (const { cells } of rows) {
      const typed = /^(\w+)/.exec(firstCode(cells[1]))?.[1];
      if (typed === undefined) continue;
      const given = membersOf('TypedFlowgateClient').find((line) => line.includes(` ${typed}(`)) ?? '';
      expect(given.replaceAll(/(?:\w+\.)+/g, '')).toContain(` ${firstCode(cells[2])} ${typed}(`);
    }
  });

  it('have every option of the builder, and no other', () => {
    const known = namesOf('FlowgateClient$Builder').filter((name) => name !== 'build');
    expect(column(table('option'), 0)).toEqual(known);
  });

  it('have every option of the watches', () => {
    expect(column(table('option', 1), 0)).toEqual(componentsOf('WatchOptions'));
  });

  it('have every option of the tries', () => {
    expect(column(table('option', 2), 0)).toEqual(componentsOf('RetryOptions'));
  });

  it('have every option of the calls', () => {
    const calls = membersOf('TypedFlowgateClient').flatMap((line) => {
      const [, method, type] = / (\w+)\((?:.*\.)?(\w+(?:Options|Query))\);$/.exec(line) ?? [];
      return method === undefined || type === undefined || method.startsWith('watch')
        ? []
        : [{ method, type }];
    });
    const said = table('call').map(({ cells }) => [firstCode(cells[0]), codeIn(cells[1] ?? '')]);
    const known = calls.map(({ method, type }) => {
      const options = sayableOf(type);
      expect(options).toContain('timeout');
      // `after` is the earlier name of `cursor`.
      const isOld = (name: string): boolean => name === 'after' && options.includes('cursor');
      return [method, options.filter((name) => name !== 'timeout' && !isOld(name))];
    });
    expect(said).toEqual(known);
  });

  it('have every error with its fields', () => {
    const listed = [...api.matchAll(/class io\.flowgate\.client\.(\w+Exception) /g)].map(([, name]) => name);
    const rows = table('error');
    expect([...column(rows, 0), 'FlowgateException'].toSorted()).toEqual(listed.toSorted());
    for (const { cells } of rows) {
      const [fields = ''] = (cells[2] ?? '').split(/:|, or/);
      const known = namesOf(firstCode(cells[0])).filter((name) => !ofObjects.has(name));
      expect(codeIn(fields)).toEqual(known);
    }
    const cell = (name: string): string =>
      rows.find(({ cells }) => firstCode(cells[0]) === name)?.cells[2] ?? '';
    expect(codeIn(cell('FlowgateValidationException')).slice(1)).toEqual(componentsOf('DocumentFault'));
    const reasons = membersOf('FlowgateUnreachableException$Reason').flatMap(
      (line) => /static final \S+ (\w+);$/.exec(line)?.[1] ?? [],
    );
    expect(codeIn(cell('FlowgateUnreachableException')).slice(1)).toEqual(reasons);
  });
});
