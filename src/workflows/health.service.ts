import { Injectable, Logger } from '@nestjs/common';
import { VERSION } from '../config/version.js';
import { Engine } from '../engine/index.js';

/** Answer of `GET /health`. */
export interface Health {
  readonly ok: boolean;
  /** Ids, in the order of their registration. */
  readonly workflows: readonly string[];
  readonly version: string;
  /** Why `ok` is false. */
  readonly error?: string;
}

@Injectable()
export class HealthService {
  private readonly logger = new Logger('Health');

  constructor(private readonly engine: Engine) {}

  async health(): Promise<Health> {
    const workflows = (await this.engine.workflows.list()).map(({ workflowId }) => workflowId);
    const error = await this.trouble();
    const about = { workflows, version: VERSION };
    return error === null ? { ok: true, ...about } : { ok: false, ...about, error };
  }

  private async trouble(): Promise<string | null> {
    if (this.engine.isClosing) return 'The service is shutting down';
    try {
      await this.engine.check();
      return null;
    } catch (error) {
      this.logger.error(`The store cannot be reached: ${error instanceof Error ? error.message : 'unknown'}`);
      return 'The store cannot be reached';
    }
  }
}
