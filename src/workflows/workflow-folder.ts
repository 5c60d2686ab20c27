import { messageOf } from '../errors/flowgate-error.js';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { EdgeOptions } from '../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { Engine } from '../engine/index.js';
import { ConfigError } from '../errors/service-errors.js';

const VARIABLE = 'FLOWGATE_WORKFLOWS_DIR';
const DOCUMENT = /\.ya?ml$/;

/**
 * Registers, before the service listens, every `*.yaml` and `*.yml` of a folder in the order of their names, with
 * the bindings in `<name>.bindings.json` beside it where there is such a file. One that cannot be loaded is a
 * `ConfigError`: the service does not start.
 */
@Injectable()
export class WorkflowFolder implements OnApplicationBootstrap {
  private readonly logger = new Logger('Workflows');

  constructor(
    @Inject(FLOWGATE_OPTIONS) private readonly options: EdgeOptions,
    private readonly engine: Engine,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { workflowsDir = null } = this.options;
    if (workflowsDir === null) return;
    const names = await readdir(workflowsDir).catch((error: unknown) => refuse(workflowsDir, error));
    for (const name of names.filter((file) => DOCUMENT.test(file)).sort()) {
      await this.register(workflowsDir, name).catch((error: unknown) => refuse(name, error));
    }
  }

  private async register(folder: string, name: string): Promise<void> {
    const yaml = await readFile(join(folder, name), 'utf8');
    const bindings = await readFile(join(folder, name.replace(DOCUMENT, '.bindings.json')), 'utf8').catch(
      () => 'null',
    );
    const { warnings } = await this.engine.workflows.register({
      yaml,
      bindings: JSON.parse(bindings) as unknown,
    });
    for (const warning of warnings) this.logger.warn(`${name}: ${warning}`);
  }
}

function refuse(what: string, error: unknown): never {
  const reason = messageOf(error);
  throw new ConfigError([{ variable: VARIABLE, message: `${VARIABLE}: ${what}: ${reason}` }]);
}
