import type { OnApplicationBootstrap } from '@nestjs/common';
import { messageOf } from '../errors/flowgate-error.js';
import { SetupError } from '../errors/service-errors.js';
import { documentSource } from './document-source.js';
import type { Feature } from './feature.js';
import type { RegisteredTogether } from './registered-together.js';

/**
 * The workflows that modules of the host provide for one instance. They are registered when every module is
 * initialised, so that all units are known by then, and before the folder of workflows is read and the server
 * listens.
 */
export class FeatureWorkflows implements OnApplicationBootstrap {
  private readonly features: Feature[] = [];
  private registering: Promise<void> | null = null;

  constructor(private readonly together: RegisteredTogether) {}

  /** To be called before the modules are initialised. */
  add(feature: Feature): void {
    this.features.push(feature);
  }

  onApplicationBootstrap(): Promise<void> {
    return this.registered();
  }

  /** Rejects with a `SetupError` that names every fault of every document. Repeated calls share one registration. */
  registered(): Promise<void> {
    return (this.registering ??= this.register());
  }

  private async register(): Promise<void> {
    const faults: string[] = [];
    const sources = new Map<string, string>();
    for (const { of, workflows, namespace, bindings } of this.features) {
      for (const [position, given] of workflows.entries()) {
        const { label, read } = documentSource(given, position);
        const source = `${label} of ${of}`;
        try {
          const yaml = await read();
          const workflowId = await this.together.register(source, { yaml, bindings, namespace });
          const key = `${namespace ?? ''}\n${workflowId}`;
          const earlier = sources.get(key);
          if (earlier !== undefined) {
            faults.push(
              `${source}: the workflow ${workflowId} is in ${earlier} as well: leave one of them out`,
            );
          }
          sources.set(key, source);
        } catch (error) {
          faults.push(`${source}: ${messageOf(error)}`);
        }
      }
    }
    if (faults.length > 0) throw new SetupError(faults);
  }
}
