import { InvalidRequestError, NotFoundError } from '../../errors/request-errors.js';
import type { AuditItem } from '../audit-items.js';
import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import { isInScope, type AccessScope } from '../ports/access/policy.js';
import { auditAct, type AuditAct, type AuditActor, type AuditRow } from '../ports/audit/audit-act.js';
import type { AuditCursor, AuditFilter, AuditStore } from '../ports/audit/audit-store.js';
import { sleep, type Clock } from '../ports/clock.js';
import type { Page } from '../run-lists.js';
import { checkedLimit, decodeCursor, encodeCursor } from '../runtime/lists/list-cursor.js';
import { cursorOfId, idOfCursor } from '../runtime/streams/event-cursor.js';
import { AUDIT_ACTIONS, type AuditAction } from '../vocabulary.js';

export interface WatchAuditRequest {
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  /** Also what belongs to no namespace. Default false. */
  readonly withGlobal?: boolean | undefined;
  /** Of which workflows it is told; what is of none is told with `all` alone. Default: of all. */
  readonly scope?: AccessScope | undefined;
  /** The account that acted. */
  readonly owner?: string | undefined;
  readonly action?: string | undefined;
  readonly runId?: string | undefined;
  /** Epoch ms: then or later. */
  readonly after?: number | undefined;
  /** Epoch ms: earlier. */
  readonly before?: number | undefined;
}

export interface ListAuditRequest extends WatchAuditRequest {
  /** 1 to 200, default 50. */
  readonly limit?: number | undefined;
  /** `next` of the page before, of the same filter. */
  readonly cursor?: string | undefined;
}

export interface StreamAuditRequest extends WatchAuditRequest {
  /** The id after which it begins. */
  readonly afterId: string;
  readonly signal: AbortSignal;
}

/** How ids are shown, and found again. */
export interface ShownIds {
  shown(id: string): string;
  /** Null: it is none that was shown. */
  meant(shown: string): string | null;
}

export interface AuditParts {
  /** Null: it is off. */
  readonly store: AuditStore | null;
  readonly clock: Clock;
  readonly isClosing: () => boolean;
}

/** So many rows are looked at for one page, of whoever is shown only some. */
const MOST_LOOKED_AT = 1_000;
const LOOKED_AT_ONCE = 200;
/** How long what was recorded waits for who watches: no store tells of what another process recorded. */
const POLL_MS = 1_000;

const AS_THEY_ARE: ShownIds = { shown: (id) => id, meant: (id) => id };

/** `engine.audit`: who did what. */
export class Audit {
  constructor(private readonly parts: AuditParts) {}

  /** Whether anything is recorded, and can be read. */
  get isOn(): boolean {
    return this.parts.store !== null;
  }

  /** What is to be recorded with what somebody does; null: nothing is. */
  actBy(by: AuditActor | undefined, act: Omit<Partial<AuditAct>, 'by' | 'at'> & Pick<AuditAct, 'action'>) {
    return by === undefined || !this.isOn ? null : auditAct({ at: this.parts.clock.wallTime(), by, ...act });
  }

  async record(act: AuditAct | null): Promise<void> {
    if (act !== null) await this.parts.store?.record({ acts: [act] });
  }

  /**
   * Newest first. Throws an `InvalidRequestError` for what no filter can be, and a `NotFoundError` where there is no audit. `ids`: as
   * which ids are shown; default: as they are.
   */
  async list(request: ListAuditRequest = {}, ids: ShownIds = AS_THEY_ARE): Promise<Page<AuditItem>> {
    const store = this.opened();
    const filter = filterOf(request);
    const { scope = 'all' } = request;
    const limit = checkedLimit(request.limit);
    const of = { list: 'audit', filter: { ...filter }, key: ['number', 'string'] as const };
    const from = decodeCursor<[number, string]>(of, request.cursor);
    let cursor: AuditCursor | null = from === null ? null : { at: from[0], id: numberOfId(from[1], ids) };
    const items: AuditItem[] = [];
    const next = (): string | null =>
      cursor === null ? null : encodeCursor<[number, string]>(of, [cursor.at, idOf(cursor, ids)]);
    // One more than is shown says whether there is another page.
    const asked = scope === 'all' ? limit + 1 : Math.max(limit + 1, LOOKED_AT_ONCE);
    for (let lookedAt = 0; lookedAt < MOST_LOOKED_AT; lookedAt += asked) {
      const rows = await store.list({ ...filter, cursor, limit: asked });
      for (const row of rows) {
        if (items.length === limit) return { items, next: next() };
        cursor = { at: row.at, id: row.id };
        if (isShown(row, scope)) items.push(itemOf(row, ids));
      }
      if (rows.length < asked) return { items, next: null };
    }
    return { items, next: next() };
  }

