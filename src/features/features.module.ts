import { Logger, Module, type DynamicModule } from '@nestjs/common';
import { ENGINE } from '../config/instance-tokens.js';
import type { Engine } from '../engine/index.js';
import { FeatureWorkflows } from './feature-workflows.js';
import { RegisteredTogether } from './registered-together.js';

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
        { provide: RegisteredTogether, inject: [ENGINE], useFactory: togetherIn },
        {
          provide,
          inject: [RegisteredTogether],
          useFactory: (together: RegisteredTogether) => new FeatureWorkflows(together),
        },
        { provide: FeatureWorkflows, useExisting: provide },
      ],
      exports: [provide, FeatureWorkflows, RegisteredTogether],
    };
  }
}

/** What modules provide and what the folder holds is registered together: either may call the other's workflows. */
function togetherIn({ workflows }: Engine): RegisteredTogether {
  const logger = new Logger('Workflows');
  return new RegisteredTogether(workflows, (message) => logger.warn(message));
}
