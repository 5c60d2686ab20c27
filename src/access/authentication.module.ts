import {
  Inject,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { checkedAuth } from '../config/access/auth-options.js';
import type { EdgeOptions } from '../config/edge-options.js';
import { ACCESS, API_KEYS, CREATE_ACCESS } from '../config/access/access-tokens.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import {
  AskedPolicy,
  GrantPolicy,
  InMemoryRunStore,
  SystemClock,
  type Clock,
  type Policy,
  type RunStore,
} from '../engine/index.js';
import type { Access } from '../http/access/access.js';
import { OwnerRates } from '../http/access/owner-rates.js';
import { nestLogger } from '../logging/nest-logger.js';
import type { ApiKeys } from './api-keys.js';
import { createAccess, type CreateAccess, type CreatedAccess } from './create-access.js';

/** Of the options of an instance those that say who may ask, and where that is kept. */
interface AuthenticationOptions extends Pick<EdgeOptions, 'auth' | 'actor'> {
  readonly store?: RunStore;
  readonly clock?: Clock;
  /** In place of ours, which goes by grants and roles. */
  readonly policy?: Policy;
  readonly [CREATE_ACCESS]?: CreateAccess;
}

/** All of an instance's authentication, with the store that the engine is given, too. */
export type Authentication = Access &
  Pick<CreatedAccess, 'keys' | 'revokeOwner'> & { readonly store: RunStore };

/** Made before the engine, which is given its store and its policy. */
const accessProvider: FactoryProvider<Authentication | null> = {
  provide: ACCESS,
  inject: [FLOWGATE_OPTIONS],
  useFactory: async (options: AuthenticationOptions) => {
    const { auth, actor, store = new InMemoryRunStore(), clock = new SystemClock() } = options;
    const checked = checkedAuth(auth, actor);
    if (checked === null) return null;
    const create = options[CREATE_ACCESS] ?? createAccess;
    const created = await create({ options: checked, store, clock, logger: nestLogger('Access') });
    const policy = new AskedPolicy(options.policy ?? new GrantPolicy(() => created.roles()), clock);
    const { metricsPublic, maxRequestsPerOwner, oidc } = checked;
    const rates = maxRequestsPerOwner === null ? null : new OwnerRates(maxRequestsPerOwner);
    return { ...created, policy, store, metricsPublic, rates, scopes: oidc?.scopes ?? [] };
  },
};

const keysProvider: FactoryProvider<ApiKeys | null> = {
  provide: API_KEYS,
  inject: [ACCESS],
  useFactory: (authentication: Authentication | null) => authentication?.keys ?? null,
};

/** Who is asking, and what they may, for every module of an instance. */
@Module({ providers: [accessProvider, keysProvider], exports: [ACCESS, API_KEYS] })
export class AuthenticationModule implements OnModuleInit, OnApplicationShutdown {
  constructor(@Inject(ACCESS) private readonly access: Access | null) {}

  static around(options: DynamicModule): DynamicModule {
    return { module: AuthenticationModule, imports: [options] };
  }

  /** By then the engine has opened its store. Rejects where nobody could ever get in. */
  async onModuleInit(): Promise<void> {
    await this.access?.authenticator.open();
  }

  /** By then the server serves nobody any more. */
  async onApplicationShutdown(): Promise<void> {
    await this.access?.authenticator.close();
  }
}
