import { Inject, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { SetupError } from '../errors/service-errors.js';
import type { FeatureOptions } from './feature.js';
import type { FeatureWorkflows } from './feature-workflows.js';
import { featuresToken } from './features.module.js';

const FEATURE = Symbol('FEATURE');

/** `FlowgateModule.forFeature`: passes its workflows to their instance, wherever that is imported. */
@Module({})
export class FeatureModule implements OnModuleInit {
  constructor(
    @Inject(FEATURE) private readonly feature: FeatureOptions,
    private readonly moduleRef: ModuleRef,
    private readonly modules: ModulesContainer,
  ) {}

  static of(feature: FeatureOptions): DynamicModule {
    return { module: FeatureModule, providers: [{ provide: FEATURE, useValue: feature }] };
  }

  /** Throws a `SetupError` if there is no such instance. */
  onModuleInit(): void {
    const of = `forFeature in ${this.importedBy()}`;
    this.instance(of).add({ ...this.feature, of });
  }

  private instance(of: string): FeatureWorkflows {
    const { name } = this.feature;
    try {
      return this.moduleRef.get<FeatureWorkflows>(featuresToken(name), { strict: false });
    } catch (cause) {
      const options = name === undefined ? '' : `{ name: ${JSON.stringify(name)} }`;
      const wanted = name === undefined ? 'without a name' : `named ${JSON.stringify(name)}`;
      throw new SetupError(
        [
          `${of} is for the Flowgate ${wanted}, and there is none: import FlowgateModule.forRoot(${options}), or correct the name`,
        ],
        { cause },
      );
    }
  }

  private importedBy(): string {
    for (const { name, imports } of this.modules.values()) {
      for (const imported of imports) if (this.isInstance(imported.instance)) return name;
    }
    return 'a module';
  }

  private isInstance(other: unknown): boolean {
    return other === this;
  }
}
