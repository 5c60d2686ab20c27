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
import { claimMount } from './claim-mount.js';
import type { Mount } from './placement.js';

/** The options of `FlowgateModule`, for its own modules only. */
export const FLOWGATE_OPTIONS = Symbol('FLOWGATE_OPTIONS');

/** A class of the host that makes options; called once. */
export interface OptionsFactory<T> {
  createFlowgateOptions(): T | Promise<T>;
}

/** Where options come from: one of `useFactory`, `useClass` and `useExisting`. */
export interface OptionsSource<T> {
  /** Modules that export what `inject` or `useClass` needs. */
  readonly imports?: ModuleMetadata['imports'];
  /** The tokens whose values `useFactory` is called with. */
  readonly inject?: FactoryProvider<T>['inject'];
  readonly useFactory?: FactoryProvider<T>['useFactory'];
  /** An object of this class is made only for the options; providers that `imports` export can be injected into it. */
  readonly useClass?: Type<OptionsFactory<T>>;
  /** The token of a factory that one of the `imports`, or a global module, exports. */
  readonly useExisting?: InjectionToken<OptionsFactory<T>>;
}

const FACTORY = Symbol('FLOWGATE_OPTIONS_FACTORY');
const MOUNT = Symbol('FLOWGATE_PLACE');

/** Calls the host's factory once, however many modules need its result. */
@Module({})
export class OptionsModule {
  /** `complete` is given what the host's factory made. */
  static from<T>(source: OptionsSource<T>, mount: Mount, complete: (given: T) => T): DynamicModule {
    return {
      module: OptionsModule,
      imports: source.imports ?? [],
      providers: [
        // The options wait for this, so that a mount that is taken is refused before anything of the host is called.
        {
          provide: MOUNT,
          inject: [ModulesContainer],
          useFactory: (application: ModulesContainer) => claimMount(application, mount),
        },
        ...providersOf(source, complete),
      ],
      exports: [FLOWGATE_OPTIONS],
    };
  }
}

function providersOf<T>(
  { inject = [], useFactory, useClass, useExisting }: OptionsSource<T>,
  complete: (given: T) => T,
): Provider[] {
  const given = [useFactory, useClass, useExisting].filter((source) => source !== undefined);
  if (given.length !== 1) {
    throw new Error('FlowgateModule.forRootAsync needs one of useFactory, useClass and useExisting');
  }
  if (useFactory !== undefined) {
    const make = async (_mount: unknown, ...injected: unknown[]) => complete(await useFactory(...injected));
    return [{ provide: FLOWGATE_OPTIONS, inject: [MOUNT, ...inject], useFactory: make }];
  }
  const factory: Provider =
    useClass === undefined
      ? { provide: FACTORY, useExisting: useExisting as InjectionToken }
      : { provide: FACTORY, useClass };
  const make = async (_mount: unknown, made: OptionsFactory<T>) =>
    complete(await made.createFlowgateOptions());
  return [factory, { provide: FLOWGATE_OPTIONS, inject: [MOUNT, FACTORY], useFactory: make }];
}
