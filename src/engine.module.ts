import {
  Module,
  Inject,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type FactoryProvider,
} from '@nestjs/common';
import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { ACCESS } from './config/access/access-tokens.js';
import { ENGINE, TELEMETRY } from './config/instance-tokens.js';
import { FLOWGATE_OPTIONS } from './config/options.module.js';
import type { HttpParts } from './config/placement.js';
import type { EngineOptions } from './engine/engine-options.js';
import {
  createEngine,
  EnvironmentSecrets,
  type Engine,
  type Policy,
  type Refusal,
  type RunStore,
  type Secrets,
  type Telemetry,
  type UnitTransport,
} from './engine/index.js';
import { AddressPolicy } from './engine/units/http/addresses/address-policy.js';
import { nestLogger } from './logging/nest-logger.js';

/** Nest's `HttpService`, or whatever else holds an axios. Named by its shape: most hosts have no axios to take types from. */
export interface HoldsAxios {
  readonly axiosRef: { request(...config: never): Promise<unknown> };
}

/** The options of an `HttpModule` that have an effect on units. */
export interface UnitHttpOptions {
  /** Default headers, as axios takes them. */
  readonly headers?: object;
}

/** The options of an engine inside Nest; without a store its runs are in memory. */
export interface EngineModuleOptions extends Partial<EngineOptions> {
  /**
   * For a host whose axios interceptors are to see every call of an HTTP unit: its `HttpService`, or the options of an
   * `HttpModule` for units alone. Of either only interceptors and default headers have an effect; responses and addresses
   * have the same limits as without. A call then costs two to three times the CPU (decision 0044). Default: axios is neither
   * used nor loaded. Has no effect next to a `transport`.
   */
  readonly axios?: HoldsAxios | UnitHttpOptions;
}

const MAX_NAMED = 20;

/** Whether its callers may see which workflows there are. */
const NAMES_WORKFLOWS = Symbol('FLOWGATE_NAMES_WORKFLOWS');

/** What the engine has in common with what asks who is asking. */
interface AskedWith {
  readonly policy: Policy;
  readonly store: RunStore;
  readonly audit: boolean;
  readonly auditRetentionMs: number;
  onRefusal(refusal: Refusal): void;
  beforeStoreCloses(): Promise<void>;
}

/** The engine of an instance, opened before anything can use it. */
const engineProvider: FactoryProvider<Engine> = {
  provide: ENGINE,
  inject: [FLOWGATE_OPTIONS, NAMES_WORKFLOWS, ACCESS, { token: TELEMETRY, optional: true }],
  useFactory: async (
    { axios, ...options }: EngineModuleOptions,
    namesWorkflows: boolean,
    access: AskedWith | null,
    meter: Telemetry | null = null,
  ) => {
    const through =
      axios === undefined || options.transport !== undefined ? null : await axiosTransport(axios, options);
    const engine = createEngine({
      logger: nestLogger('Engine'),
      namesWorkflows,
      ...options,
      ...(access === null ? {} : { ...askedWith(access), secrets: secretsApart(options) }),
      ...(through === null ? {} : { transport: through }),
      telemetry: bothOf(meter, options.telemetry ?? null),
    });
    await engine.open();
    return engine;
  },
};

function askedWith(access: AskedWith): AskedWith {
  const { policy, store, audit, auditRetentionMs, onRefusal, beforeStoreCloses } = access;
  return { policy, store, audit, auditRetentionMs, onRefusal, beforeStoreCloses };
}

/** Where it is asked who is asking, tenants are kept apart, also by who reads secrets from the environment. */
function secretsApart({ secrets: given }: Pick<EngineModuleOptions, 'secrets'>): Secrets {
  const secrets = given ?? new EnvironmentSecrets({ environment: process.env, folder: null, areApart: true });
  if (secrets instanceof EnvironmentSecrets) sayWhoseSecrets(secrets.variablesOfOthers());
  return secrets;
}

/** Names only, and no more of them than somebody reads. */
function sayWhoseSecrets(variables: readonly string[]): void {
  if (variables.length === 0) return;
  const more = variables.length > MAX_NAMED ? `, and ${variables.length - MAX_NAMED} more` : '';
  nestLogger('Engine').warn(
    `${variables.slice(0, MAX_NAMED).join(', ')}${more}: each is a secret of the namespace that stands before its __, and of default no ` +
      'more; if default needs it under that name, put it into the folder of secrets',
  );
}

@Module({ providers: [engineProvider], exports: [ENGINE] })
export class EngineModule implements BeforeApplicationShutdown {
  constructor(@Inject(ENGINE) private readonly engine: Engine) {}

  /** `imports`: the modules that provide the options, the telemetry, and who is asking. */
  static around(imports: readonly DynamicModule[], { workflows }: HttpParts): DynamicModule {
    const names = { provide: NAMES_WORKFLOWS, useValue: workflows === true };
    return { module: EngineModule, imports: [...imports], providers: [names] };
  }

  /** Runs while the server still responds: units in flight come to their end, and so do the requests that wait. */
  beforeApplicationShutdown(): Promise<void> {
    return this.engine.close();
  }
}

/** Loaded here: most hosts have no use for axios, which costs memory and time at the start. */
async function axiosTransport(
  given: NonNullable<EngineModuleOptions['axios']>,
  options: Partial<EngineOptions>,
): Promise<UnitTransport> {
  const { createAxiosTransport, createAxios } =
    await import('./engine/units/http/transport/axios-transport.js');
  const client =
    'axiosRef' in given ? (given.axiosRef as AxiosInstance) : createAxios(given as AxiosRequestConfig);
  return createAxiosTransport(client, { addresses: new AddressPolicy(options) });
}

/** Reports to both of them; null where there are none. */
function bothOf(one: Telemetry | null, other: Telemetry | null): Telemetry | null {
  if (one === null || other === null) return one ?? other;
  const all = [one, other];
  return {
    runStarted: () => all.forEach((each) => each.runStarted()),
    runEnded: (...args) => all.forEach((each) => each.runEnded(...args)),
    attempted: (...args) => all.forEach((each) => each.attempted(...args)),
    appended: (...args) => all.forEach((each) => each.appended(...args)),
    committed: (...args) => all.forEach((each) => each.committed(...args)),
  };
}
