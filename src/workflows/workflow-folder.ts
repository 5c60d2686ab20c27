import { messageOf } from '../errors/flowgate-error.js';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EdgeOptions, WorkflowsFolder } from '../config/edge-options.js';
import { resultOfDisk, type NamedFolder } from '../config/named-folder.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { FeatureWorkflows } from '../features/feature-workflows.js';
import { RegisteredTogether } from '../features/registered-together.js';
import { ConfigError, SilentDiskError } from '../errors/service-errors.js';

const VARIABLE = 'FLOWGATE_WORKFLOWS_DIR';
const DOCUMENT = /\.ya?ml$/;

/**
 * Registers, before the service listens, every `*.yaml` and `*.yml` of a folder in the order of their names, with the
 * bindings in `<name>.bindings.json` next to it if there is such a file. A document that cannot be loaded is a
 * `ConfigError`, and the service does not start. Once those of the host's modules are registered as well, says which children
 * nobody has registered.
 */
@Injectable()
export class WorkflowFolder implements OnApplicationBootstrap {
  constructor(
    @Inject(FLOWGATE_OPTIONS) private readonly options: EdgeOptions,
    private readonly features: FeatureWorkflows,
    private readonly together: RegisteredTogether,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // The operator's documents replace those of the host's modules.
    await this.features.registered();
    const { workflowsDir: given = null } = this.options;
    if (given !== null) await this.registerAll(typeof given === 'string' ? { path: given } : given);
    await this.together.warnOfChildren();
  }

  private async registerAll({ path, namespace }: WorkflowsFolder): Promise<void> {
    const folder: NamedFolder = { variable: VARIABLE, path };
    const names = await resultOfDisk(folder, readdir(path)).catch((error: unknown) => refuse(path, error));
    for (const name of names.filter((file) => DOCUMENT.test(file)).sort()) {
      await this.register(folder, name, namespace).catch((error: unknown) => refuse(name, error));
    }
  }

  private async register(folder: NamedFolder, name: string, namespace: string | undefined): Promise<void> {
    const yaml = await resultOfDisk(folder, textOf(join(folder.path, name)));
    if (yaml === null) throw new Error('it leads nowhere: put the link right');
    const beside = join(folder.path, name.replace(DOCUMENT, '.bindings.json'));
    const bindings = (await resultOfDisk(folder, textOf(beside))) ?? 'null';
    await this.together.register(name, { yaml, bindings: JSON.parse(bindings) as unknown, namespace });
  }
}

/** Null if there is no such file. Pipes are refused, because opening one would wait for a writer. */
async function textOf(file: string): Promise<string | null> {
  const found = await stat(file).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (found === null) return null;
  if (!found.isFile()) throw new Error(`${basename(file)} is no file: move it away`);
  return readFile(file, 'utf8');
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}

function refuse(what: string, error: unknown): never {
  if (error instanceof SilentDiskError) throw error;
  const reason = messageOf(error, 'http');
  throw new ConfigError([{ variable: VARIABLE, message: `${VARIABLE}: ${what}: ${reason}` }]);
}
