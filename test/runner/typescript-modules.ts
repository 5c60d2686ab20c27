import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks, type LoadHookSync, type ResolveHookSync } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Config } from '@jest/types';
import { transformSync, type Options } from '@swc/core';

/** Where a test file imports what Jest gives it. */
const GLOBALS = 'jest:globals';
const GLOBAL_NAMES = 'jest, expect, it, test, describe, beforeAll, beforeEach, afterAll, afterEach';
/** Under this name the module of the line above finds what Jest gives the file that is being loaded. */
const GIVEN = Symbol.for('flowgate.tests.globals');

const TYPESCRIPT = /\.ts(\?\d+)?$/;

/** The source maps of modules, by the names that Node gives them in a stack. Jest reads them from files. */
class SourceMaps extends Map<string, string> {
  private readonly maps = new Map<string, string>();
  private folder: string | null = null;

  keep(path: string, map: string | undefined): void {
    if (map !== undefined) this.maps.set(path, map);
  }

  override get(source: string): string | undefined {
    const path = source.startsWith('file:') ? fileURLToPath(source.replace(/\?\d+$/, '')) : source;
    const map = this.maps.get(path);
    if (map === undefined || this.has(path)) return super.get(path);
    const file = join((this.folder ??= temporaryFolder()), `${this.size}.map`);
    writeFileSync(file, map);
    this.set(path, file);
    return file;
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flowgate-source-maps-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const sourceMaps = new SourceMaps();

/** What Jest gives the file that is loaded next. */
export function giveGlobals(globals: object): void {
  Object.assign(globalThis, { [GIVEN]: globals });
}

let isLoading = false;

/**
 * From now on Node loads our TypeScript, compiled as Jest's configuration says, and packages that are ours as it maps their
 * names. Nothing is kept on disk: swc compiles a file in a millisecond.
 */
export function loadTypeScript({ transform, moduleNameMapper }: Config.ProjectConfig): void {
  if (isLoading) return;
  isLoading = true;
  const [, , options] = transform.find(([pattern]) => new RegExp(pattern).test('a.ts')) ?? [];
  registerHooks({ resolve: resolveWith(moduleNameMapper), load: loadWith((options ?? {}) as Options) });
}

function resolveWith(mapper: readonly (readonly [from: string, to: string])[]): ResolveHookSync {
  const ours = mapper
    .filter(([, to]) => existsSync(to))
    .map(([from, to]) => [new RegExp(from), pathToFileURL(to).href] as const);
  return (specifier, context, next) => {
    const { parentURL = '' } = context;
    if (specifier === '@jest/globals') return { url: `${GLOBALS}?${parentURL}`, shortCircuit: true };
    const [, mapped] = ours.find(([from]) => from.test(specifier)) ?? [];
    if (mapped !== undefined) return { url: mapped, shortCircuit: true };
    if (specifier.startsWith('.') && specifier.endsWith('.js') && TYPESCRIPT.test(parentURL)) {
      const url = new URL(specifier.replace(/\.js$/, '.ts'), parentURL);
      if (existsSync(url)) return { url: url.href, shortCircuit: true };
    }
    return next(specifier, context);
  };
}

function loadWith(options: Options): LoadHookSync {
  return (url, context, next) => {
    if (url.startsWith(GLOBALS)) {
      const source = `export const { ${GLOBAL_NAMES} } = globalThis[Symbol.for(${JSON.stringify(GIVEN.description)})];`;
      return { format: 'module', source, shortCircuit: true };
    }
    if (!TYPESCRIPT.test(url) || url.includes('/node_modules/')) return next(url, context);
    const path = fileURLToPath(url.replace(/\?\d+$/, ''));
    const given = { ...options, filename: path, configFile: false, swcrc: false, sourceMaps: true };
    const { code, map } = transformSync(readFileSync(path, 'utf8'), given);
    sourceMaps.keep(path, map);
    return { format: 'module', source: code, shortCircuit: true };
  };
}
