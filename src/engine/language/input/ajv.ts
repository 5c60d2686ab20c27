import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * The library that checks inputs. It is loaded with the first schema, as part of what compiling it takes: most workflows
 * have none, and a host that starts should not wait for it. It is not loaded by `import()`, because its callers are
 * synchronous.
 */
export function loadAjv(): typeof import('ajv/dist/2020.js') {
  return load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
}

export function loadAjvFormats(): (ajv: InstanceType<ReturnType<typeof loadAjv>['Ajv2020']>) => void {
  return load('ajv-formats') as ReturnType<typeof loadAjvFormats>;
}
