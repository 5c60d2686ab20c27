import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { giveGlobals, loadTypeScript, sourceMaps } from './typescript-modules.ts';

const require = createRequire(import.meta.url);
const { default: JestRuntime } = require('jest-runtime') as typeof import('jest-runtime');
type JestRuntime = InstanceType<typeof JestRuntime>;

const CIRCUS = /[\\/]jest-circus[\\/]build[\\/]/;

let files = 0;

/**
 * Has Node load the modules of tests, each once for all files of a process, and not once for each file: linking them anew took
 * most of the time of the tests. Only the test's own file is evaluated for itself.
 *
 * A file that replaces modules, or asks what has been loaded, begins with `@jest-environment node`: it has modules and a
 * global scope of its own, as Jest gives them by default.
 */
export default class SharedModules extends JestRuntime {
  private readonly isShared: boolean;

  constructor(...[config, environment, ...rest]: ConstructorParameters<typeof JestRuntime>) {
    super(config, environment, ...rest);
    this.isShared = environment.getVmContext() === null;
    if (this.isShared) loadTypeScript(config);
  }

  override requireInternalModule<T = unknown>(from: string, to?: string): T {
    if (!this.isShared) return super.requireInternalModule<T>(from, to);
    // It holds the tests of one file, and their hooks.
    if (CIRCUS.test(from))
      for (const path of Object.keys(require.cache)) if (CIRCUS.test(path)) delete require.cache[path];
    return require(to ?? from) as T;
  }

  override async unstable_importModule(
    ...given: Parameters<JestRuntime['unstable_importModule']>
  ): ReturnType<JestRuntime['unstable_importModule']> {
    if (!this.isShared) return super.unstable_importModule(...given);
    const [path] = given;
    giveGlobals(this.requireModuleOrMock<object>(path, '@jest/globals'));
    files += 1;
    return import(`${pathToFileURL(path).href}?${files}`);
  }

  override getSourceMaps(): ReturnType<JestRuntime['getSourceMaps']> {
    return this.isShared ? sourceMaps : super.getSourceMaps();
  }
}
