import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Secrets } from '../../ports/secrets.js';

const PREFIX = 'FLOWGATE_SECRET_';
const NAMESPACE = /^[a-z][a-z0-9-]{0,62}$/;
/** Between namespace and name: it stands in no namespace that has variables of its own. */
const SEPARATOR = '__';

export interface EnvironmentSecretsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A folder with one file per secret, as orchestrators mount them; null: none. */
  readonly folder: string | null;
}

/**
 * `FLOWGATE_SECRET_<NAME>`, else the file `<NAME>` of the folder, without its last line break. In a namespace other than
 * `default`: `FLOWGATE_SECRET_<NAMESPACE>__<NAME>` (upper case, a dash as an underscore), else `<namespace>/<NAME>`.
 */
export class EnvironmentSecrets implements Secrets {
  constructor(private readonly options: EnvironmentSecretsOptions) {}

  async read(request: { readonly namespace: string; readonly name: string }): Promise<string | null> {
    const { namespace, name } = request;
    const { environment, folder } = this.options;
    const isDefault = namespace === 'default';
    if (!isDefault && !NAMESPACE.test(namespace)) return null;
    const variable = secretVariable(namespace, name);
    const value = variable === null ? undefined : environment[variable];
    if (value !== undefined) return value;
    if (folder === null) return null;
    try {
      const file = isDefault ? join(folder, name) : join(folder, namespace, name);
      return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
    } catch {
      return null;
    }
  }
}

/**
 * The variable of a secret. Null where it would be one of another namespace too (`a--b` and `a`, or `a-` and `a`): such a
 * namespace has its secrets in the folder only.
 */
export function secretVariable(namespace: string, name: string): string | null {
  if (namespace === 'default') return PREFIX + name;
  if (namespace.includes('--') || namespace.endsWith('-')) return null;
  return PREFIX + namespace.toUpperCase().replaceAll('-', '_') + SEPARATOR + name;
}
