import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Engine } from '../engine/index.js';
import { messageOf } from '../errors/flowgate-error.js';
import { SetupError } from '../errors/setup-errors.js';
import { documentSource } from './document-source.js';
import type { Feature } from './feature.js';

/**
 * The workflows that the modules of the host bring along for one instance. They are registered when every module is
 * initialised, so that all units are known by then, and before the folder of workflows is read and the server listens.
 */
export class FeatureWorkflows implements OnApplicationBootstrap {
  private readonly logger = new Logger('Workflows');
  private readonly features: Feature[] = [];
  private registering: Promise<void> | null = null;

  constructor(private readonly engine: Pick<Engine, 'workflows'>) {}

  /** Before the modules are initialised. */
  add(feature: Feature): void {
    this.features.push(feature);
  }

  onApplicationBootstrap(): Promise<void> {
    return this.registered();
  }

  /** Rejects with a `SetupError` that names every fault of every document. However often it is called, it works once. */
  registered(): Promise<void> {
    return (this.registering ??= this.register());
  }

  private async register(): Promise<void> {
    const faults: string[] = [];
    const places = new Map<string, string>();
    for (const { of, workflows, bindings } of this.features) {
      for (const [position, given] of workflows.entries()) {
        const { label, read } = documentSource(given, position);
        const place = `${label} of ${of}`;
        try {
          const yaml = await read();
          const { workflowId, warnings } = await this.engine.workflows.register({ yaml, bindings });
          const earlier = places.get(workflowId);
          if (earlier !== undefined) {
            faults.push(
              `${place}: the workflow ${workflowId} is in ${earlier} as well: leave one of them out`,
            );
          }
          places.set(workflowId, place);
          for (const warning of warnings) this.logger.warn(`${place}: ${warning}`);
        } catch (error) {
          faults.push(`${place}: ${messageOf(error)}`);
        }
      }
    }
    if (faults.length > 0) throw new SetupError(faults);
  }
}
