import type { AuditItem } from '../../audit-items.js';
import type {
  Audit,
  ListAuditRequest,
  ShownIds,
  StreamAuditRequest,
  WatchAuditRequest,
} from '../../facets/audit.js';
import type { AccessScope } from '../../ports/access/policy.js';
import type { Page } from '../../run-lists.js';
import type { Authority } from './authority.js';
import { scoped, type Acted } from './checked.js';
import type { EventIds } from './event-ids.js';

type Asked<Request> = Omit<Acted<Request>, 'withGlobal'>;

/** What the authority fills in. */
interface Reach {
  readonly namespace: string;
  readonly scope: AccessScope;
  readonly withGlobal: boolean;
}

const ACTION = 'audit:read';

/**
 * `engine.audit` for somebody who acts: of their namespace, and of what belongs to none with the permission in `*` alone. It rejects
 * with a `ForbiddenError` where the permission is missing.
 */
export class ActingAudit {
  constructor(
    private readonly audit: Audit,
    private readonly authority: Authority,
    /** Null: who acts is shown the engine's own. */
    private readonly eventIds: EventIds | null,
  ) {}

  list(request: Asked<ListAuditRequest> = {}): Promise<Page<AuditItem>> {
    return this.#within(async (reach) => this.audit.list({ ...request, ...reach }, await this.#ids()));
  }

  /** All of it, page by page. */
  async *each(request: Asked<ListAuditRequest> = {}): AsyncGenerator<readonly AuditItem[], void, void> {
    let { cursor } = request;
    for (;;) {
      const { items, next } = await this.list({ ...request, cursor });
      yield items;
      if (next === null) return;
      cursor = next;
    }
  }

  /** Rejects where `stream` would. */
  check(request: Asked<WatchAuditRequest>): Promise<void> {
    return this.#within(async (reach) => this.audit.check({ ...request, ...reach }));
  }

  latest(): Promise<string> {
    return this.#within(async () => this.audit.latest(await this.#ids()));
  }

  knows(id: string): Promise<boolean> {
    return this.#within(async () => this.audit.knows(id, await this.#ids()));
  }

  async *stream(request: Asked<StreamAuditRequest>): AsyncGenerator<readonly AuditItem[], void, void> {
    const ids = await this.#ids();
    const reach = await this.#within(async (known) => known);
    yield* this.audit.stream({ ...request, ...reach }, ids);
  }

  #within<T>(work: (reach: Reach) => Promise<T>): Promise<T> {
    const { authority } = this;
    const { namespace } = authority.identity;
    return scoped(authority, ACTION, async (scope) =>
      work({ namespace, scope, withGlobal: await authority.mayEverywhere(ACTION) }),
    );
  }

  /** Of a space of their own: an id of the audit is no id of an event. */
  async #ids(): Promise<ShownIds | undefined> {
    return this.eventIds === null
      ? undefined
      : this.eventIds.in(`audit/${this.authority.identity.namespace}`);
  }
}
