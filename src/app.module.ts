import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { authOptionsFrom } from './config/service/access-settings.js';
import { encryptionKeyIn } from './config/service/encryption-key.js';
import type { FlowgateConfig } from './config/service/settings.js';
import { aboutDataFolder, refuseUnusableFolders } from './config/service/usable-folders.js';
import { runSettings } from './config/service/run-settings.js';
import type { EngineModuleOptions } from './engine.module.js';
import { EnvironmentSecrets } from './engine/index.js';
import { FlowgateModule, type FlowgateModuleOptions } from './flowgate.module.js';
import { GuideModule } from './guide/guide.module.js';
import { StandaloneHttpModule } from './http/standalone/standalone-http.module.js';
import { DocumentModule } from './openapi/serving/document.module.js';
import { STORAGE, StorageModule, type StoragePorts } from './storage/storage.module.js';
import { TRACING, TracingModule } from './tracing/tracing.module.js';

const MS_PER_DAY = 86_400_000;

type Sdk = { readonly tracing: NonNullable<EngineModuleOptions['tracing']> } | null;

/** The standalone service: Flowgate, the storage that the configuration names, and nothing else. */
@Module({})
class AppModule {
  static with(config: FlowgateConfig, others: Partial<FlowgateModuleOptions>): DynamicModule {
    const flowgate = FlowgateModule.forRootAsync({
      imports: [StorageModule.with(config), TracingModule.with(config)],
      inject: [STORAGE, TRACING],
      useFactory: (storage: StoragePorts, sdk: Sdk) => ({
        ...optionsFrom(config),
        ...storage,
        tracing: sdk?.tracing ?? {},
        ...others,
      }),
      global: true,
      // The service's paths are where the interface puts them, so there is no prefix.
      prefix: '',
      http: { metrics: config.metrics, console: config.console },
    });
    const pages = [GuideModule.with(config), DocumentModule.with(config)];
    return { module: AppModule, imports: [flowgate, ...pages, StandaloneHttpModule] };
  }
}

/**
 * The service, not yet listening, with other options than those of the configuration if some are given. Its errors at the start
 * are thrown, not logged.
 */
export async function createService(
  config: FlowgateConfig,
  others: Partial<FlowgateModuleOptions> = {},
): Promise<INestApplication> {
  await refuseUnusableFolders(config);
  try {
    const adapter = StandaloneHttpModule.adapter(config);
    const app = await NestFactory.create(AppModule.with(config, others), adapter, {
      bodyParser: false,
      abortOnError: false,
      logger: StandaloneHttpModule.logger(config.logLevel),
    });
    const cors = StandaloneHttpModule.cors(config);
    if (cors !== null) app.enableCors(cors);
    return app;
  } catch (error) {
    throw config.store === 'sqlite' ? aboutDataFolder(error, config.dataDir) : error;
  }
}

function optionsFrom(config: FlowgateConfig): FlowgateModuleOptions {
  const { registry, resumeWaitMs, shutdownGraceMs, cancelGraceMs, allowSelfCalls, forkPastGates } = config;
  const { maxBodyBytes, maxUploadBytes, serverName, retentionDays, workflowsDir, secretsDir } = config;
  const { maxWorkflows, maxWorkflowsPerNamespace, maxOpenRunsPerNamespace, maxDefinitions } = config;
  const { statuses, publicUrl } = config;
  const { mcpTools, mcpWorkflowTools, mcpOwnGates, mcpWaitMs, mcpMaxSessions } = config;
  // Where nobody is asked who they are, nobody reaches another namespace.
  const namespace = config.auth.includes('none') ? null : config.workflowsNamespace;
  const { sseMaxStreams, ssePingMs, sseStalledMs } = config;
  return {
    ...runSettings(config),
    registry,
    resumeWaitMs,
    maxWorkflows,
    maxWorkflowsPerNamespace,
    maxOpenRunsPerNamespace,
    maxDefinitions,
    shutdownGraceMs,
    cancelGraceMs,
    allowSelfCalls,
    forkPastGates,
    retentionMs: retentionDays === 0 ? null : retentionDays * MS_PER_DAY,
    encryptionKey: encryptionKeyIn(config),
    secrets: new EnvironmentSecrets({
      environment: process.env,
      folder: secretsDir,
      areApart: !config.auth.includes('none'),
    }),
    maxBodyBytes,
    maxUploadBytes,
    serverName,
    statuses,
    auth: authOptionsFrom(config) ?? null,
    publicUrl,
    // It checks them before the routing.
    webPages: null,
    mcp: {
      tools: mcpTools,
      workflowTools: mcpWorkflowTools,
      ownGates: mcpOwnGates,
      waitMs: mcpWaitMs,
      maxSessions: mcpMaxSessions,
    },
    sse: { maxStreams: sseMaxStreams, pingMs: ssePingMs, stalledMs: sseStalledMs },
    workflowsDir:
      workflowsDir === null || namespace === null ? workflowsDir : { path: workflowsDir, namespace },
  };
}
