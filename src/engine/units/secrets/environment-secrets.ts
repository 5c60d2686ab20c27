import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Secrets } from '../../ports/secrets.js';

const PREFIX = 'FLOWGATE_SECRET_';
/** The name of a secret follows, and the variable lists its hosts. */
const HOSTS = 'HOSTS_';
/** Far beyond keys and certificates; what a header may hold is less. */
const MAX_SECRET_BYTES = 1024 * 1024;
const NAMESPACE = /^[a-z][a-z0-9-]{0,62}$/;
/** Separates namespace and name: no namespace that has variables of its own contains it. */
const SEPARATOR = '__';

export interface EnvironmentSecretsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A folder with one file per secret, as orchestrators mount them; null: none. */
  readonly folder: string | null;
  /**
   * Whether those who write workflows in one namespace must not read what is another's: then `FLOWGATE_SECRET_TEAM__KEY` is the
   * secret `KEY` of the namespace `team` alone, and a secret of `default` whose name has `__` is in the folder only. Default false.
   */
  readonly areApart?: boolean;
}

/**
 * `FLOWGATE_SECRET_<NAME>`, else the file `<NAME>` of the folder, without its last line break. In a namespace other than
 * `default`: `FLOWGATE_SECRET_<NAMESPACE>__<NAME>` (upper case, a dash as an underscore), else `<namespace>/<NAME>`.
 * A file of more than 1 MiB cannot be read.
 *
 * `FLOWGATE_SECRET_HOSTS_<NAME>` lists, separated by commas, the hosts that the secret may be sent to; blank: any.
 */
export class EnvironmentSecrets implements Secrets {
  constructor(private readonly options: EnvironmentSecretsOptions) {}

  async read(request: { readonly namespace: string; readonly name: string }): Promise<string | null> {
    const { namespace, name } = request;
    const { environment } = this.options;
    if (namespace !== 'default' && !NAMESPACE.test(namespace)) return null;
    const variable = this.isOfAnother(namespace, name) ? null : secretVariable(namespace, name);
    const value = variable === null ? undefined : environment[variable];
    return value ?? this.fromFolder(namespace, name);
  }

  async refusalOf({ namespace, name }: { readonly namespace: string; readonly name: string }) {
    if (!this.isOfAnother(namespace, name) || (await this.fromFolder(namespace, name)) !== null) return null;
    return (
      'reads like the name of a namespace and that of a secret of it, so in the namespace default it is read from the folder of secrets ' +
      `alone: put a file ${name} into FLOWGATE_SECRETS_DIR, or give it a name without __`
    );
  }

  /** The variables that `default` would read were the namespaces not kept apart: names, never values. */
  variablesOfOthers(): readonly string[] {
    if (this.options.areApart !== true) return [];
    return Object.entries(this.options.environment).flatMap(([variable, value]) => {
      const isOfSecret = variable.startsWith(PREFIX) && !variable.startsWith(PREFIX + HOSTS);
      return value !== undefined && isOfSecret && isAmbiguous('default', variable.slice(PREFIX.length))
        ? [variable]
        : [];
    });
  }

  private async fromFolder(namespace: string, name: string): Promise<string | null> {
    const { folder } = this.options;
    if (folder === null) return null;
    const text = await textOf(namespace === 'default' ? join(folder, name) : join(folder, namespace, name));
    return text === null ? null : text.replace(/\r?\n$/, '');
  }

  async hostsOf({ namespace, name }: { readonly namespace: string; readonly name: string }) {
    const variable = this.isOfAnother(namespace, name) ? null : hostsVariable(namespace, name);
    const list = variable === null ? '' : (this.options.environment[variable] ?? '').trim();
    return list === '' ? null : list.split(',');
  }

  /** Whether the variable of that name is, or would be, that of another namespace. */
  private isOfAnother(namespace: string, name: string): boolean {
    return this.options.areApart === true && isAmbiguous(namespace, name);
  }
}

/**
 * Null where there is no such file. Rejects for a file that exists and cannot be read: the error must not ask to set what is
 * set. Opening a pipe would wait for its writer, and block a thread of Node.
 */
async function textOf(file: string): Promise<string | null> {
  try {
    const found = await stat(file);
    if (!found.isFile()) return null;
    if (found.size > MAX_SECRET_BYTES) throw new Error('The file of a secret is too long');
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/**
 * The variable of a secret. Null for those that are in the folder only: where the variable would be one of another
 * namespace too (`a--b` and `a`, or `a-` and `a`), and where it would list hosts (a secret whose name begins with `HOSTS_`;
 * the namespace `hosts`, and those that begin with `hosts-`).
 */
export function secretVariable(namespace: string, name: string): string | null {
  const own = variableName(namespace, name);
  return own === null || own.startsWith(HOSTS) ? null : PREFIX + own;
}

/** Whether the name of a secret of `default` reads like the namespace and the name of another one's. */
export function isAmbiguous(namespace: string, name: string): boolean {
  return namespace === 'default' && name.includes(SEPARATOR);
}

/** The variable that lists a secret's hosts. Null where it would be one of another namespace too. */
export function hostsVariable(namespace: string, name: string): string | null {
  const own = variableName(namespace, name);
  return own === null ? null : PREFIX + HOSTS + own;
}

function variableName(namespace: string, name: string): string | null {
  if (namespace === 'default') return name;
  if (namespace.includes('--') || namespace.endsWith('-')) return null;
  return namespace.toUpperCase().replaceAll('-', '_') + SEPARATOR + name;
}
