import { checkId, checkText } from '../calls/arguments.js';
import type { Asking } from '../calls/asking.js';
import { instantOf } from '../calls/filters.js';
import { checkLimit } from '../calls/limits.js';
import { itemsOf } from '../calls/pages.js';
import type { CallOptions } from '../options.js';
import type {
  ListAuditOptions,
  ListKeysOptions,
  MakeKeyOptions,
  RotateKeyOptions,
} from '../options/access.js';
import type { ApiKey, AuditItem, MadeKey, WhoAmI } from '../types/access.js';
import type { Page } from '../types/lists.js';

/** Who one is, the keys that one has, and who did what. */
export class Access {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async whoami(options: CallOptions): Promise<WhoAmI> {
    return this.#asking.call('whoami', options, ({ access }, signal) => access.whoami(signal));
  }

  async makeKey(options: MakeKeyOptions): Promise<MadeKey> {
    const { owner, name, groups, grants } = options;
    checkText('owner', owner);
    checkText('name', name);
    const expiresAt = instantOf('expiresAt', options.expiresAt);
    const request = { owner, name, groups, grants, expiresAt };
    return this.#asking.call('makeKey', options, ({ access }, signal) => access.makeKey(request, signal));
  }

  async keys(options: ListKeysOptions): Promise<Page<ApiKey>> {
    const { owner, limit, cursor } = options;
    checkText('owner', owner);
    checkLimit(limit);
    checkText('cursor', cursor);
    const request = { owner, limit, cursor };
    return this.#asking.call('listKeys', options, ({ access }, signal) => access.keys(request, signal));
  }

  eachKey(options: ListKeysOptions): AsyncIterableIterator<ApiKey> {
    return itemsOf((cursor) => this.keys({ ...options, cursor }), options.cursor);
  }

  async rotateKey(id: string, options: RotateKeyOptions): Promise<MadeKey> {
    checkId('id', id);
    const { overlapMs } = options;
    if (overlapMs !== undefined && !(Number.isSafeInteger(overlapMs) && overlapMs >= 0))
      throw new TypeError('overlapMs must be a whole number of ms of at least 0');
    return this.#asking.call('rotateKey', options, ({ access }, signal) =>
      access.rotateKey({ id, overlapMs }, signal),
    );
  }

  async revokeKey(id: string, options: CallOptions): Promise<void> {
    checkId('id', id);
    await this.#asking.call('revokeKey', options, ({ access }, signal) => access.revokeKey({ id }, signal));
  }

  async revokeOwner(owner: string, options: CallOptions): Promise<void> {
    checkId('owner', owner);
    await this.#asking.call('revokeOwner', options, ({ access }, signal) =>
      access.revokeOwner({ owner }, signal),
    );
  }

  async audit(options: ListAuditOptions): Promise<Page<AuditItem>> {
    const { owner, action, runId, limit, cursor } = options;
    for (const [name, value] of Object.entries({ owner, action, runId, cursor })) checkText(name, value);
    checkLimit(limit);
    const after = instantOf('after', options.after);
    const before = instantOf('before', options.before);
    const request = { owner, action, runId, after, before, limit, cursor };
    return this.#asking.call('listAudit', options, ({ access }, signal) => access.audit(request, signal));
  }

  eachAct(options: ListAuditOptions): AsyncIterableIterator<AuditItem> {
    return itemsOf((cursor) => this.audit({ ...options, cursor }), options.cursor);
  }
}
