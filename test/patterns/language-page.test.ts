import { readdirSync, readFileSync } from 'node:fs';
import { readPage } from '../docs/support/page-blocks.js';
import { tablesNamed } from '../docs/support/page-tables.js';
import { CATALOGUE } from './support/catalogue.js';

const FOLDER = 'test/patterns';
const documents = readdirSync(`${FOLDER}/documents`).map((file) => file.replace('.yaml', ''));

/** The patterns that are tried, and the documents with which: as the test files say. */
const cases = Object.keys(CATALOGUE).flatMap((group) =>
  readFileSync(`${FOLDER}/${group}.test.ts`, 'utf8')
    .split(/^(?=pattern\()/m)
    .slice(1)
    .map((source) => {
      const [, number, name] = /^pattern\((\d+), '(.*)', /.exec(source) ?? [];
      const played = new Set([...source.matchAll(/play\('([^']+)'/g)].map(([, document = '']) => document));
      return { group, number: Number(number), name, documents: [...played] };
    }),
);

const rows = tablesNamed(readPage('docs/patterns.md'), 'no.')
  .flatMap((table) => table.rows)
  .map(({ cells: [number, name, expressed, parts = ''] }) => ({
    number: Number(number),
    name,
    expressed,
    parts: [...parts.matchAll(/`([^`]+)`/g)].map(([, part = '']) => part),
  }));

const expressed = rows.filter((row) => row.expressed !== 'no');

describe('the patterns on their page', () => {
  it('are those of the catalogue, by number and name, each once', () => {
    const catalogue = Object.entries(Object.assign({}, ...Object.values(CATALOGUE)) as object);
    expect(rows.map(({ number, name }) => [String(number), name])).toEqual(catalogue);
    expect(rows).toHaveLength(43);
  });

  it('are expressed, or partly, or not', () => {
    expect([...new Set(rows.map((row) => row.expressed))].toSorted()).toEqual(['no', 'partly', 'yes']);
  });

  it('are tried where they are expressed, and only there', () => {
    const tried = cases.map(({ number, name }) => [number, name]);
    const said = expressed.map(({ number, name }) => [number, name]);
    expect(tried.toSorted()).toEqual(said.toSorted());
  });

  it.each(expressed)('are expressed with what is said: $number, $name', ({ number, parts }) => {
    const played = cases.find((one) => one.number === number)?.documents ?? [];
    const text = played.map((name) => readFileSync(`${FOLDER}/documents/${name}.yaml`, 'utf8')).join('\n');
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) expect(text).toMatch(new RegExp(`(\\b(type|uses): ${part}\\b)|(\\b${part}:)`));
  });
});

describe('the cases of the patterns', () => {
  it.each(cases)('are in the file of their group: $number, $name', ({ group, number }) => {
    expect(Object.keys(CATALOGUE[group as keyof typeof CATALOGUE])).toContain(String(number));
  });

  it('each play documents of their own number, and all of them', () => {
    const numbers = cases.flatMap((one) => one.documents.map((name) => [name, one.number] as const));
    for (const [name, number] of numbers) expect(Number.parseInt(name, 10)).toBe(number);
    expect(numbers.map(([name]) => name).toSorted()).toEqual(documents.toSorted());
  });
});
