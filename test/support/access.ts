import { randomBytes } from 'node:crypto';
import type { ApiKey, ApiKeys, MakeKeyRequest } from '../../src/access/api-keys.js';
import type { Authenticator, Credentials } from '../../src/access/authenticator.js';
import type { CreateAccess } from '../../src/access/create-access.js';
import { CREATE_ACCESS } from '../../src/config/access/access-tokens.js';
import { BUILT_IN_ROLES, type Grant, type Policy, type Principal } from '../../src/engine/index.js';
import { ForbiddenError, UnauthorizedError, UnknownKeyError } from '../../src/errors/access-errors.js';

/** What the edge asks, in memory: it keeps principals by their tokens, and goes by their grants. */
export class AccessInMemory implements Authenticator, ApiKeys {
  private readonly principals = new Map<string, Principal>();
  private readonly keys = new Map<string, { readonly key: ApiKey; readonly secret: string }>();
  /** How often somebody was asked for. */
  asked = 0;
  isOpen = false;
  /** In place of an answer: what an authenticator that cannot tell rejects with. */
  trouble: Error | null = null;
  /** Answers after a while, as what has to look a key up does. */
  isSlow = false;

  constructor(private readonly policy?: Policy) {}

  /** The option by which an instance takes this in the place of its own. */
  get options(): object {
    const create: CreateAccess = ({ options }) => ({
      authenticator: this,
      keys: options.keys === null ? null : this,
      revokeOwner: (by, owner) => this.revokeOwner(by, owner),
      roles: () => BUILT_IN_ROLES,
      accessFileFault: () => null,
    });
    return { [CREATE_ACCESS]: create, ...(this.policy === undefined ? {} : { policy: this.policy }) };
  }

  /** The headers of whoever has these grants. */
  headersOf(owner: string, grants: readonly Grant[], more: Partial<Principal> = {}): Record<string, string> {
    const token = `token-${randomBytes(8).toString('hex')}`;
    const principal = { id: `${owner}-1`, owner, groups: [], grants, auth: 'jwt', expiresAt: null } as const;
    this.principals.set(token, { ...principal, ...more });
    return { authorization: `Bearer ${token}` };
  }

  /** The headers of whoever has these roles in a namespace. */
  headersFor(namespace: string, ...roles: readonly string[]): Record<string, string> {
    return this.headersOf(`${roles.join('-')}@${namespace}`, [{ namespace, roles }]);
  }

  /** Whoever sends these headers is somebody else from now on. */
  change({ authorization = '' }: Readonly<Record<string, string>>, more: Partial<Principal>): void {
    const token = authorization.replace(/^Bearer /, '');
    this.principals.set(token, { ...this.known(authorization), ...more });
  }

  open(): Promise<void> {
    this.isOpen = true;
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.isOpen = false;
    return Promise.resolve();
  }

  authenticate({ authorization }: Credentials): Principal | Promise<Principal> {
    this.asked += 1;
    if (this.trouble !== null) throw this.trouble;
    return this.isSlow ? Promise.resolve().then(() => this.known(authorization)) : this.known(authorization);
  }

  private known(authorization: string | undefined): Principal {
    if (authorization === undefined) throw new UnauthorizedError('no credentials');
    const principal = this.principals.get(authorization.replace(/^Bearer /, ''));
    if (principal === undefined) throw new UnauthorizedError('no such key');
    return principal;
  }

  make(by: Principal, request: MakeKeyRequest): Promise<{ readonly key: ApiKey; readonly secret: string }> {
    const { owner = by.owner, name = null, groups = by.groups, grants = by.grants } = request;
    if (owner !== by.owner && !this.manages(by)) throw new ForbiddenError('key:manage', null);
    const id = randomBytes(8).toString('hex');
    const secret = `fgk_${id}_secret`;
    const createdAt = Date.now();
    const { expiresAt = createdAt + 1_000 } = request;
    const made = { madeBy: by.owner, createdAt, expiresAt, lastUsedAt: null, revokedAt: null };
    const key: ApiKey = { id, owner, name, groups, grants, ...made };
    this.keys.set(id, { key, secret });
    this.principals.set(secret, { id, owner, groups, grants, auth: 'key', expiresAt });
    return Promise.resolve({ key, secret });
  }

  list(by: Principal, { owner, limit = 50 }: { readonly owner?: string; readonly limit?: number }) {
    const isShown = ({ key }: { readonly key: ApiKey }): boolean =>
      owner === undefined ? key.owner === by.owner : key.owner === owner;
    const items = [...this.keys.values()].filter(isShown).map(({ key }) => key);
    return Promise.resolve({ items: items.slice(0, limit), next: null });
  }

  rotate(_by: Principal, id: string): Promise<{ readonly key: ApiKey; readonly secret: string }> {
    const { key, secret } = this.found(id);
    const next = `${secret}-2`;
    this.principals.set(next, this.principals.get(secret)!);
    this.principals.delete(secret);
    this.keys.set(id, { key, secret: next });
    return Promise.resolve({ key, secret: next });
  }

  revoke(_by: Principal, id: string): Promise<void> {
    this.principals.delete(this.found(id).secret);
    this.keys.delete(id);
    return Promise.resolve();
  }

  revokeOwner(_by: Principal, owner: string): Promise<void> {
    for (const [token, principal] of this.principals)
      if (principal.owner === owner) this.principals.delete(token);
    return Promise.resolve();
  }

  private found(id: string) {
    const found = this.keys.get(id);
    if (found === undefined) throw new UnknownKeyError(id);
    return found;
  }

  private manages({ grants }: Principal): boolean {
    return grants.some(({ namespace, roles }) => namespace === '*' && roles.includes('admin'));
  }
}
