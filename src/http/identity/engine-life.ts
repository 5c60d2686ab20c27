import { Inject, Injectable } from '@nestjs/common';
import { ENGINE } from '../../config/instance-tokens.js';
import type { Engine } from '../../engine/index.js';

/** What of the engine is nobody's in particular: when it ends, and that something was registered. */
@Injectable()
export class EngineLife {
  constructor(@Inject(ENGINE) private readonly engine: Engine) {}

  /** Resolves once what is in flight has ended, or its grace is over; safe to call twice. */
  close(): Promise<void> {
    return this.engine.close();
  }

  /** Calls `observer` with its namespace whenever a workflow was registered, replaced or removed. Returns what ends that. */
  observeWorkflows(observer: (namespace: string) => void): () => void {
    return this.engine.workflows.observe(observer);
  }
}
