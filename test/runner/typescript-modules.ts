import { existsSync, readFileSync } from 'node:fs';
import { registerHooks, type LoadHookSync, type ResolveHookSync } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ScriptTransformer, TransformationOptions } from '@jest/transform';

/** Where a test file imports what Jest gives it. */
const GLOBALS = 'jest:globals';
const GLOBAL_NAMES = 'jest, expect, it, test, describe, beforeAll, beforeEach, afterAll, afterEach';
/** Under this name the module of the line above finds what Jest gives the file that is being loaded. */
const GIVEN = Symbol.for('flowgate.tests.globals');

const TYPESCRIPT = /\.ts(\?\d+)?$/;
const AS_ESM = {
  collectCoverage: false,
  collectCoverageFrom: [],
  coverageProvider: 'v8',
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
} as TransformationOptions;

type Transformer = Pick<ScriptTransformer, 'transform'>;

/** Finds the source map of a module by the name that Node gives it in a stack. */
class SourceMaps extends Map<string, string> {
  override get(source: string): string | undefined {
    return super.get(source.startsWith('file:') ? fileURLToPath(source.replace(/\?\d+$/, '')) : source);
  }
}

export const sourceMaps = new SourceMaps();

/** What Jest gives the file that is loaded next. */
export function giveGlobals(globals: object): void {
  Object.assign(globalThis, { [GIVEN]: globals });
}

let isCompiling = false;

/**
 * From now on Node loads our TypeScript, compiled as Jest's configuration says and from Jest's cache. `mapper`: its names of
 * packages that are ours.
 */
export function compileWith(
  transformer: Transformer,
  mapper: readonly (readonly [from: string, to: string])[],
): void {
  if (isCompiling) return;
  isCompiling = true;
  registerHooks({ resolve: resolveWith(mapper), load: loadWith(transformer) });
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

function loadWith(transformer: Transformer): LoadHookSync {
  return (url, context, next) => {
    if (url.startsWith(GLOBALS)) {
      const source = `export const { ${GLOBAL_NAMES} } = globalThis[Symbol.for(${JSON.stringify(GIVEN.description)})];`;
      return { format: 'module', source, shortCircuit: true };
    }
    if (!TYPESCRIPT.test(url) || url.includes('/node_modules/')) return next(url, context);
    const path = fileURLToPath(url.replace(/\?\d+$/, ''));
    const { code, sourceMapPath } = transformer.transform(path, AS_ESM, readFileSync(path, 'utf8'));
    if (sourceMapPath !== null) sourceMaps.set(path, sourceMapPath);
    return { format: 'module', source: code, shortCircuit: true };
  };
}
