import {
  Module,
  type DynamicModule,
  type FactoryProvider,
  type InjectionToken,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { claimPlace } from './claim-place.js';
import type { Place } from './placement.js';

/** What `FlowgateModule` was given, for its own modules only. */
export const FLOWGATE_OPTIONS = Symbol('FLOWGATE_OPTIONS');

/** Something of the host that makes options; asked once. */
export interface OptionsFactory<T> {
  createFlowgateOptions(): T | Promise<T>;
}

/** Where options come from: one of `useFactory`, `useClass` and `useExisting`. */
export interface OptionsSource<T> {
  /** Modules that export what is injected here. */
  readonly imports?: ModuleMetadata['imports'];
  /** What `useFactory` is called with. */
  readonly inject?: FactoryProvider<T>['inject'];
  readonly useFactory?: FactoryProvider<T>['useFactory'];
  /** An object of this class is made for the options alone; what `imports` export can be injected into it. */
  readonly useClass?: Type<OptionsFactory<T>>;
  /** By what a factory is injectable that one of the `imports`, or a global module, exports. */
  readonly useExisting?: InjectionToken<OptionsFactory<T>>;
}

const FACTORY = Symbol('FLOWGATE_OPTIONS_FACTORY');
const PLACE = Symbol('FLOWGATE_PLACE');

/** Calls the host's factory once, however many modules need its result. */
@Module({})
export class OptionsModule {
  static from<T>(source: OptionsSource<T>, place: Place): DynamicModule {
    return {
      module: OptionsModule,
      imports: source.imports ?? [],
      providers: [
        // The options wait for it: a place that is taken is refused before anything of the host is called.
        {
          provide: PLACE,
          inject: [ModulesContainer],
          useFactory: (application: ModulesContainer) => claimPlace(application, place),
        },
        ...providersOf(source),
      ],
      exports: [FLOWGATE_OPTIONS],
    };
  }
}

function providersOf<T>({ inject = [], useFactory, useClass, useExisting }: OptionsSource<T>): Provider[] {
  const given = [useFactory, useClass, useExisting].filter((source) => source !== undefined);
  if (given.length !== 1) {
    throw new Error('FlowgateModule.forRootAsync needs one of useFactory, useClass and useExisting');
  }
  if (useFactory !== undefined) {
    const make = (_place: unknown, ...injected: unknown[]) => useFactory(...injected);
    return [{ provide: FLOWGATE_OPTIONS, inject: [PLACE, ...inject], useFactory: make }];
  }
  const factory: Provider =
    useClass === undefined
      ? { provide: FACTORY, useExisting: useExisting as InjectionToken }
      : { provide: FACTORY, useClass };
  const make = (_place: unknown, made: OptionsFactory<T>) => made.createFlowgateOptions();
  return [factory, { provide: FLOWGATE_OPTIONS, inject: [PLACE, FACTORY], useFactory: make }];
}