  /** Throws where `list` and `stream` would. */
  check(request: WatchAuditRequest): void {
    this.opened();
    filterOf(request);
  }

  /** The id of the newest act. */
  async latest(ids: ShownIds = AS_THEY_ARE): Promise<string> {
    return idOf({ id: await this.opened().lastId() }, ids);
  }

  /** Acts in the order in which they are recorded, until the signal fires; what is new within a second. */
  async *stream(
    { afterId: begin, signal, ...request }: StreamAuditRequest,
    ids: ShownIds = AS_THEY_ARE,
  ): AsyncGenerator<readonly AuditItem[], void, void> {
    const store = this.opened();
    const { clock, isClosing } = this.parts;
    const filter = filterOf(request);
    const { scope = 'all' } = request;
    let afterId = numberOfId(begin, ids);
    while (!signal.aborted && !isClosing()) {
      const isBehind = (await store.lastId()) > afterId;
      const rows = isBehind ? await store.readAfter({ afterId, limit: LOOKED_AT_ONCE }) : [];
      afterId = rows.at(-1)?.id ?? afterId;
      const items = rows.filter((row) => isShown(row, scope) && isMeant(row, filter));
      if (items.length > 0) yield items.map((row) => itemOf(row, ids));
      if (rows.length < LOOKED_AT_ONCE) await sleep(clock, POLL_MS, signal);
    }
  }

  /** Whether the id is one that `stream` can begin after. */
  knows(id: string, ids: ShownIds = AS_THEY_ARE): boolean {
    const meant = ids.meant(id);
    return meant !== null && cursorOfId(meant) !== null;
  }

  private opened(): AuditStore {
    if (this.parts.store !== null) return this.parts.store;
    throw new NotFoundError('There is no audit here: it is off (FLOWGATE_AUDIT)');
  }
}

function filterOf(request: WatchAuditRequest): AuditFilter {
  const { namespace = DEFAULT_NAMESPACE, withGlobal = false, owner, action, runId, after, before } = request;
  return {
    namespaces: withGlobal ? [namespace, null] : [namespace],
    owner: textOrNull('owner', owner),
    action: actionOf(action),
    runId: textOrNull('runId', runId),
    after: after ?? null,
    before: before ?? null,
  };
}

const MAX_CHARS = 256;

function textOrNull(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (text !== '' && text.length <= MAX_CHARS) return text;
  throw new InvalidRequestError(`${name} must be 1 to ${MAX_CHARS} characters`);
}

function actionOf(text: string | undefined): AuditAction | null {
  if (text === undefined) return null;
  const action = AUDIT_ACTIONS.find((known) => known === text);
  if (action !== undefined) return action;
  throw new InvalidRequestError(`action must be one of ${AUDIT_ACTIONS.join(', ')}`);
}

function isShown({ workflowId }: AuditRow, scope: AccessScope): boolean {
  return scope === 'all' || (workflowId !== null && isInScope(scope, workflowId));
}

/** As the store finds them. */
function isMeant(row: AuditRow, { namespaces, owner, action, runId, after, before }: AuditFilter): boolean {
  return (
    namespaces.includes(row.namespace) &&
    (owner === null || row.by?.owner === owner) &&
    (action === null || row.action === action) &&
    (runId === null || row.runId === runId) &&
    (after === null || row.at >= after) &&
    (before === null || row.at < before)
  );
}

function itemOf(row: AuditRow, ids: ShownIds): AuditItem {
  return { ...row, id: idOf(row, ids) };
}

/** In the form of the ids of events, of which each has a position. */
function idOf({ id }: Pick<AuditRow, 'id'>, ids: ShownIds): string {
  return ids.shown(idOfCursor({ position: id, seq: 0 }));
}

function numberOfId(id: string, ids: ShownIds): number {
  const cursor = cursorOfId(ids.meant(id) ?? '');
  if (cursor !== null) return cursor.position;
  throw new InvalidRequestError('The id is none of this audit: leave it out to begin anew');
}
