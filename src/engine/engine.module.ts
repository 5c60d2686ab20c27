import { HttpModule, HttpService } from '@nestjs/axios';
import {
  Logger,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type FactoryProvider,
} from '@nestjs/common';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import type { EngineOptions } from './engine-options.js';
import { createEngine, Engine, type EngineLogger } from './index.js';
import { AddressPolicy } from './units/http/addresses/address-policy.js';
import { createTransport } from './units/http/axios-transport.js';

/** What an engine inside Nest can be told; without a store its runs are in memory. */
export type EngineModuleOptions = Partial<EngineOptions>;

/** The one engine, opened before anything can use it. HTTP units are called through `HttpService`'s axios. */
const engineProvider: FactoryProvider<Engine> = {
  provide: Engine,
  inject: [FLOWGATE_OPTIONS, HttpService],
  useFactory: async (options: EngineModuleOptions, http: HttpService) => {
    const addresses = new AddressPolicy(options);
    const transport = options.transport ?? createTransport({ axios: http.axiosRef, addresses });
    const engine = createEngine({ logger: nestLogger(), ...options, transport });
    await engine.open();
    return engine;
  },
};

@Module({ imports: [HttpModule], providers: [engineProvider], exports: [Engine] })
export class EngineModule implements BeforeApplicationShutdown {
  constructor(private readonly engine: Engine) {}

  /** Takes the options from the module that provides them. */
  static around(options: DynamicModule): DynamicModule {
    return { module: EngineModule, imports: [options] };
  }

  /** While the server still answers: units in flight come to their end, and so do the requests that wait. */
  beforeApplicationShutdown(): Promise<void> {
    return this.engine.close();
  }
}

function nestLogger(): EngineLogger {
  const logger = new Logger('Engine');
  return {
    debug: (message, fields = {}) => logger.debug(message, fields),
    info: (message, fields = {}) => logger.log(message, fields),
    warn: (message, fields = {}) => logger.warn(message, fields),
    error: (message, fields = {}) => logger.error(message, fields),
    isOn: (level) => Logger.isLevelEnabled(level === 'info' ? 'log' : level),
  };
}
