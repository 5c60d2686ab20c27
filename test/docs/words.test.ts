import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FlowgateClient } from 'flowgate-client';
import yargs, { type Argv } from 'yargs';
import { COMMANDS, namesOf } from '../../src/cli/commands/command-groups.js';
import { Flowgate } from '../../src/flowgate/flowgate.js';
import { FlowgateModule } from '../../src/flowgate.module.js';
import { BUILT_IN_TOOLS, wholeDefinition } from '../../src/mcp/tools/tool-definitions.js';

const PAGE = readFileSync('docs/words.md', 'utf8');
const THINGS = ['register', 'start', 'decide', 'checkpoint', 'cursor', 'responder', 'title', 'cancelled'];

function tableUnder(heading: RegExp): readonly (readonly string[])[] {
  const lines = PAGE.slice(PAGE.search(heading)).split('\n');
  const begin = lines.findIndex((line) => line.startsWith('|'));
  const end = lines.findIndex((line, index) => index > begin && !line.startsWith('|'));
  return lines.slice(begin, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const [headings = [], , ...rows] = tableUnder(/^# /m);

/** The names in a cell, as code. */
function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

interface Operation {
  readonly operationId: string;
}

const openapi = JSON.parse(readFileSync('schemas/openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    route: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    operationId,
  })),
);
/** Names of parameters, and of fields of schemas. */
const fields = new Set<string>();
collect(openapi);
/** The headings of the routes, and their tables. */
const http = readdirSync('docs/http')
  .map((page) => readFileSync(join('docs', 'http', page), 'utf8'))
  .join('\n');
const java = readFileSync('clients/java/api.txt', 'utf8');

function collect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { properties, name, in: where } = value as Readonly<Record<string, unknown>>;
  if (typeof properties === 'object' && properties !== null)
    for (const key of Object.keys(properties)) fields.add(key);
  if (typeof name === 'string' && typeof where === 'string') fields.add(name);
  for (const part of Object.values(value)) collect(part);
}

/** Whether a field of this name is declared in the sources that are published from a folder. */
function declares(folder: string, field: string): boolean {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const declaration = new RegExp(String.raw`\breadonly ${field}\??: |[(,]\s*${field}(?: = [^,]*|\??: )`);
  return files.some((file) => declaration.test(readFileSync(join(folder, file), 'utf8')));
}

const methodOf = (name: string): string => name.replace(/\(\)$/, '');
const isMethod = (name: string): boolean => name.endsWith('()');

function isOption(name: string): boolean {
  return COMMANDS.some(({ builder }) => {
    const args = yargs([]);
    (builder as (args: Argv) => unknown)(args);
    const { key } = (args as unknown as { getOptions: () => { key: object } }).getOptions();
    return Object.hasOwn(key, name.replace(/^--/, ''));
  });
}

function isArgumentOfTool(name: string): boolean {
  return [...BUILT_IN_TOOLS.values()].some((tool) =>
    JSON.stringify([wholeDefinition(tool), tool.details.outputSchema]).includes(`"${name}":`),
  );
}

const SURFACES: Readonly<Record<string, (name: string) => boolean>> = {
  REST: (name) =>
    (name.includes(' ') ? operations.some(({ route }) => route === name) : fields.has(name)) &&
    http.includes(name),
  OpenAPI: (name) => operations.some(({ operationId }) => operationId === name) || fields.has(name),
  'command line': (name) =>
    name.startsWith('--')
      ? isOption(name)
      : COMMANDS.some((command) => namesOf(command).includes(name.replace('flowgate ', ''))),
  TypeScript: (name) =>
    isMethod(name)
      ? typeof (FlowgateClient.prototype as unknown as Record<string, unknown>)[methodOf(name)] === 'function'
      : declares('clients/typescript/src', name),
  Java: (name) => java.includes(` ${methodOf(name)}(`),
  MCP: (name) => [...BUILT_IN_TOOLS.keys()].some((tool) => tool === name) || isArgumentOfTool(name),
  Nest: (name) =>
    isMethod(name)
      ? methodOf(name) in Flowgate.prototype || methodOf(name) in FlowgateModule
      : declares('src/flowgate', name) || declares('src/engine', name),
};

describe('the table of words', () => {
  it('has a row for each thing, and a column for each surface', () => {
    expect(headings).toEqual(['thing', ...Object.keys(SURFACES)]);
    expect(rows.map(([thing = '']) => thing.replaceAll('*', ''))).toEqual(THINGS);
  });

  it.each(rows)('names %s as each surface really does', (_thing, ...cells) => {
    cells.forEach((cell, column) => {
      const surface = headings[column + 1] ?? '';
      const names = namesIn(cell);
      expect([surface, names.length > 0]).toEqual([surface, true]);
      for (const name of names)
        expect([surface, name, SURFACES[surface]?.(name)]).toEqual([surface, name, true]);
    });
  });

  it('would notice a name that no surface has', () => {
    for (const [surface, has] of Object.entries(SURFACES))
      for (const name of [
        'frobnicate',
        'frobnicate()',
        '--frobnicate',
        'flowgate frobnicate',
        'GET /frobnicate',
      ])
        expect([surface, name, has(name)]).toEqual([surface, name, false]);
  });

  it('explains each thing below, and has the old names that are still taken', () => {
    for (const thing of THINGS) expect(PAGE.toLowerCase()).toContain(`- **${thing}**`);
    const [, , ...old] = tableUnder(/^## Old names/m);
    const options = old.map(([name = '']) => namesIn(name)[0] ?? '').filter((name) => name.startsWith('--'));
    expect(options).toEqual(['--snapshot']);
    // An alias is no option of its own, and is taken as the option is.
    expect(isOption('--checkpoint') && isOption('--snapshot')).toBe(true);
    expect(readFileSync('clients/typescript/src/options.ts', 'utf8')).toMatch(
      /@deprecated[^\n]*`cursor`[^\n]*\n\s*readonly after\?/,
    );
  });
});
