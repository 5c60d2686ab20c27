import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessOptions, KeyOptions, OidcOptions } from '../../../src/access/access-options.js';
import { assembleAccess, type AssembledAccess } from '../../../src/access/assemble-access.js';
import type { ApiKeys } from '../../../src/access/api-keys.js';
import { hashOfKey } from '../../../src/access/keys/key-text.js';
import type { EngineLogger, Principal } from '../../../src/engine/index.js';
import { ManualClock } from '../../../src/engine/testing/manual-clock.js';
import { until } from '../../support/eventually.js';
import { InMemoryAudit } from '../../../src/engine/in-memory/tables/in-memory-audit.js';
import { TestAccessStore } from './access-store.js';
import type { TestIssuer } from './issuer.js';

export const BOOTSTRAP_KEY = 'a-bootstrap-key-that-somebody-chose-0123456789';
export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;

/** What access is made of in a test; several of it may share a store, as replicas do. */
export class AccessWorld {
  readonly clock = new ManualClock();
  readonly store = new TestAccessStore();
  /** Each line of each log, and each error that somebody got. */
  readonly said: string[] = [];
  /** What must be found in none of them. */
  readonly secrets: string[] = [BOOTSTRAP_KEY];
  readonly audit = new InMemoryAudit(() => undefined);
  private readonly opened: AssembledAccess[] = [];
  private folder: string | null = null;

  async open(options: {
    keys?: Partial<KeyOptions> | null;
    oidc?: (Partial<OidcOptions> & { readonly issuer: string }) | null;
    accessFile?: string | null;
  }): Promise<AssembledAccess> {
    const { keys = {}, oidc = null, accessFile = null } = options;
    const all: AccessOptions = {
      keys: keys === null ? null : { maxKeyDays: 365, bootstrapKeySha256: hashOfKey(BOOTSTRAP_KEY), ...keys },
      oidc:
        oidc === null
          ? null
          : {
              audience: ['flowgate'],
              algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
              subjectClaim: 'sub',
              groupsClaim: 'groups',
              ...oidc,
            },
      accessFile,
    };
    const access = await assembleAccess({
      options: all,
      store: this.store,
      audit: this.audit,
      clock: this.clock,
      logger: this.logger,
    });
    this.opened.push(access);
    await access.authenticator.open();
    return access;
  }

  openFor(issuer: TestIssuer, accessFile: string, oidc: Partial<OidcOptions> = {}): Promise<AssembledAccess> {
    return this.open({ oidc: { issuer: issuer.url, ...oidc }, accessFile });
  }

  async file(content: unknown, name = 'access.json'): Promise<string> {
    this.folder ??= await mkdtemp(join(tmpdir(), 'flowgate-access-'));
    const path = join(this.folder, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  /** The principal; else the error, whose text is remembered as what was said. */
  async ask(access: AssembledAccess, secret: string, address = '192.0.2.1'): Promise<Principal | Error> {
    this.secrets.push(secret);
    return this.outcome(async () =>
      access.authenticator.authenticate({ authorization: `Bearer ${secret}`, address }),
    );
  }

  /** Whom the key is of; fails the test for one that is refused. */
  async who(access: AssembledAccess, secret: string): Promise<Principal> {
    const found = await this.ask(access, secret);
    if (found instanceof Error) throw found;
    return found;
  }

  async outcome<Result>(work: () => Promise<Result>): Promise<Result | Error> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const { cause, details, reason } = error as { cause?: unknown; details?: unknown; reason?: unknown };
      this.said.push(`${error.message} ${String(cause)} ${JSON.stringify(details)} ${String(reason)}`);
      return error;
    }
  }

  /** The key of an admin, made with the bootstrap key. */
  async admin(
    access: AssembledAccess,
  ): Promise<{ readonly principal: Principal; readonly secret: string; readonly id: string }> {
    const bootstrap = await this.who(access, BOOTSTRAP_KEY);
    const made = await this.make(access, bootstrap, {
      owner: 'root',
      grants: [{ namespace: '*', roles: ['admin'] }],
    });
    return { ...made, principal: await this.who(access, made.secret) };
  }

  async make(
    access: AssembledAccess,
    by: Principal,
    request: Parameters<ApiKeys['make']>[1],
  ): Promise<{ readonly secret: string; readonly id: string }> {
    const { key, secret } = await access.keys!.make(by, request);
    this.secrets.push(secret);
    return { secret, id: key.id };
  }

  /** Files are read by the system, whatever the clock of the test says. `times`: of all that was said so far. */
  async untilSaid(start: string, times = 1): Promise<void> {
    const lines = (): number => this.said.filter((line) => line.startsWith(start)).length;
    await until(() => lines() >= times, `"${start}" was said`);
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map(({ authenticator }) => authenticator.close()));
    if (this.folder !== null) await rm(this.folder, { recursive: true });
  }

  private readonly logger: EngineLogger = {
    debug: (message, fields) => this.say(message, fields),
    info: (message, fields) => this.say(message, fields),
    warn: (message, fields) => this.say(message, fields),
    error: (message, fields) => this.say(message, fields),
  };

  private say(message: string, fields: unknown): void {
    this.said.push(`${message} ${JSON.stringify(fields)}`);
  }
}

/** What each test ends with: nothing is left scheduled or watched, and no secret was said. */
export async function endOf(world: AccessWorld): Promise<void> {
  await world.close();
  expect(world.clock.scheduled).toBe(0);
  expect(world.store.watchers.size).toBe(0);
  const all = world.said.join('\n');
  for (const secret of world.secrets) {
    expect(all).not.toContain(secret);
    // The part of a key that is secret, and the signature of a token.
    expect(all).not.toContain(secret.slice(-40));
  }
}
