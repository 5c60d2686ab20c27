import { Module, type DynamicModule } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { AccessModule } from './access/access.module.js';
import { AuthenticationModule } from './access/authentication.module.js';
import type { EdgeOptions } from './config/edge-options.js';
import { ENGINE } from './config/instance-tokens.js';
import { engineToken } from './instance.js';
import { OptionsModule, type OptionsFactory, type OptionsSource } from './config/options.module.js';
import { mountOf, type FlowgatePlacement, type Mount } from './config/placement.js';
import { ConsoleModule } from './console/console.module.js';
import { EngineModule, type EngineModuleOptions } from './engine.module.js';
import type { FeatureOptions } from './features/feature.js';
import { FeatureModule } from './features/feature.module.js';
import { ProvidersModule } from './flowgate/providers.module.js';
import { HealthModule } from './health/health.module.js';
import { HitlModule } from './hitl/hitl.module.js';
import { HostGuardModule } from './http/host-guard/host-guard.module.js';
import { HttpEdgeModule } from './http/http-edge.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MemoryModule } from './memory/memory.module.js';
import { MeterModule } from './metrics/meter.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { StatusesModule } from './openapi/statuses.module.js';
import { RunsModule } from './runs/runs.module.js';
import { WorkflowsModule } from './workflows/workflows.module.js';

/** The options of Flowgate; each has a default. Without a `store` runs are kept in memory. */
export type FlowgateModuleOptions = EngineModuleOptions & EdgeOptions;

/** The interface of classes for `useClass` and `useExisting` of `forRootAsync`. */
export type FlowgateOptionsFactory = OptionsFactory<FlowgateModuleOptions>;

export type FlowgateModuleAsyncOptions = OptionsSource<FlowgateModuleOptions> & FlowgatePlacement;

/**
 * Flowgate inside a Nest application: the endpoints below a prefix, and the injectable `Engine`. The guards,
 * interceptors and filters of the host apply; its pipes see no body. Set it up once, or once for every named instance.
 *
 * Its runs are drained when the application is closed: by `app.close()`, or, after `app.enableShutdownHooks()`, by
 * SIGTERM and SIGINT. A host that does neither loses nothing that was stored, but units in flight are called again.
 */
@Module({})
export class FlowgateModule {
  /** Throws for an invalid `name`; the start of the application fails if another instance has the name or the prefix. */
  static forRoot(options: FlowgateModuleOptions & FlowgatePlacement = {}): DynamicModule {
    const { prefix: _prefix, global = false, name: _name, http: _http, ...rest } = options;
    return FlowgateModule.assemble({ useFactory: () => rest }, mountOf(options), global);
  }

  /**
   * Workflows that a module of the host provides, whichever module imports `forRoot`. They are registered once all
   * modules are initialised. If any of them has faults, the start fails with an error that names all of them.
   */
  static forFeature(feature: FeatureOptions): DynamicModule {
    return FeatureModule.of(feature);
  }

  /** As `forRoot`, with options that a factory of the host makes; the placement is known before it is called. */
  static forRootAsync(options: FlowgateModuleAsyncOptions): DynamicModule {
    return FlowgateModule.assemble(options, mountOf(options), options.global ?? false);
  }

  private static assemble(
    source: OptionsSource<FlowgateModuleOptions>,
    mount: Mount,
    global: boolean,
  ): DynamicModule {
    const { parts, prefix } = mount;
    const options = OptionsModule.from(source, mount, (given) => withOwnPages(given, parts.console));
    // One object per module: Nest recognises a dynamic module by its reference, and there must be one engine.
    const meter = MeterModule.with(parts);
    const authentication = AuthenticationModule.around(options);
    const engine = EngineModule.around([options, meter, authentication], parts);
    const providers = ProvidersModule.around(engine, mount.name);
    const guards = HostGuardModule.around(options, authentication, mount.name);
    const shared = [
      engine,
      providers,
      HttpEdgeModule.around(options, engine, authentication),
      authentication,
    ];
    const runs = RunsModule.around(shared, parts);
    const hitl = HitlModule.around(shared, parts);
    const workflows = WorkflowsModule.around(shared, parts);
    const health = HealthModule.around(shared, mount);
    const features = [
      health,
      workflows,
      runs,
      hitl,
      MemoryModule.around(shared, parts),
      MetricsModule.around([...shared, meter], parts),
      McpModule.around([...shared, workflows, runs, hitl], parts),
      AccessModule.around(shared, parts),
      ConsoleModule.around(shared, mount),
    ];
    const children = features.map(({ module }) => module);
    const mounted = prefix === '' ? [] : [RouterModule.register([{ path: prefix, children }])];
    const token = engineToken(mount.name);
    return {
      module: FlowgateModule,
      global,
      imports: [
        engine,
        providers,
        authentication,
        guards,
        StatusesModule.around(options),
        ...features,
        ...mounted,
      ],
      providers: [{ provide: token, useExisting: ENGINE }],
      exports: [token, health, providers, authentication, guards],
    };
  }
}

/** A console is a page of the host's own origin, which the host's users have open: no other origin's may do what it does. */
function withOwnPages(options: FlowgateModuleOptions, hasConsole: boolean): FlowgateModuleOptions {
  return hasConsole && options.webPages === undefined ? { ...options, webPages: {} } : options;
}
