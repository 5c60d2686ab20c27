import { Module, type DynamicModule } from '@nestjs/common';
import { ENGINE } from '../config/instance-tokens.js';
import type { Engine } from '../engine/index.js';
import { FeatureWorkflows } from './feature-workflows.js';

/** The token of an instance's features. */
export function featuresToken(name?: string): string {
  return name === undefined ? 'FlowgateFeatures' : `FlowgateFeatures(${name})`;
}

/** The workflows that modules of the host provide. */
@Module({})
export class FeaturesModule {
  /** `engine` exports the engine of the instance of that name. */
  static around(engine: DynamicModule, name?: string): DynamicModule {
    const provide = featuresToken(name);
    return {
      module: FeaturesModule,
      imports: [engine],
      providers: [
        { provide, inject: [ENGINE], useFactory: (own: Engine) => new FeatureWorkflows(own) },
        { provide: FeatureWorkflows, useExisting: provide },
      ],
      exports: [provide, FeatureWorkflows],
    };
  }
}
