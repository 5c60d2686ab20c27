import { Module, type DynamicModule } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import type { EdgeOptions } from './config/edge-options.js';
import { OptionsModule, type OptionsSource } from './config/options.module.js';
import { EngineModule, type EngineModuleOptions } from './engine/engine.module.js';
import type { FeatureOptions } from './features/feature.js';
import { FeatureModule } from './features/feature.module.js';
import { ProvidersModule } from './flowgate/providers.module.js';
import { HealthModule } from './health/health.module.js';
import { HitlModule } from './hitl/hitl.module.js';
import { HttpEdgeModule } from './http/http-edge.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MemoryModule } from './memory/memory.module.js';
import { RunsModule } from './runs/runs.module.js';
import { WorkflowsModule } from './workflows/workflows.module.js';

/** What a host can tell Flowgate; all of it has a default. Without a `store` runs are kept in memory. */
export type FlowgateModuleOptions = EngineModuleOptions & EdgeOptions;

/** How the module stands in the host; known before any factory runs. */
export interface FlowgatePlacement {
  /** In front of every path of ours, such as `flowgate`. Default: none. */
  readonly prefix?: string;
  /** Makes `Engine` injectable in every module of the host. Default: only where FlowgateModule is imported. */
  readonly global?: boolean;
}

export type FlowgateModuleAsyncOptions = OptionsSource<FlowgateModuleOptions> & FlowgatePlacement;

/** Flowgate inside a Nest application: the endpoints, and the injectable `Engine`. Import it once. */
@Module({})
export class FlowgateModule {
  static forRoot(options: FlowgateModuleOptions & FlowgatePlacement = {}): DynamicModule {
    const { prefix, global, ...rest } = options;
    return FlowgateModule.forRootAsync({
      useFactory: () => rest,
      ...(prefix === undefined ? {} : { prefix }),
      ...(global === undefined ? {} : { global }),
    });
  }

  /**
   * Workflows that a module of the host brings along, whichever module imports `forRoot`. They are registered once all modules
   * are initialised. Whatever is wrong with any of them stops the start, with all of it in the error.
   */
  static forFeature(feature: FeatureOptions): DynamicModule {
    return FeatureModule.of(feature);
  }

  static forRootAsync({ prefix, global = false, ...source }: FlowgateModuleAsyncOptions): DynamicModule {
    const options = OptionsModule.from(source);
    // One object per module: Nest knows a dynamic module by its reference, and there must be one engine.
    const engine = EngineModule.around(options);
    const providers = ProvidersModule.around(engine);
    const shared = [engine, providers, HttpEdgeModule.around(options)];
    const runs = RunsModule.around(shared);
    const hitl = HitlModule.around(shared);
    const features = [
      HealthModule.around(shared),
      WorkflowsModule.around(shared),
      runs,
      hitl,
      MemoryModule.around(shared),
      McpModule.around([...shared, runs, hitl]),
    ];
    const children = features.map(({ module }) => module);
    const placed = prefix === undefined ? [] : [RouterModule.register([{ path: prefix, children }])];
    return {
      module: FlowgateModule,
      global,
      imports: [engine, providers, ...features, ...placed],
      exports: [engine, providers],
    };
  }
}
