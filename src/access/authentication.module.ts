import { Inject, Module, type DynamicModule, type FactoryProvider, type OnModuleInit } from '@nestjs/common';
import { checkedAuth, type CheckedAuth } from '../config/access/auth-options.js';
import { RefusalAudit } from './audit/refusal-audit.js';
import { auditedAs } from './keys/audited-as.js';
import { noted, NotedKeys } from './audit/noted-keys.js';
import { weakeningOptions, type WeighedOptions } from './audit/weakening-options.js';
import { VERSION } from '../config/version.js';
import type { EdgeOptions } from '../config/edge-options.js';
import { ACCESS, API_KEYS, CREATE_ACCESS } from '../config/access/access-tokens.js';
import { checkedPublicUrl } from '../config/access/public-url.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import {
  AskedPolicy,
  auditAct,
  auditOf,
  GrantPolicy,
  InMemoryRunStore,
  SystemClock,
  type Clock,
  type AuditAct,
  type EngineLogger,
  type Policy,
  type Principal,
  type Refusal,
  type RunStore,
} from '../engine/index.js';
import type { Access } from '../http/access/access.js';
import { loginWith, type Login } from '../http/access/login.js';
import { AdmissionWatch } from '../http/access/admission-watch.js';
import { OwnerRates } from '../http/access/owner-rates.js';
import { nestLogger } from '../logging/nest-logger.js';
import type { ApiKeys } from './api-keys.js';
import { createAccess, type CreateAccess, type CreatedAccess } from './create-access.js';
import type { SignInProvider } from './tokens/sign-in-provider.js';

/** Of the options of an instance those that say who may ask, and where that is kept. */
interface AuthenticationOptions extends Pick<EdgeOptions, 'auth' | 'actor' | 'publicUrl'>, WeighedOptions {
  readonly store?: RunStore;
  readonly clock?: Clock;
  /** In place of ours, which goes by grants and roles. */
  readonly policy?: Policy;
  readonly [CREATE_ACCESS]?: CreateAccess;
}

/** All of an instance's authentication, with the store that the engine is given, too. */
export type Authentication = Access &
  Pick<CreatedAccess, 'keys' | 'revokeOwner'> & {
    readonly store: RunStore;
    /** Whether it is recorded who does what, and how long that is kept, in ms. */
    readonly audit: boolean;
    readonly auditRetentionMs: number;
    /** Records what the engine refused. */
    onRefusal(refusal: Refusal): void;
    /** Records the start of the service. */
    recordStart(): Promise<void>;
    /** Writes what is left: refusals, and last uses of keys. Whoever asks from now on is told that it cannot be known who they are. */
    beforeStoreCloses(): Promise<void>;
  };

const DAY_MS = 86_400_000;

function startAct(options: WeighedOptions, checked: CheckedAuth, clock: Clock): AuditAct {
  const weakened = weakeningOptions(options, checked);
  return auditAct({ at: clock.wallTime(), action: 'service.start', target: VERSION, facts: { weakened } });
}

/** Made before the engine, which is given its store and its policy. */
const accessProvider: FactoryProvider<Authentication | null> = {
  provide: ACCESS,
  inject: [FLOWGATE_OPTIONS],
  useFactory: async (options: AuthenticationOptions) => {
    const { auth, actor, store = new InMemoryRunStore(), clock = new SystemClock() } = options;
    const checked = checkedAuth(auth, actor);
    const publicUrl = checkedPublicUrl(options.publicUrl);
    if (checked === null) return null;
    const { oidc, metricsPublic } = checked;
    const login = oidc === null || publicUrl === null ? null : loginWith(oidc.issuer, publicUrl);
    const create = options[CREATE_ACCESS] ?? createAccess;
    const logger = nestLogger('Access');
    const audit = checked.audit ? auditOf(store, 'auth.audit') : null;
    const created = await create({ options: meantFor(login, checked), store, audit, clock, logger });
    const refusals = audit === null ? null : new RefusalAudit({ audit, clock, logger });
    const policy = new AskedPolicy(options.policy ?? new GrantPolicy(() => created.roles()), clock);
    const signIn = await signInWith(oidc, clock, logger);
    const { maxRequestsPerOwner } = checked;
    const { authenticator } = created;
    const refused: Access['refused'] = ({ principal, ...refusal }) =>
      refusals?.note({ ...refusal, by: principal === null ? null : auditedAs(principal) });
    const note = (principal: Principal, { message: reason }: Error): void =>
      refused({ status: 403, principal, namespace: null, reason });
    return {
      ...created,
      keys: created.keys === null ? null : new NotedKeys(created.keys, note),
      revokeOwner: (by, owner) => noted(note, by, created.revokeOwner(by, owner)),
      policy,
      admissions: new AdmissionWatch({ authenticator, policy, clock }),
      store,
      metricsPublic,
      rates: maxRequestsPerOwner === null ? null : new OwnerRates(maxRequestsPerOwner),
      login,
      signIn,
      scopes: oidc?.scopes ?? [],
      audit: checked.audit,
      auditRetentionMs: checked.auditRetentionDays * DAY_MS,
      refused,
      onRefusal: ({ by, namespace, action }) =>
        refusals?.note({ status: 403, by, namespace, reason: `This needs the permission ${action}` }),
      recordStart: async () => audit?.record({ acts: [startAct(options, checked, clock)] }),
      beforeStoreCloses: async () => {
        await Promise.all([authenticator.close(), refusals?.close(), signIn?.close()]);
      },
    };
  },
};

/** A token that was got for the gateway is as good as one for the service: both are the same account's. */
function meantFor(login: Login | null, checked: CheckedAuth): CheckedAuth {
  const { oidc } = checked;
  if (login === null || oidc === null) return checked;
  return { ...checked, oidc: { ...oidc, audience: [...oidc.audience, login.resource] } };
}

/** It brings a client of HTTP, which nobody else may need. */
async function signInWith(
  oidc: CheckedAuth['oidc'],
  clock: Clock,
  logger: EngineLogger,
): Promise<SignInProvider | null> {
  if (oidc === null || oidc.consoleClientId === null) return null;
  const { issuer, consoleClientId: clientId, scopes } = oidc;
  const { SignInProvider } = await import('./tokens/sign-in-provider.js');
  return new SignInProvider({ issuer, clientId, scopes, clock, logger });
}

const keysProvider: FactoryProvider<ApiKeys | null> = {
  provide: API_KEYS,
  inject: [ACCESS],
  useFactory: (authentication: Authentication | null) => authentication?.keys ?? null,
};

/** Who is asking, and what they may, for every module of an instance. */
@Module({ providers: [accessProvider, keysProvider], exports: [ACCESS, API_KEYS] })
export class AuthenticationModule implements OnModuleInit {
  constructor(@Inject(ACCESS) private readonly access: Authentication | null) {}

  static around(options: DynamicModule): DynamicModule {
    return { module: AuthenticationModule, imports: [options] };
  }

  /** By then the engine has opened its store. Rejects where nobody could ever get in. */
  async onModuleInit(): Promise<void> {
    await this.access?.recordStart();
    await this.access?.authenticator.open();
  }
}
