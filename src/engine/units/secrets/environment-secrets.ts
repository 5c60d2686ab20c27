import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Secrets } from '../../ports/secrets.js';

const PREFIX = 'FLOWGATE_SECRET_';

export interface EnvironmentSecretsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A folder with one file per secret, as orchestrators mount them; null: none. */
  readonly folder: string | null;
}

/** `FLOWGATE_SECRET_<NAME>`, else the file `<NAME>` of the folder, without its last line break. */
export class EnvironmentSecrets implements Secrets {
  constructor(private readonly options: EnvironmentSecretsOptions) {}

  async read({ name }: { readonly name: string }): Promise<string | null> {
    const { environment, folder } = this.options;
    const value = environment[PREFIX + name];
    if (value !== undefined) return value;
    if (folder === null) return null;
    try {
      return (await readFile(join(folder, name), 'utf8')).replace(/\r?\n$/, '');
    } catch {
      return null;
    }
  }
}
