import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata } from '@nestjs/common';

/** What `FlowgateModule` was given, for its own modules only. */
export const FLOWGATE_OPTIONS = Symbol('FLOWGATE_OPTIONS');

export interface OptionsSource<T> {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: FactoryProvider<T>['inject'];
  readonly useFactory: FactoryProvider<T>['useFactory'];
}

/** Calls the host's factory once, however many modules need its result. */
@Module({})
export class OptionsModule {
  static from<T>(source: OptionsSource<T>): DynamicModule {
    const { imports = [], inject = [], useFactory } = source;
    return {
      module: OptionsModule,
      imports,
      providers: [{ provide: FLOWGATE_OPTIONS, inject, useFactory }],
      exports: [FLOWGATE_OPTIONS],
    };
  }
}
